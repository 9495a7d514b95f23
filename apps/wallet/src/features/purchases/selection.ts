/** The items of a purchase that are in the code (spec 4, D-177). */
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import type { PurchaseItem } from '../../api/purchases.ts';
import { isRedeemable } from './purchase-groups.ts';

/** The items that the user ticked; `undefined` while the default selection is unchanged. */
export type Chosen = ReadonlySet<number> | undefined;

/** The user's choice, by default everything redeemable, limited to the first items that fit into one code. */
export const selectedIds = (items: readonly PurchaseItem[], chosen: Chosen): readonly number[] =>
  items
    .filter((item) => isRedeemable(item) && (chosen === undefined || chosen.has(item.id)))
    .slice(0, QR_ITEMS_MAX)
    .map(({ id }) => id);

/** The choice in which exactly the first `count` of `ids`, which are equal items, are chosen. */
export function chooseOf(
  selected: readonly number[],
  ids: readonly number[],
  count: number,
): ReadonlySet<number> {
  const others = selected.filter((id) => !ids.includes(id));
  return new Set([...others, ...ids.slice(0, count)]);
}

/** Whether redeemable items are left out because the code is full. */
export const hasRest = (items: readonly PurchaseItem[], selected: readonly number[]): boolean =>
  selected.length >= QR_ITEMS_MAX && items.filter(isRedeemable).length > QR_ITEMS_MAX;
