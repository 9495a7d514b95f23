import { expect, it } from 'vitest';
import { newestPages, newestPurchases } from './offline-limits.ts';
import type { PurchaseItem } from './purchases.ts';

const item = (id: number, purchaseId: number, redeemedAt: string | null): PurchaseItem => ({
  id,
  purchaseId,
  purchasedAt: '2026-11-20T12:00:00.000Z',
  redeemedAt,
  redeemedVenue: null,
  offer: { title: '', note: '', isActive: true, kind: 0, picture: { sources: [], src: '' } },
});

it('keeps all of a short list', () => {
  const items = [item(2, 2, null), item(1, 1, '2026-11-20T13:00:00.000Z')];
  expect(newestPurchases(items)).toBe(items);
});

it('keeps at most 200 items: redeemable purchases first, and no partial purchases', () => {
  // 150 purchases of two items, newest first; the oldest ten are not redeemed.
  const items = Array.from({ length: 300 }, (_, index) => {
    const purchaseId = 150 - Math.floor(index / 2);
    return item(300 - index, purchaseId, purchaseId <= 10 ? null : '2026-11-20T13:00:00.000Z');
  });
  const kept = newestPurchases(items);
  expect(kept).toHaveLength(200);
  const ids = new Set(kept.map(({ purchaseId }) => purchaseId));
  expect([...ids].filter((id) => id <= 10)).toHaveLength(10);
  expect(Math.min(...[...ids].filter((id) => id > 10))).toBe(61);
  for (const id of ids) expect(kept.filter(({ purchaseId }) => purchaseId === id)).toHaveLength(2);
});

it('keeps the two newest pages of the history', () => {
  const page = (id: number) => ({
    movements: [],
    nextCursor: String(id),
  });
  const pages = { pages: [page(3), page(2), page(1)], pageParams: [null, '3', '2'] };
  expect(newestPages(pages)).toEqual({
    pages: [page(3), page(2)],
    pageParams: [null, '3'],
  });
});
