/** A code that this device judged, in the form in which a response of the server is shown. */
import type { OfflineItem } from '@athos/domain/judge-offline';
import { pictureAddresses } from '@athos/contract/pictures';
import { serverNowMs, type PurchaseScan, type ScannedItem } from '../../api/codes.ts';
import type { OfflineScan } from '../../api/offline.ts';

const NO_PICTURE = pictureAddresses(null, '');

const itemOf = (item: OfflineItem): ScannedItem => ({
  id: item.id,
  state: item.state,
  title: item.title,
  picture: NO_PICTURE,
  redeemedAt: item.state === 'redeemed_here' ? new Date(item.atMs).toISOString() : null,
  redeemedVenue: null,
});

export const purchaseScanOf = (
  { holder, leftMs }: Pick<OfflineScan, 'holder' | 'leftMs'>,
  items: readonly OfflineItem[],
): PurchaseScan => ({
  kind: 'purchase',
  holder: { shortUuid: holder, memberSince: null },
  redeemUntil: new Date(serverNowMs() + leftMs).toISOString(),
  items: items.map(itemOf),
});

/** Marks items that this device redeemed without a network and the server does not know of yet. */
export const withOwn = (scan: PurchaseScan, own: ReadonlyMap<number, number>): PurchaseScan => ({
  ...scan,
  items: scan.items.map((item) => {
    const atMs = own.get(item.id);
    return atMs === undefined
      ? item
      : { ...item, state: 'redeemed_here', redeemedAt: new Date(atMs).toISOString() };
  }),
});
