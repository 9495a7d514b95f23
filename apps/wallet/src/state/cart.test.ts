// @vitest-environment jsdom
import type { AthHundredths } from '@athos/domain/money';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { confirmCart, settleCart } from './cart-intent.ts';
import { cartCount, cartTotal, type CartOffer } from './cart-item.ts';
import { cartKey, cartOf, closeCart } from './cart.ts';

const ADA = '0192aaaa-0000-7000-8000-000000000001';
const BO = '0192bbbb-0000-7000-8000-000000000002';

afterEach(() => {
  closeCart();
  localStorage.clear();
});

const offer = (id: number, fields: Partial<CartOffer> = {}): CartOffer => ({
  id,
  categoryId: 7,
  title: `Offer ${id}`,
  image: { sources: [], src: '' },
  price: 1250 as AthHundredths,
  sale: { isActive: true, stockLeft: null, saleStartsAtMs: null, saleEndsAtMs: null },
  userCountMax: null,
  tierIdMin: null,
  ...fields,
});
const price = (hundredths: number): AthHundredths => hundredths as AthHundredths;
const lines = () =>
  cartOf(ADA)
    .get()
    .items.map((item) => [item.offer.id, item.count]);
const keyNow = () => confirmCart(cartOf(ADA)).key;

describe('content', () => {
  it('[S3-013] [S4-022] holds an offer with its count, and more of it where it is in already', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).add(offer(2), 1);
    cartOf(ADA).add(offer(1), 3);
    expect(lines()).toEqual([
      [1, 5],
      [2, 1],
    ]);
    expect(cartOf(ADA).get().items[0]?.offer).toEqual(offer(1));
  });

  it('never holds more than 99 of one offer', () => {
    cartOf(ADA).add(offer(1), 98);
    cartOf(ADA).add(offer(1), 98);
    cartOf(ADA).setCount(1, 1000);
    expect(lines()).toEqual([[1, 99]]);
    cartOf(ADA).setCount(1, 0);
    expect(lines()).toEqual([[1, 1]]);
  });

  it('[S4-023] takes another count for an item', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).setCount(1, 7);
    expect(lines()).toEqual([[1, 7]]);
  });

  it('[S4-024] is cleared as a whole, and nothing of it stays in storage', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).add(offer(2), 2);
    cartOf(ADA).clear();
    expect(lines()).toEqual([]);
    expect(localStorage.getItem(cartKey(ADA))).toBeNull();
  });

  it('keeps what was put in while the rest of it was bought', () => {
    cartOf(ADA).add(offer(1), 2);
    const { key } = confirmCart(cartOf(ADA));
    cartOf(ADA).add(offer(1), 1);
    cartOf(ADA).add(offer(2), 1);
    settleCart(cartOf(ADA), key, true);
    expect(lines()).toEqual([
      [1, 1],
      [2, 1],
    ]);
    // Another tab, which asked for the same.
    settleCart(cartOf(ADA), key, true);
    expect(lines()).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('comes to the sum of unit price times count, in micro-units', () => {
    cartOf(ADA).add(offer(1), 3);
    cartOf(ADA).add(offer(2, { price: price(1) }), 2);
    const { items } = cartOf(ADA).get();
    expect(cartTotal(items)).toBe(37_520_000n);
    expect(cartCount(items)).toBe(5);
  });

  it('[S4-025] says while a purchase runs', () => {
    const heard = vi.fn<() => void>();
    const cart = cartOf(ADA);
    cart.subscribe(heard);
    cart.setPurchasing(true);
    expect(cart.isPurchasing()).toBe(true);
    cart.setPurchasing(false);
    expect(cart.isPurchasing()).toBe(false);
    expect(heard).toHaveBeenCalledTimes(2);
  });
});

