/** Venues, codes and outcomes as the API returns them to staff. */
import type { AnswerOf } from '@athos/contract/api';

type PurchaseScan = Extract<AnswerOf<'scannerScan'>, { kind: 'purchase' }>;
export type ScannedItem = PurchaseScan['items'][number];
type RedeemedItem = AnswerOf<'scannerRedeem'>['results'][number];

export const BAR = { id: 1, name: 'Harbour Bar', address: '1 Quay' };
export const HALL = { id: 2, name: 'Great Hall', address: '2 Square' };

export const HOLDER = { short_uuid: '0192aaaa', member_since: '2026-03-01T00:00:00.000Z' };
/** How long a fresh code can be redeemed. */
const REDEEM_WITHIN_MS = 100_000;

/** Without a picture, so nothing is fetched. */
export const scannedItem = (id: number, more: Partial<ScannedItem> = {}): ScannedItem => ({
  id,
  state: 'redeemable',
  title: `Cold Brew ${id}`,
  img: '',
  picture: null,
  redeemed_at: null,
  redeemed_venue: null,
  ...more,
});

export const purchaseScan = (...items: readonly ScannedItem[]): PurchaseScan => ({
  kind: 'purchase',
  holder: HOLDER,
  redeem_until: new Date(Date.now() + REDEEM_WITHIN_MS).toISOString(),
  items: [...items],
});

/** The outcome of one item: redeemed just now at the bar. */
export function redeemedItem(id: number, more: Partial<RedeemedItem> = {}): RedeemedItem {
  const { title, img, picture } = scannedItem(id);
  const redeemed_at = new Date().toISOString();
  const place = { redeemed_at, redeemed_venue: BAR.name };
  return { item_id: id, outcome: 'redeemed', title, img, picture, ...place, ...more };
}

/** The response when every item was redeemed. */
export const redemptionOf = (...ids: readonly number[]): AnswerOf<'scannerRedeem'> => ({
  redeemed_count: ids.length,
  results: ids.map((id) => redeemedItem(id)),
});
