/**
 * The purchase of a cart. It is stored with the cart exactly as it was requested: while its outcome is unknown, a price
 * change must not turn it into a second purchase.
 */
import {
  openIntent,
  type IntentPlace,
  type IntentState,
  type IntentStore,
} from '@athos/app-core/intents/intent';
import { storesByName } from '@athos/app-core/stores-by-name';
import { useValue } from '@athos/app-core/value';
import type { MicroAth } from '@athos/domain/money';
import { contentOf, countInCart, type CartItem } from './cart-item.ts';
import { cartOf, type CartStore } from './cart.ts';
import { useUserUuid } from './current-user.ts';

/** The server's answer to a purchase. */
export interface Bought {
  readonly purchaseId: number;
  /** The balance after it. */
  readonly balance: MicroAth;
}

export type CartPurchase = IntentState<readonly CartItem[], Bought>;

/** The items that remain after `bought` was paid for. More may have been added in the meantime. */
function withoutBought(items: readonly CartItem[], bought: readonly CartItem[]): CartItem[] {
  return items.flatMap((item) => {
    const count = item.count - countInCart(bought, item.offer.id);
    return count <= 0 ? [] : [{ ...item, count }];
  });
}

const placeIn = (cart: CartStore): IntentPlace<readonly CartItem[]> => ({
  read: () => cart.readStored().intent,
  write: (intent) =>
    cart.change(({ items, intent: before }) =>
      intent === undefined
        ? { items: withoutBought(items, before?.content ?? []) }
        : { items, intent },
    ),
  isSame: (left, right) => contentOf(left) === contentOf(right),
});

function openPurchase(userUuid: string) {
  const cart = cartOf(userUuid);
  const purchase = openIntent<readonly CartItem[], Bought>(placeIn(cart));
  purchase.follow();
  return { ...purchase, close: cart.subscribe(purchase.follow) };
}

const purchases = storesByName<ReturnType<typeof openPurchase>>();

/** The purchase of one account's cart. */
export const cartPurchaseOf = (userUuid: string): IntentStore<readonly CartItem[], Bought> =>
  purchases.of(userUuid, openPurchase);

export const closeCartPurchases = purchases.closeAll;

/** The state of the signed-in user's purchase. */
export function useCartPurchase(): CartPurchase {
  const purchase = cartPurchaseOf(useUserUuid());
  return useValue(purchase);
}
