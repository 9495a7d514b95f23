/**
 * The cart, stored on this device for the account that filled it. Every change starts from what is stored, so two tabs
 * that both change it lose nothing.
 */
import { openStored } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import { CART_COUNT_MAX, CART_COUNT_MIN } from '@athos/domain/cart-limits';
import { useValue, type ReadonlyValue } from '@athos/app-core/value';
import type { Cart, CartItem, CartOffer } from './cart-item.ts';
import { cartFields, parseCart } from './cart-storage.ts';
import { useUserUuid } from './current-user.ts';

const EMPTY_CART: Cart = { items: [] };

export const cartKey = (userUuid: string): string => `cart:${userUuid}`;

const withinLimits = (count: number): number =>
  Math.min(CART_COUNT_MAX, Math.max(CART_COUNT_MIN, Math.trunc(count)));

function withAdded(items: readonly CartItem[], offer: CartOffer, count: number): CartItem[] {
  const known = items.find((item) => item.offer.id === offer.id);
  if (known === undefined) {
    return [...items, { offer, count: withinLimits(count), priceWhenAdded: offer.price }];
  }
  // The user has just seen this price.
  const more = { offer, count: withinLimits(known.count + count), priceWhenAdded: offer.price };
  return items.map((item) => (item === known ? more : item));
}

function withFresh(items: readonly CartItem[], fresh: readonly CartOffer[]): CartItem[] {
  return items.map((item) => {
    const offer = fresh.find(({ id }) => id === item.offer.id);
    // The server no longer knows this offer.
    const gone = { ...item.offer, sale: { ...item.offer.sale, isActive: false } };
    return { ...item, offer: offer ?? gone };
  });
}

export interface CartStore extends ReadonlyValue<Cart> {
  /** Reads storage, because the event of another tab's change may not have reached `get` yet. */
  readStored: () => Cart;
  /** Adds items of an offer, up to 99 of each. */
  add: (offer: CartOffer, count: number) => void;
  setCount: (offerId: number, count: number) => void;
  remove: (offerId: number) => void;
  /** Applies the server's response about the offers `asked`. An offer that is missing in it is no longer on sale. */
  refresh: (fresh: readonly CartOffer[], asked: readonly number[]) => void;
  /** Removes everything. */
  clear: () => void;
  /** Applies any other change to what is stored. */
  change: (step: (cart: Cart) => Cart) => void;
}

function openCart(userUuid: string): CartStore & { close: () => void } {
  const stored = openStored({
    key: cartKey(userUuid),
    empty: EMPTY_CART,
    parse: parseCart,
    format: cartFields,
  });

  const change = (step: (cart: Cart) => Cart): void =>
    stored.change((cart) => {
      const next = step(cart);
      return next.items.length === 0 && !next.intent?.isAsked ? EMPTY_CART : next;
    });
  const changeItems = (step: (items: readonly CartItem[]) => readonly CartItem[]): void =>
    change((cart) => ({ ...cart, items: step(cart.items) }));

  return {
    get: stored.get,
    subscribe: stored.subscribe,
    readStored: stored.read,
    add: (offer, count) => changeItems((items) => withAdded(items, offer, count)),
    setCount: (offerId, count) =>
      changeItems((items) =>
        items.map((item) =>
          item.offer.id === offerId ? { ...item, count: withinLimits(count) } : item,
        ),
      ),
    remove: (offerId) => changeItems((items) => items.filter(({ offer }) => offer.id !== offerId)),
    refresh: (fresh, asked) =>
      changeItems((items) =>
        items.flatMap((item) =>
          asked.includes(item.offer.id) ? withFresh([item], fresh) : [item],
        ),
      ),
    clear: () => change(() => EMPTY_CART),
    change,
    close: stored.followOtherTabs(),
  };
}

const carts = storesByName<ReturnType<typeof openCart>>();

/** The cart of one account. */
export const cartOf = (userUuid: string): CartStore => carts.of(userUuid, openCart);

export const closeCarts = carts.closeAll;

/** Returns the signed-in user's cart and subscribes to it. */
export function useCart(): { cart: Cart; store: CartStore } {
  const store = cartOf(useUserUuid());
  return { cart: useValue(store), store };
}
