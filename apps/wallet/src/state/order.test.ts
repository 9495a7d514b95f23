// @vitest-environment jsdom
import { parseAth, parseRate } from '@athos/domain/money';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeOrders,
  EMPTY_ORDER,
  orderKey,
  orderOf,
  quoteOf,
  quoteOfOrder,
  type Quote,
} from './order.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const OTHER = '0192bbbb-0000-7000-8000-000000000002';

function quote(amount: string, usdPerAth: string): Quote {
  const [micro, rate] = [parseAth(amount), parseRate(usdPerAth)];
  if (micro === undefined || rate === undefined) throw new Error('not a quote');
  return quoteOf(micro, rate);
}

const QUOTE = quote('59.42', '0.1683');

afterEach(() => {
  closeOrders();
  localStorage.clear();
});

describe('order', () => {
  it('[S3-022] [S3-023] defaults paymentOperation to SENT and paymentType to card', () => {
    expect(orderOf(OWNER).get()).toMatchObject({ paymentOperation: 'SENT', paymentType: 'card' });
  });

  it('[S3-022] sets paymentOperation to card for a purchase', () => {
    orderOf(OWNER).confirm(QUOTE);
    expect(orderOf(OWNER).get()).toMatchObject({ paymentOperation: 'card', paymentType: 'card' });
  });

  it('[S3-024] holds paymentAmount, usd and sendAll for the pending payment', () => {
    expect(orderOf(OWNER).get()).toMatchObject({ paymentAmount: '', usd: '', sendAll: false });
    orderOf(OWNER).confirm(QUOTE);
    expect(orderOf(OWNER).get()).toMatchObject({
      paymentAmount: '59.42',
      usd: '1000',
      sendAll: false,
    });
  });

  it('[D-038] makes the key at the first confirmation and keeps it over repeats and reloads', () => {
    expect(orderOf(OWNER).get()).not.toHaveProperty('key');
    const { key, isRepeat } = orderOf(OWNER).confirm(QUOTE);
    expect(isRepeat).toBe(false);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(orderOf(OWNER).confirm(QUOTE)).toEqual({ key, isRepeat: true });
    closeOrders();
    expect(orderOf(OWNER).confirm(QUOTE)).toEqual({ key, isRepeat: true });
  });

  it.each([
    ['amount', quote('59.43', '0.1683')],
    ['rate', quote('59.42', '0.1684')],
  ])('[D-038] changes the key, and forgets the payment, with another %s', (_name, other) => {
    const { key } = orderOf(OWNER).confirm(QUOTE);
    orderOf(OWNER).noteBegun('p-1');
    const next = orderOf(OWNER).confirm(other);
    expect(next.isRepeat).toBe(false);
    expect(next.key).not.toBe(key);
    expect(orderOf(OWNER).get()).not.toHaveProperty('paymentId');
  });

  it('keeps the payment of a repeat', () => {
    orderOf(OWNER).confirm(QUOTE);
    orderOf(OWNER).noteBegun('p-1');
    orderOf(OWNER).confirm(QUOTE);
    closeOrders();
    expect(orderOf(OWNER).get().paymentId).toBe('p-1');
  });

  it('changes the key after success, and after a payment that ended unpaid', () => {
    const { key } = orderOf(OWNER).confirm(QUOTE);
    orderOf(OWNER).renew();
    const renewed = orderOf(OWNER).confirm(QUOTE);
    expect(renewed.isRepeat).toBe(false);
    expect(renewed.key).not.toBe(key);
    orderOf(OWNER).clear();
    expect(orderOf(OWNER).get()).toEqual(EMPTY_ORDER);
    closeOrders();
    expect(orderOf(OWNER).confirm(QUOTE).key).not.toBe(renewed.key);
  });

  it('changes the key once the card was charged, and still knows the payment', () => {
    const { key } = orderOf(OWNER).confirm(QUOTE);
    orderOf(OWNER).noteBegun('p-1');
    orderOf(OWNER).noteConfirmed();
    expect(orderOf(OWNER).get()).toMatchObject({ paymentId: 'p-1', paymentAmount: '59.42' });
    const next = orderOf(OWNER).confirm(QUOTE);
    expect(next.isRepeat).toBe(false);
    expect(next.key).not.toBe(key);
  });

  it('knows after a reload that a card may have been charged, until the outcome is known', () => {
    orderOf(OWNER).confirm(QUOTE);
    orderOf(OWNER).noteBegun('p-1');
    orderOf(OWNER).noteCharging();
    closeOrders();
    expect(orderOf(OWNER).get()).toMatchObject({ paymentId: 'p-1', isCharging: true });
    orderOf(OWNER).noteNotCharged();
    closeOrders();
    expect(orderOf(OWNER).get()).not.toHaveProperty('isCharging');
  });

  it('is the same in all tabs, also before the event of another tab arrives', () => {
    orderOf(OWNER);
    const begun = { paymentAmount: '59.42', usdPerAth: '0.1683', key: 'k', paymentId: 'p-1' };
    localStorage.setItem(orderKey(OWNER), JSON.stringify(begun));
    expect(orderOf(OWNER).confirm(QUOTE)).toEqual({ key: 'k', isRepeat: true });
    localStorage.removeItem(orderKey(OWNER));
    dispatchEvent(new StorageEvent('storage', { key: orderKey(OWNER) }));
    expect(orderOf(OWNER).get()).toEqual(EMPTY_ORDER);
  });

  it('knows the previewed price after a reload', () => {
    orderOf(OWNER).confirm(QUOTE);
    closeOrders();
    expect(quoteOfOrder(orderOf(OWNER).get())).toEqual(QUOTE);
    expect(quoteOfOrder(EMPTY_ORDER)).toBeUndefined();
  });

  it('belongs to the account that buys', () => {
    orderOf(OWNER).confirm(QUOTE);
    expect(orderOf(OTHER).get()).toEqual(EMPTY_ORDER);
  });

  it.each(['', '{', 'null', '3', '{"paymentOperation":"gift","paymentAmount":5,"key":1}'])(
    'starts empty over a spoilt storage: %s',
    (text) => {
      localStorage.setItem(orderKey(OWNER), text);
      expect(orderOf(OWNER).get()).toEqual(EMPTY_ORDER);
    },
  );
});
