// @vitest-environment jsdom
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import type { Outcome } from '@athos/client/outcome';
import { microAth, type AthHundredths } from '@athos/domain/money';
import { afterEach, describe, expect, it } from 'vitest';
import { cartCount, cartTotal, type CartItem, type CartOffer } from './cart-item.ts';
import { cartPurchaseOf, closeCartPurchases, type Bought } from './cart-purchase.ts';
import { cartKey, cartOf, closeCarts } from './cart.ts';

const ADA = '0192aaaa-0000-7000-8000-000000000001';
const BO = '0192bbbb-0000-7000-8000-000000000002';

const DONE: Outcome<Bought> = { status: 'done', data: { purchaseId: 5, balance: microAth(0n) } };
const REFUSED: Outcome<Bought> = { status: 'refused', code: 'sold_out', problem: undefined };
const OFFLINE: Outcome<Bought> = { status: 'offline' };

function reload(): void {
  closeCartPurchases();
  closeCarts();
}

afterEach(() => {
  reload();
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
/** Confirms the cart with this outcome, and returns the request. */
async function buy(outcome: Outcome<Bought>): Promise<ConfirmedIntent<readonly CartItem[]>> {
  const asked: ConfirmedIntent<readonly CartItem[]>[] = [];
  await cartPurchaseOf(ADA).ask(cartOf(ADA).get().items, (intent) => {
    asked.push(intent);
    return Promise.resolve(outcome);
  });
  if (asked[0] === undefined) throw new Error('nothing was sent');
  return asked[0];
}

describe('content', () => {
  it('[S3-013] [S4-022] holds an offer with its count, and raises the count of an offer that it already contains', () => {
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

  it('[S4-023] changes the count of an item', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).setCount(1, 7);
    expect(lines()).toEqual([[1, 7]]);
  });

  it('[S4-024] is cleared completely, in storage too', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).add(offer(2), 2);
    cartOf(ADA).clear();
    expect(lines()).toEqual([]);
    expect(localStorage.getItem(cartKey(ADA))).toBeNull();
  });

  it('keeps items that were added during the purchase', async () => {
    cartOf(ADA).add(offer(1), 2);
    await buy(OFFLINE);
    cartOf(ADA).add(offer(1), 1);
    cartOf(ADA).add(offer(2), 1);
    await buy(DONE);
    expect(lines()).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('removes nothing twice if another tab received the outcome of the same purchase first', async () => {
    cartOf(ADA).add(offer(1), 2);
    await buy(OFFLINE);
    const bought = cartPurchaseOf(ADA).ask(cartOf(ADA).get().items, () => {
      const items = [{ offer: offer(1), count: 1, priceWhenAdded: 1250 }];
      localStorage.setItem(cartKey(ADA), JSON.stringify({ items }));
      return Promise.resolve(DONE);
    });
    await bought;
    dispatchEvent(new StorageEvent('storage', { key: cartKey(ADA) }));
    expect(lines()).toEqual([[1, 1]]);
  });

  it('totals unit price times count, in micro-units', () => {
    cartOf(ADA).add(offer(1), 3);
    cartOf(ADA).add(offer(2, { price: price(1) }), 2);
    const { items } = cartOf(ADA).get();
    expect(cartTotal(items)).toBe(37_520_000n);
    expect(cartCount(items)).toBe(5);
  });

  it('[S4-025] reports a running purchase', async () => {
    cartOf(ADA).add(offer(1), 2);
    const purchase = cartPurchaseOf(ADA);
    const statuses: string[] = [];
    purchase.subscribe(() => statuses.push(purchase.get().status));
    const bought = buy(DONE);
    expect(purchase.get().status).toBe('asking');
    await bought;
    expect(purchase.get().status).toBe('done');
    expect(new Set(statuses)).toEqual(new Set(['asking', 'done']));
  });
});

describe('updates from the server', () => {
  it('replace an offer, and keep the price at which it was added', () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).refresh([offer(1, { price: price(1500) })], [1]);
    const [item] = cartOf(ADA).get().items;
    expect(item).toMatchObject({ count: 2, priceWhenAdded: 1250, offer: { price: 1500 } });
  });

  it('take a missing offer off sale, but only if it was requested', () => {
    cartOf(ADA).add(offer(1), 1);
    cartOf(ADA).add(offer(2), 1);
    cartOf(ADA).refresh([], [1]);
    const active = cartOf(ADA)
      .get()
      .items.map((item) => item.offer.sale.isActive);
    expect(active).toEqual([false, true]);
  });
});

describe('storage', () => {
  it('survives a restart, for the account that filled the cart', () => {
    cartOf(ADA).add(offer(1), 2);
    expect(cartOf(BO).get().items).toEqual([]);
    reload();
    expect(lines()).toEqual([[1, 2]]);
  });

  it('is shared between tabs', () => {
    cartOf(ADA).add(offer(1), 1);
    const other = JSON.stringify({
      items: [{ offer: offer(2), count: 4, priceWhenAdded: 1250 }],
    });
    localStorage.setItem(cartKey(ADA), other);
    dispatchEvent(new StorageEvent('storage', { key: cartKey(ADA) }));
    expect(lines()).toEqual([[2, 4]]);
  });

  it('loses no change of another tab whose storage event has not arrived yet', () => {
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
  ])('yields an empty cart if it holds %s', (_name, text) => {
    localStorage.setItem(cartKey(ADA), text);
    expect(lines()).toEqual([]);
  });
});

describe('key', () => {
  it('[D-038] is the same for the same content, even after a reload and regardless of the order of adding', async () => {
    cartOf(ADA).add(offer(1), 2);
    cartOf(ADA).add(offer(2), 1);
    const { key } = await buy(OFFLINE);
    expect(key).toMatch(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/);
    expect((await buy(OFFLINE)).key).toBe(key);
    reload();
    expect((await buy(REFUSED)).key).toBe(key);
    cartOf(ADA).remove(1);
    cartOf(ADA).add(offer(1), 2);
    expect(await buy(OFFLINE)).toMatchObject({ key, isRepeat: false });
  });

  it('[D-038] stays, with the whole request, while the outcome is unknown', async () => {
    cartOf(ADA).add(offer(1), 2);
    const { content, key, isRepeat } = await buy(OFFLINE);
    expect(isRepeat).toBe(false);
    cartOf(ADA).refresh([offer(1, { price: price(1300) })], [1]);
    cartOf(ADA).add(offer(2), 1);
    reload();
    expect(await buy(REFUSED)).toEqual({ key, content, isRepeat: true });
    const next = await buy(OFFLINE);
    expect(next.isRepeat).toBe(false);
    expect(next.key).not.toBe(key);
  });

  it.each([
    ['count', () => cartOf(ADA).setCount(1, 3)],
    ['offer', () => cartOf(ADA).add(offer(2), 1)],
    ['price', () => cartOf(ADA).refresh([offer(1, { price: price(1300) })], [1])],
  ])('[D-038] changes with another %s', async (_name, change) => {
    cartOf(ADA).add(offer(1), 2);
    const { key } = await buy(REFUSED);
    change();
    expect((await buy(OFFLINE)).key).not.toBe(key);
  });

  it('[D-038] changes for another purchase', async () => {
    cartOf(ADA).add(offer(1), 2);
    const { key } = await buy(DONE);
    cartOf(ADA).add(offer(1), 2);
    expect((await buy(OFFLINE)).key).not.toBe(key);
  });
});
