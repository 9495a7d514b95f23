/**
 * Redeems at most once per key, however often the call is retried. Nothing is shown as redeemed before the server
 * confirms it.
 */
import type { AnswerOf } from '@athos/contract/api';
import { moveValue, type Outcome } from '@athos/client/outcome';
import type { RedeemIntent } from '../state/redeem-intent.ts';
import { client } from './http.ts';
import { readItem, type Item } from './item.ts';
import { asStaff } from './staff.ts';

type WireRedemption = AnswerOf<'scannerRedeem'>;

export interface RedeemedItem extends Item {
  readonly id: number;
  readonly outcome: WireRedemption['results'][number]['outcome'];
}

export interface Redemption {
  readonly redeemedCount: number;
  /** One result for each requested item. */
  readonly results: readonly RedeemedItem[];
}

const readRedemption = ({ redeemed_count, results }: WireRedemption): Redemption => ({
  redeemedCount: redeemed_count,
  results: results.map((item) => ({
    id: item.item_id,
    outcome: item.outcome,
    ...readItem(item),
  })),
});

export function redeemItems({
  key,
  content,
  isRepeat,
}: RedeemIntent): Promise<Outcome<Redemption>> {
  const { payload, venueId, itemIds } = content;
  const body = { payload, venue_id: venueId, item_ids: [...itemIds] };
  return moveValue(
    async () => readRedemption(await asStaff(client.call('scannerRedeem', { body, key }))),
    isRepeat,
  );
}
