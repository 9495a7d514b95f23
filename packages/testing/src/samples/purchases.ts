/** Purchased items as the API returns them, and a live stream. */
import type { AnswerOf } from '@athos/contract/api';
import type { LiveEvent } from '@athos/contract/wallet/events';

export type WireItem = AnswerOf<'myPurchases'>['purchases'][number];

/** 2:05 PM of November 20, 2026, wherever the test runs. */
export const BOUGHT_AT = new Date(2026, 10, 20, 14, 5).toISOString();
/** 6:30 PM of November 21, 2026. */
export const REDEEMED_AT = new Date(2026, 10, 21, 18, 30).toISOString();

interface ItemFacts {
  readonly redeemedAt?: string;
  readonly venue?: string;
  readonly offer?: Partial<WireItem['offer']>;
}

export function wireItem(id: number, purchaseId: number, facts: ItemFacts = {}): WireItem {
  return {
    id,
    purchase_id: purchaseId,
    purchase_date: BOUGHT_AT,
    redeemed_at: facts.redeemedAt ?? null,
    redeemed_venue: facts.venue ?? null,
    offer: {
      id: 70 + id,
      title: `Drink ${id}`,
      img: `/art/${id}.webp`,
      note: 'Served **cold**.',
      active: true,
      kind: 0,
      amount_cents: 1250,
      picture: null,
      ...facts.offer,
    },
  };
}

/** A live stream into which a test writes events. */
export function liveStream<Event = LiveEvent>(): {
  answer: () => Response;
  tell: (event: Event) => void;
  end: () => void;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  return {
    answer: () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (opened) => void (controller = opened),
        }),
      ),
    tell: (event) =>
      controller?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)),
    end: () => controller?.close(),
  };
}
