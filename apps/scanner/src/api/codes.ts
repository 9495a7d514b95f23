/**
 * Calls on a scanned code. Scanning changes nothing, so it can be retried freely. Redeeming happens at most once per key,
 * however often the call is retried.
 */
import type { AnswerOf } from '@athos/contract/api';
import { isTemporary } from '@athos/client/errors';
import { moveValue, outcomeOfError, type Outcome } from '@athos/client/outcome';
import { pause } from '@athos/client/pause';
import { pictureAddresses, type PictureAddresses } from '@athos/contract/pictures';
import type { RedeemIntent } from '../state/redeem-intent.ts';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

type WireScan = AnswerOf<'scannerScan'>;
type WireRedemption = AnswerOf<'scannerRedeem'>;
type WireScannedItem = Extract<WireScan, { kind: 'purchase' }>['items'][number];
type WireRedeemedItem = WireRedemption['results'][number];

export interface Item {
  /** Markdown; empty for an item that does not exist. */
  readonly title: string;
  readonly picture: PictureAddresses;
  /** ISO 8601. */
  readonly redeemedAt: string | null;
  readonly redeemedVenue: string | null;
}

const readItem = ({
  title,
  picture,
  img,
  redeemed_at,
  redeemed_venue,
}: WireScannedItem | WireRedeemedItem): Item => ({
  title,
  picture: pictureAddresses(picture, img),
  redeemedAt: redeemed_at,
  redeemedVenue: redeemed_venue,
});

export interface Holder {
  /** The start of the holder's address. */
  readonly shortUuid: string;
  /** ISO 8601; `null` if unknown, as without a network. */
  readonly memberSince: string | null;
}

/**
 * States that only a scanner without a network reports. `redeemed_here`: redeemed by this device, and the server does not know of it yet.
 */
type OwnState = 'redeemed_here' | 'unsure' | 'above_limit';

export interface ScannedItem extends Item {
  readonly id: number;
  readonly state: WireScannedItem['state'] | OwnState;
}

export interface PurchaseScan {
  readonly kind: 'purchase';
  readonly holder: Holder;
  /** ISO 8601, by the server's clock. */
  readonly redeemUntil: string;
  readonly items: readonly ScannedItem[];
}

export interface TierScan {
  readonly kind: 'tier';
  readonly holder: Holder;
  /** `null` below the lowest tier. */
  readonly tier: { readonly title: string; readonly colour: string } | null;
}

export type Scan = PurchaseScan | TierScan;

function readScan(scan: WireScan): Scan {
  const { short_uuid: shortUuid, member_since: memberSince } = scan.holder;
  const holder = { shortUuid, memberSince };
  if (scan.kind === 'purchase') {
    const items = scan.items.map((item) => ({
      id: item.id,
      state: item.state,
      ...readItem(item),
    }));
    return { kind: 'purchase', holder, redeemUntil: scan.redeem_until, items };
  }
  const { tier } = scan;
  return {
    kind: 'tier',
    holder,
    tier: tier === null ? null : { title: tier.title, colour: tier.color },
  };
}

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 700;

/**
 * Tries up to three times, because a code is valid for only 30 s and the server judges it by the first request that
 * arrives. Rejects only when `signal` aborts.
 */
export async function scanCode(
  payload: string,
  venueId: number,
  signal: AbortSignal,
): Promise<Outcome<Scan>> {
  const body = { payload, venue_id: venueId };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const data = await asStaff(client.call('scannerScan', { body, signal }));
      return { status: 'done', data: readScan(data) };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === ATTEMPTS_MAX || !isTemporary(error)) return outcomeOfError(error, false);
    }
    await pause(PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

export interface RedeemedItem extends Item {
  readonly id: number;
  readonly outcome: WireRedeemedItem['outcome'];
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

/** Milliseconds since 1970 by the server's clock, which decides when a code expires. */
export const serverNowMs = (): number => client.serverNowMs();
