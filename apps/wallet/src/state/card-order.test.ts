// @vitest-environment jsdom
import { parseAth, parseRate } from '@athos/domain/money';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeCardOrders,
  NO_ORDER,
  cardOrderKey,
  cardOrderOf,
  quoteOf,
  quoteOfOrder,
  type Quote,
} from './card-order.ts';
import { closeSendDrafts, sendDraftOf } from './send-draft.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const OTHER = '0192bbbb-0000-7000-8000-000000000002';

function quote(amount: string, usdPerAth: string): Quote {
  const [micro, rate] = [parseAth(amount), parseRate(usdPerAth)];
  if (micro === undefined || rate === undefined) throw new Error('not a quote');
  return quoteOf(micro, rate);
}

const QUOTE = quote('59.42', '0.1683');

afterEach(() => {
  closeCardOrders();
  closeSendDrafts();
  sessionStorage.clear();
  localStorage.clear();
});

describe('order', () => {
  it('[S3-024] keeps the amount, and the rate that determines the price, over a reload', () => {
    expect(cardOrderOf(OWNER).get()).toEqual(NO_ORDER);
    cardOrderOf(OWNER).confirm(QUOTE);
    closeCardOrders();
    expect(cardOrderOf(OWNER).get()).toMatchObject({ paymentAmount: '59.42', usdPerAth: '0.1683' });
    expect(quoteOfOrder(cardOrderOf(OWNER).get())?.priceUsdCents).toBe(1000n);
  });

  it('is separate from the draft of a send', () => {
    sendDraftOf(OWNER).change({ paymentAmount: '12.5' });
    expect(cardOrderOf(OWNER).get()).toEqual(NO_ORDER);
    cardOrderOf(OWNER).confirm(QUOTE);
    expect(sendDraftOf(OWNER).get().paymentAmount).toBe('12.5');
    expect(cardOrderOf(OWNER).get().paymentAmount).toBe('59.42');
  });

  it('[D-038] creates the key at the first confirmation and keeps it over retries and reloads', () => {
    expect(cardOrderOf(OWNER).get()).not.toHaveProperty('key');
    const { key, isRepeat } = cardOrderOf(OWNER).confirm(QUOTE);
    expect(isRepeat).toBe(false);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const repeat = { key, content: QUOTE, isRepeat: true };
    expect(cardOrderOf(OWNER).confirm(QUOTE)).toEqual(repeat);
    closeCardOrders();
    expect(cardOrderOf(OWNER).confirm(QUOTE)).toEqual(repeat);
  });

  it.each([
    ['amount', quote('59.43', '0.1683')],
    ['rate', quote('59.42', '0.1684')],
  ])('[D-038] changes the key and forgets the payment after a change of %s', (_name, other) => {
    const { key } = cardOrderOf(OWNER).confirm(QUOTE);
    cardOrderOf(OWNER).noteBegun('p-1');
    const next = cardOrderOf(OWNER).confirm(other);
    expect(next.isRepeat).toBe(false);
    expect(next.key).not.toBe(key);
    expect(cardOrderOf(OWNER).get()).not.toHaveProperty('paymentId');
  });

  it('keeps the payment on a retry', () => {
    cardOrderOf(OWNER).confirm(QUOTE);
    cardOrderOf(OWNER).noteBegun('p-1');
    cardOrderOf(OWNER).confirm(QUOTE);
    closeCardOrders();
    expect(cardOrderOf(OWNER).get().paymentId).toBe('p-1');
  });

  it('changes the key after success, and after a payment that ended unpaid', () => {
    const { key } = cardOrderOf(OWNER).confirm(QUOTE);
    cardOrderOf(OWNER).renew();
    const renewed = cardOrderOf(OWNER).confirm(QUOTE);
    expect(renewed.isRepeat).toBe(false);
    expect(renewed.key).not.toBe(key);
    cardOrderOf(OWNER).clear();
    expect(cardOrderOf(OWNER).get()).toEqual(NO_ORDER);
    closeCardOrders();
    expect(cardOrderOf(OWNER).confirm(QUOTE).key).not.toBe(renewed.key);
  });

  it('changes the key once the card was charged, and keeps the payment', () => {
    const { key } = cardOrderOf(OWNER).confirm(QUOTE);
    cardOrderOf(OWNER).noteBegun('p-1');
    cardOrderOf(OWNER).noteConfirmed();
    expect(cardOrderOf(OWNER).get()).toMatchObject({ paymentId: 'p-1', paymentAmount: '59.42' });
    const next = cardOrderOf(OWNER).confirm(QUOTE);
    expect(next.isRepeat).toBe(false);
    expect(next.key).not.toBe(key);
  });

  it('remembers over a reload that a card may have been charged, until the outcome is known', () => {
    cardOrderOf(OWNER).confirm(QUOTE);
    cardOrderOf(OWNER).noteBegun('p-1');
    cardOrderOf(OWNER).noteCharging();
    closeCardOrders();
    expect(cardOrderOf(OWNER).get()).toMatchObject({ paymentId: 'p-1', isCharging: true });
    cardOrderOf(OWNER).noteNotCharged();
    closeCardOrders();
    expect(cardOrderOf(OWNER).get()).not.toHaveProperty('isCharging');
  });

  it('agrees between tabs, even before the storage event arrives', () => {
    cardOrderOf(OWNER);
    const begun = { paymentAmount: '59.42', usdPerAth: '0.1683', key: 'k', paymentId: 'p-1' };
    localStorage.setItem(cardOrderKey(OWNER), JSON.stringify(begun));
    expect(cardOrderOf(OWNER).confirm(QUOTE)).toMatchObject({ key: 'k', isRepeat: true });
    localStorage.removeItem(cardOrderKey(OWNER));
    dispatchEvent(new StorageEvent('storage', { key: cardOrderKey(OWNER) }));
    expect(cardOrderOf(OWNER).get()).toEqual(NO_ORDER);
  });

  it('remembers over a reload the price of the preview', () => {
    cardOrderOf(OWNER).confirm(QUOTE);
    closeCardOrders();
    expect(quoteOfOrder(cardOrderOf(OWNER).get())).toEqual(QUOTE);
    expect(quoteOfOrder(NO_ORDER)).toBeUndefined();
  });

  it('belongs to the buying account', () => {
    cardOrderOf(OWNER).confirm(QUOTE);
    expect(cardOrderOf(OTHER).get()).toEqual(NO_ORDER);
  });

  it.each(['', '{', 'null', '3', '{"paymentOperation":"gift","paymentAmount":5,"key":1}'])(
    'starts empty over a spoilt storage: %s',
    (text) => {
      localStorage.setItem(cardOrderKey(OWNER), text);
      expect(cardOrderOf(OWNER).get()).toEqual(NO_ORDER);
    },
  );
});
