import { describe, expect, it } from 'vitest';
import type { PurchaseItem } from '../../api/purchases.ts';
import { countKinds, countTitles, groupPurchases, sectionsOf } from './purchase-groups.ts';
import { chooseOf, hasRest, selectedIds } from './selection.ts';

const item = (id: number, more: Partial<PurchaseItem> = {}): PurchaseItem => ({
  id,
  purchaseId: 5,
  purchasedAt: '2026-11-20T13:05:00.000Z',
  redeemedAt: null,
  redeemedVenue: null,
  offer: {
    title: 'Tonic',
    note: '',
    isActive: true,
    kind: 0,
    picture: { sources: [], src: '' },
  },
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => item(index + 1));
const redeemedAt = '2026-11-21T10:00:00.000Z';

describe('selection', () => {
  it('[S4-043] starts with every unredeemed item', () => {
    expect(selectedIds([item(1), item(2, { redeemedAt }), item(3)], undefined)).toEqual([1, 3]);
  });

  it('[S4-042] leaves out items whose offer is not active', () => {
    const inactive = { ...item(2).offer, isActive: false };
    expect(selectedIds([item(1), item(2, { offer: inactive })], new Set([1, 2]))).toEqual([1]);
  });

  it('[D-177] is never more than the first 40', () => {
    const items = many(41);
    const selected = selectedIds(items, undefined);
    expect(selected).toEqual(items.slice(0, 40).map(({ id }) => id));
    expect(hasRest(items, selected)).toBe(true);
  });

  it('has no rest with 40 items or with room in the code', () => {
    expect(hasRest(many(40), selectedIds(many(40), undefined))).toBe(false);
    expect(hasRest(many(41), [1, 2, 3])).toBe(false);
  });

  it('moves on to the next items once the first are redeemed', () => {
    const items = many(45).map((one) => (one.id <= 40 ? { ...one, redeemedAt } : one));
    expect(selectedIds(items, undefined)).toEqual([41, 42, 43, 44, 45]);
  });

  it('chooses the first of equal items, and leaves the others alone', () => {
    expect([...chooseOf([1, 2], [2], 0)]).toEqual([1]);
    expect([...chooseOf([1], [2], 1)]).toEqual([1, 2]);
    expect([...chooseOf([1, 2, 3, 4], [2, 3, 4], 2)]).toEqual([1, 2, 3]);
  });
});

describe('groups', () => {
  it('[S3-017] hold the items of one purchase with its id and date', () => {
    const items = [item(1), item(2, { purchaseId: 4 }), item(3)];
    expect(groupPurchases(items)).toEqual([
      { id: 5, date: '2026-11-20T13:05:00.000Z', items: [items[0], items[2]] },
      { id: 4, date: '2026-11-20T13:05:00.000Z', items: [items[1]] },
    ]);
  });

  it('are in both sections when partly redeemed', () => {
    const items = [item(1), item(2, { redeemedAt })];
    const { redeemable, redeemed } = sectionsOf(items);
    expect(redeemable.map((group) => group.items)).toEqual([[items[0]]]);
    expect(redeemed.map((group) => group.items)).toEqual([[items[1]]]);
  });

  it('count events as tickets and everything else as products', () => {
    const offer = (kind: number) => ({ ...item(1).offer, kind });
    const items = [0, 1, 1, 2].map((kind, index) => item(index, { offer: offer(kind) }));
    expect(countKinds(items)).toEqual({ tickets: 2, products: 2 });
  });

  it('name each title once', () => {
    expect(countTitles(many(3))).toEqual([{ title: 'Tonic', count: 3 }]);
  });
});
