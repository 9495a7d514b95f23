/**
 * The purchase of a cart from its confirmation to its outcome. Its idempotency key belongs to a content: a repeat of the same
 * content, also after a reload or in another tab, is the same purchase (decisions "API"). While its outcome is not known, no
 * other content is asked for: a price that changes meanwhile must not make a second purchase of it.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { contentOf, countInCart, type CartIntent, type CartItem } from './cart-item.ts';
import type { CartStore } from './cart.ts';

export interface ConfirmedCart extends Pick<CartIntent, 'key' | 'items'> {
  /** It was asked for before, and may have been bought then. */
  readonly isRepeat: boolean;
}

/**
 * The user confirmed: gives what is asked for, which is a request whose outcome is not known before anything else. The same
 * content has the same key until it is bought.
 */
export function confirmCart(store: CartStore): ConfirmedCart {
  let isRepeat = true;
  const { intent } = store.change(({ items, intent: before }) => {
    if (before?.isOpen) return { items, intent: before };
    isRepeat = false;
    const isSame = before !== undefined && contentOf(before.items) === contentOf(items);
    return {
      items,
      intent: { key: isSame ? before.key : newIdempotencyKey(), items, isOpen: true },
    };
  });
  return { key: intent.key, items: intent.items, isRepeat };
}

/** The outcome of this key is known. What was bought of the cart goes, once, in whichever tab it is told first. */
export function settleCart(store: CartStore, key: string, isBought: boolean): void {
  store.change((cart) => {
    const { items, intent } = cart;
    if (intent?.key !== key) return cart;
    return isBought
      ? { items: withoutBought(items, intent.items) }
      : { items, intent: { ...intent, isOpen: false } };
  });
}

/** What is left when `bought` is paid for: more may have been put in meanwhile. */
function withoutBought(items: readonly CartItem[], bought: readonly CartItem[]): CartItem[] {
  return items.flatMap((item) => {
    const count = item.count - countInCart(bought, item.offer.id);
    return count <= 0 ? [] : [{ ...item, count }];
  });
}
