/**
 * The cart, kept on this device for the account that filled it. Every change starts from what is stored, so that two tabs
 * that both fill it lose nothing.
 */
import { localStore } from '@athos/app-core/storage';
import { storesByName } from '@athos/app-core/stores-by-name';
import { CART_COUNT_MAX, CART_COUNT_MIN } from '@athos/domain/cart-limits';
import { createValue } from '@athos/app-core/value';
import { useSyncExternalStore } from 'react';
import type { Cart, CartItem, CartOffer } from './cart-item.ts';
import { cartText, parseCart } from './cart-storage.ts';
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
    // The server no longer knows it.
    const gone = { ...item.offer, sale: { ...item.offer.sale, isActive: false } };
    return { ...item, offer: offer ?? gone };
  });
}

export interface CartStore {
  get: () => Cart;
  /** The news of another tab may still be on their way to `get`. */
  readStored: () => Cart;
  subscribe: (listener: () => void) => () => void;
  /** Puts items of an offer in, or more of them; never above 99 of one. */
  add: (offer: CartOffer, count: number) => void;
  setCount: (offerId: number, count: number) => void;
  remove: (offerId: number) => void;
  /** The server told how the offers are now. What it did not name of `asked` is on sale no more. */
  refresh: (fresh: readonly CartOffer[], asked: readonly number[]) => void;
  /** Everything goes. */
  clear: () => void;
  /** Any other change of what is stored. */
  change: (step: (cart: Cart) => Cart) => void;
}

function openCart(userUuid: string): CartStore & { close: () => void } {
  const storageKey = cartKey(userUuid);
  const readStored = (): Cart => parseCart(localStore.read(storageKey)) ?? EMPTY_CART;
  const value = createValue(readStored());

  function change(step: (cart: Cart) => Cart): void {
    const next = step(readStored());
    if (next.items.length === 0 && !next.intent?.isAsked) localStore.remove(storageKey);
    else localStore.write(storageKey, cartText(next));
    value.set(next);
  }
  const changeItems = (step: (items: readonly CartItem[]) => readonly CartItem[]): void =>
    change((cart) => ({ ...cart, items: step(cart.items) }));

  // `null` is what a cleared storage says.
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === storageKey || event.key === null) value.set(readStored());
  };
  addEventListener('storage', handleStorage);

  return {
    get: value.get,
    subscribe: value.subscribe,
    readStored,
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
    close: () => removeEventListener('storage', handleStorage),
  };
}

const carts = storesByName<ReturnType<typeof openCart>>();

/** The cart of one account. */
export const cartOf = (userUuid: string): CartStore => carts.of(userUuid, openCart);

export const closeCarts = carts.closeAll;

/** The signed-in user's cart, followed. */
export function useCart(): { cart: Cart; store: CartStore } {
  const store = cartOf(useUserUuid());
  return { cart: useSyncExternalStore(store.subscribe, store.get), store };
}
