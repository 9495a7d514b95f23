/** Which items of a purchase the code carries (spec 4, D-177). */
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import type { PurchaseItem } from '../../api/purchases.ts';
import { isRedeemable } from './purchase-groups.ts';

/** What the user ticked; `undefined` while everything stands as it was offered. */
export type Chosen = ReadonlySet<number> | undefined;

/** All that can be redeemed unless the user chose otherwise, but never more than one code carries: then the first ones. */
export const selectedIds = (items: readonly PurchaseItem[], chosen: Chosen): readonly number[] =>
  items
    .filter((item) => isRedeemable(item) && (chosen === undefined || chosen.has(item.id)))
    .slice(0, QR_ITEMS_MAX)
    .map(({ id }) => id);

/** The choice after a press on one item. */
export function toggle(selected: readonly number[], itemId: number): ReadonlySet<number> {
  const next = new Set(selected);
  if (!next.delete(itemId)) next.add(itemId);
  return next;
}

/** Items that could be redeemed and are not in the code because it is full. */
export const hasRest = (items: readonly PurchaseItem[], selected: readonly number[]): boolean =>
  selected.length >= QR_ITEMS_MAX && items.filter(isRedeemable).length > QR_ITEMS_MAX;