describe('news of the server', () => {
  it('replace what is known of an offer, and keep the price at which it was put in', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).refresh([offer(1, { price: price(1500) })], [1]);
    const [item] = cartOf(ADA).get().items;
    expect(item).toMatchObject({ count: 2, priceWhenAdded: 1250, offer: { price: 1500 } });
  });

  it('take an offer that is not among them off sale, but only if it was asked for', () => {
    cartOf(ADA).add(offer(1), 1);
    cartOf(ADA).add(offer(2), 1);
    cartOf(ADA).refresh([], [1]);
    const active = cartOf(ADA)
      .get()
      .items.map((item) => item.offer.sale.isActive);
    expect(active).toEqual([false, true]);
  });
});

describe('keeping', () => {
  it('outlives a restart, for the account that filled it', () => {
    cartOf(ADA).add(offer(1), 2);
    expect(cartOf(BO).get().items).toEqual([]);
    closeCart();
    expect(lines()).toEqual([[1, 2]]);
  });

  it('agrees between tabs', () => {
    cartOf(ADA).add(offer(1), 1);
    const other = JSON.stringify({
      items: [{ offer: offer(2), count: 4, priceWhenAdded: 1250 }],
    });
    localStorage.setItem(cartKey(ADA), other);
    dispatchEvent(new StorageEvent('storage', { key: cartKey(ADA) }));
    expect(lines()).toEqual([[2, 4]]);
  });

  it('loses nothing of another tab whose news have not come yet', () => {
    cartOf(ADA).add(offer(1), 1);
    const other = JSON.stringify({
      items: [{ offer: offer(2), count: 4, priceWhenAdded: 1250 }],
    });
    localStorage.setItem(cartKey(ADA), other);
    cartOf(ADA).add(offer(1), 1);
    expect(lines()).toEqual([
      [2, 4],
      [1, 1],
    ]);
  });

  it.each([
    ['no JSON', 'x{'],
    ['no cart', '[]'],
    ['null', 'null'],
    ['a broken line', '{"items":[{"offer":{"id":1},"count":2}]}'],
    [
      'a count out of range',
      JSON.stringify({ items: [{ offer: offer(1), count: 0, priceWhenAdded: 1 }] }),
    ],
  ])('is empty where storage holds %s', (_name, text) => {
    localStorage.setItem(cartKey(ADA), text);
    expect(lines()).toEqual([]);
  });
});

describe('key', () => {
  it('[D-038] is the same for the same content, also after a reload and however it was filled', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).add(offer(2), 1);
    const key = keyNow();
    expect(key).toMatch(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/);
    expect(keyNow()).toBe(key);
    closeCart();
    expect(keyNow()).toBe(key);
    settleCart(cartOf(ADA), key, false);
    cartOf(ADA).remove(1);
    cartOf(ADA).add(offer(1), 2);
    expect(keyNow()).toBe(key);
  });

  it('[D-038] stays, with all that it was asked for, while its outcome is not known', () => {
    cartOf(ADA).add(offer(1), 2);
    const { items, ...first } = confirmCart(cartOf(ADA));
    expect(first.isRepeat).toBe(false);
    cartOf(ADA).refresh([offer(1, { price: price(1300) })], [1]);
    cartOf(ADA).add(offer(2), 1);
    closeCart();
    expect(confirmCart(cartOf(ADA))).toMatchObject({ key: first.key, items, isRepeat: true });
    settleCart(cartOf(ADA), first.key, false);
    expect(confirmCart(cartOf(ADA))).toMatchObject({ isRepeat: false });
    expect(keyNow()).not.toBe(first.key);
  });

  it.each([
    ['count', () => cartOf(ADA).setCount(1, 3)],
    ['offer', () => cartOf(ADA).add(offer(2), 1)],
    ['price', () => cartOf(ADA).refresh([offer(1, { price: price(1300) })], [1])],
    [
      'purchase',
      () => {
        settleCart(cartOf(ADA), keyNow(), true);
        cartOf(ADA).add(offer(1), 2);
      },
    ],
  ])('[D-038] is another one for another %s', (_name, change) => {
    cartOf(ADA).add(offer(1), 2);
    const key = keyNow();
    settleCart(cartOf(ADA), key, false);
    change();
    expect(keyNow()).not.toBe(key);
  });
});
