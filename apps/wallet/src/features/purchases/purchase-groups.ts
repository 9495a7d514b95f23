/** Purchases as the screens show them: items grouped by purchase, newest purchase first (spec 2 and 3). */
import type { PurchaseItem } from '../../api/purchases.ts';

/** Spec 1: offers of this kind are tickets; all others that can be bought are products. */
const EVENT = 1;

export interface PurchaseGroup {
  /** The id of the purchase. */
  readonly id: number;
  /** ISO 8601. */
  readonly date: string;
  readonly items: readonly PurchaseItem[];
}

/** Spec 4: whether it can be presented to a Scanner. */
export const isRedeemable = ({ redeemedAt, offer }: PurchaseItem): boolean =>
  redeemedAt === null && offer.isActive;

/** Spec 3: groups items by purchase, in the server's order. */
export function groupPurchases(items: readonly PurchaseItem[]): PurchaseGroup[] {
  const groups = Map.groupBy(items, ({ purchaseId }) => purchaseId);
  return [...groups].map(([id, members]) => ({
    id,
    date: members[0]?.purchasedAt ?? '',
    items: members,
  }));
}

const isUnredeemed = ({ redeemedAt }: PurchaseItem): boolean => redeemedAt === null;

/** Spec 2: the two sections. A partly redeemed purchase is in both, each time with the items that belong there. */
export function sectionsOf(items: readonly PurchaseItem[]): {
  redeemable: PurchaseGroup[];
  redeemed: PurchaseGroup[];
} {
  return {
    redeemable: groupPurchases(items.filter(isUnredeemed)),
    redeemed: groupPurchases(items.filter((item) => !isUnredeemed(item))),
  };
}

/** Counts the tickets and all other items. */
export function countKinds(items: readonly PurchaseItem[]): { tickets: number; products: number } {
  const tickets = items.filter(({ offer }) => offer.kind === EVENT).length;
  return { tickets, products: items.length - tickets };
}

/** Each title once with its count, in the order of the items. */
export function countTitles(items: readonly PurchaseItem[]): { title: string; count: number }[] {
  const byTitle = Map.groupBy(items, ({ offer }) => offer.title);
  return [...byTitle].map(([title, members]) => ({ title, count: members.length }));
}

/** Equal items of a purchase, redeemed together or not at all yet: one row of the list. */
export function groupEqual(items: readonly PurchaseItem[]): (readonly PurchaseItem[])[] {
  const groups = Map.groupBy(items, ({ offer, redeemedAt, redeemedVenue }) =>
    JSON.stringify([offer.title, offer.picture.src, offer.isActive, redeemedAt, redeemedVenue]),
  );
  return [...groups.values()];
}
