/** How much of a list is stored for reading offline. */
import type { InfiniteData } from '@tanstack/react-query';
import type { HistoryPage } from './history.ts';
import type { PurchaseItem } from './purchases.ts';

const ITEM_COUNT_MAX = 200;
const PAGE_COUNT_MAX = 2;

/**
 * Purchases that can still be redeemed come first. A purchase is kept whole, because a part of it would look complete.
 */
export function newestPurchases(items: readonly PurchaseItem[]): readonly PurchaseItem[] {
  if (items.length <= ITEM_COUNT_MAX) return items;
  const openIds = new Set(
    items.flatMap(({ purchaseId, redeemedAt }) => (redeemedAt === null ? [purchaseId] : [])),
  );
  const countById = new Map<number, number>();
  for (const { purchaseId } of items) {
    countById.set(purchaseId, (countById.get(purchaseId) ?? 0) + 1);
  }
  const ids = [...countById.keys()];
  const keptIds = new Set<number>();
  let count = 0;
  for (const id of [
    ...ids.filter((other) => openIds.has(other)),
    ...ids.filter((other) => !openIds.has(other)),
  ]) {
    count += countById.get(id) ?? 0;
    if (count > ITEM_COUNT_MAX) break;
    keptIds.add(id);
  }
  return items.filter(({ purchaseId }) => keptIds.has(purchaseId));
}

type Pages = InfiniteData<HistoryPage, unknown>;

export const newestPages = ({ pages, pageParams }: Pages): Pages => ({
  pages: pages.slice(0, PAGE_COUNT_MAX),
  pageParams: pageParams.slice(0, PAGE_COUNT_MAX),
});
