// @vitest-environment jsdom
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOffers, wireOffer, type WireOffer } from '@athos/testing/samples/catalogue';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import {
  closeApp,
  currentAddress,
  currentQuery,
  endTest,
  openAt,
  passLoading,
} from '../../../test/signed-in.tsx';
import { readOffer } from '../../api/offer.ts';
import { client } from '../../api/http.ts';
import { cartPurchaseOf } from '../../state/cart-purchase.ts';
import { cartOf } from '../../state/cart.ts';
import { buyCart } from './buy-cart.ts';

const DIALOG_ENDS_MS = 1000;
/** How long after a lost connection the client retries the call. */
const ASK_AGAIN_MS = 1000;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(endTest);

type Filled = readonly [offer: WireOffer, count: number];

/** Fills the cart with offers, which are unchanged on the server, and opens it. */
async function open(...filled: readonly Filled[]): Promise<UserEvent> {
  answerOffers(backend, ...filled.map(([offer]) => offer));
  for (const [offer, count] of filled) cartOf(FAKE_UUID).add(readOffer(offer), count);
  return openAt('/app/cart');
}
function haveBalance(ATH: string): void {
  backend.answer('balance', () => ({ balance: ATH, balances: { ATH, ATH2: '0', ATH3: '0' } }));
}
const items = () => cartOf(FAKE_UUID).get().items;
const lines = () =>
  within(screen.getByRole('list', { name: 'Items in your cart' })).getAllByRole('listitem');
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const dialog = () => screen.getByRole('dialog', { name: 'Remove this item from the cart?' });
const keys = () =>
  backend.calls('purchase').map(({ headers }) => headers.get('idempotency-key') ?? '');
const bought = () => screen.getByRole('dialog', { name: / yours$/ });
/** The value beside a label. */
const valueOf = (label: string) => screen.queryByText(label)?.nextElementSibling?.textContent;
const total = () => screen.queryByText('Total')?.nextElementSibling?.textContent;

async function buy(user: UserEvent): Promise<void> {
  await user.click(button('Buy'));
  await pass();
}

describe('cart', () => {
  it("[S2-060] [S2-061] is titled 'Your Cart' and leads back to /app", async () => {
    const user = await open([wireOffer(1), 2]);
    expect(screen.getByRole('heading', { level: 1, name: 'Your Cart' })).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S2-105] [S2-107] [S2-106] says that it is empty, without total or Buy, and offers the next step', async () => {
    const user = await open();
    expect(screen.getByText('Your cart is empty...')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Buy' })).toBeNull();
    expect(total()).toBeUndefined();
    await user.click(screen.getByRole('link', { name: 'Start Shopping' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S2-100] [S2-101] [S2-102] [S2-103] [D-012] shows image, markdown title, quantity, unit price, subtotal and Remove on each line', async () => {
    await open([wireOffer(1, { title: '**Vinyl** night' }), 3], [wireOffer(2), 1]);
    expect(lines()).toHaveLength(2);
    const [first] = lines();
    const line = within(first as HTMLElement);
    expect(first?.querySelector('img')?.getAttribute('src')).toBe('/art/1.svg');
    expect(line.getByText('Vinyl').tagName).toBe('STRONG');
    expect(line.getByRole<HTMLInputElement>('textbox', { name: 'Quantity' }).value).toBe('3');
    expect(line.getByText('@ 12.50 ATH each')).toBeDefined();
    expect(line.getByText('37.50 ATH')).toBeDefined();
    expect(line.getByRole('button', { name: 'Remove Vinyl night' }).textContent).toBe('Remove');
  });

  it("[S2-104] opens the offer's page on a click on its line", async () => {
    const user = await open([wireOffer(1), 1]);
    await user.click(within(lines()[0] as HTMLElement).getByRole('link', { name: 'Offer 1' }));
    expect(currentAddress()).toBe('/app/marketplace/categories/7/offers/1');
  });

  it("[S2-106] shows the total with unit 'Ath' and its USD", async () => {
    await open([wireOffer(1), 3], [wireOffer(2, { amount_cents: 100 }), 1]);
    expect(total()).toBe('38.50 Ath~$6.48');
  });

  it('[S2-106] shows no total unless it is positive', async () => {
    await open([wireOffer(1, { amount_cents: 0 }), 2]);
    expect(total()).toBeUndefined();
    expect(button('Buy').disabled).toBe(false);
  });

  it('[S4-023] [S5-020] [S5-021] accepts another quantity from 1 to 99', async () => {
    const user = await open([wireOffer(1, { amount_cents: 1 }), 98]);
    await user.click(button('Increase quantity'));
    expect(items()[0]?.count).toBe(99);
    expect(button('Increase quantity').disabled).toBe(true);
    cartOf(FAKE_UUID).setCount(1, 2);
    await pass();
    await user.click(button('Decrease quantity'));
    expect(items()[0]?.count).toBe(1);
    expect(button('Decrease quantity').disabled).toBe(true);
  });

  it.each([
    [99_999, 'text-price-17'],
    [100_000, 'text-price-16'],
    [999_999, 'text-price-16'],
    [1_000_000, 'text-price-15'],
    [9_999_999, 'text-price-15'],
    [10_000_000, 'text-price-13'],
  ])('[S9-017] shows a price of %i ATH in %s', async (ath, className) => {
    await open([wireOffer(1, { amount_cents: ath * 100 }), 1]);
    expect(screen.getByText(`${ath.toLocaleString('en-US')}.00 ATH`).classList).toContain(
      className,
    );
  });
});

describe('removal', () => {
  it("[S2-108] asks 'Remove this item from the cart?' and keeps the item on Cancel", async () => {
    const user = await open([wireOffer(1), 1]);
    await user.click(button('Remove Offer 1'));
    await passLoading();
    const names = within(dialog())
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['Cancel', 'Remove']);
    expect(items()).toHaveLength(1);
    await user.click(button('Cancel'));
    await pass(DIALOG_ENDS_MS);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(items()).toHaveLength(1);
  });

  it("[S2-108] [S8-012] removes the item and says 'Item was removed from the cart!' for 3 s", async () => {
    const user = await open([wireOffer(1), 1], [wireOffer(2), 1]);
    await user.click(button('Remove Offer 1'));
    await passLoading();
    await user.click(button('Remove'));
    expect(items().map(({ offer }) => offer.id)).toEqual([2]);
    await pass(2999);
    const toast = screen.getByText('Item was removed from the cart!');
    expect(toast.parentElement?.textContent).toBe('Note: Item was removed from the cart!');
    await pass(1);
    expect(screen.queryByText('Item was removed from the cart!')).toBeNull();
  });

  it('of the last item shows the empty state', async () => {
    const user = await open([wireOffer(1), 1]);
    await user.click(button('Remove Offer 1'));
    await passLoading();
    await user.click(button('Remove'));
    await pass(DIALOG_ENDS_MS);
    expect(screen.getByText('Your cart is empty...')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a change since an offer was added', () => {
  it('is fetched on entry, and a new price is shown next to the old one', async () => {
    await open([wireOffer(1), 2], [wireOffer(2), 1]);
    closeApp();
    answerOffers(backend, wireOffer(1, { amount_cents: 1500 }), wireOffer(2));
    await openAt('/app/cart');
    expect(backend.calls('offers').at(-1)?.query.get('ids')).toBe('1,2');
    const [first, second] = lines();
    expect(first?.textContent).toContain('The price was 12.50 ATH when you put it in.');
    expect(first?.textContent).toContain('@ 15.00 ATH each');
    expect(first?.textContent).toContain('30.00 ATH');
    expect(second?.textContent).not.toContain('when you put it in');
    expect(total()).toContain('42.50 Ath');
  });

  it.each<[string, readonly WireOffer[], string]>([
    ['gone', [], 'No longer available. Remove it to go on.'],
    ['withdrawn', [wireOffer(1, { active: false })], 'No longer available. Remove it to go on.'],
    ['sold out', [wireOffer(1, { stock_left: 0 })], 'Sold out. Remove it to go on.'],
    ['scarce', [wireOffer(1, { stock_left: 1 })], 'Only 1 left. Choose fewer to go on.'],
    [
      'over',
      [wireOffer(1, { sale_ends_at: '2026-11-21T11:00:00.000Z' })],
      'The sale is over. Remove it to go on.',
    ],
    [
      'limited',
      [wireOffer(1, { user_count_max: 1 })],
      'At most 1 per person. Choose fewer to go on.',
    ],
  ])('is shown for an offer that is %s, and blocks buying', async (_name, offers, text) => {
    cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 2);
    answerOffers(backend, ...offers);
    await openAt('/app/cart');
    expect(screen.getByText(text)).toBeDefined();
    expect(button('Buy').disabled).toBe(true);
    expect(screen.getByText('Something in your cart cannot be bought as it is.')).toBeDefined();
  });

  it('is left for the server to check, with a notice, if it cannot be fetched', async () => {
    cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 2);
    backend.answer('offers', () => problem('forbidden'));
    await openAt('/app/cart');
    expect(
      screen.getByText(/^Prices and availability could not be checked just now/),
    ).toBeDefined();
    expect(button('Buy').disabled).toBe(false);
  });
});

describe('Buy', () => {
  it('[S5-023] is disabled when the total exceeds the raw balance, with the reason', async () => {
    haveBalance('24999999');
    await open([wireOffer(1), 2]);
    expect(button('Buy').disabled).toBe(true);
    expect(
      screen.getByText('Your balance of 24.999999 ATH does not cover this cart.'),
    ).toBeDefined();
  });

  it('[S5-023] is enabled for exactly the balance', async () => {
    haveBalance('25000000');
    await open([wireOffer(1), 2]);
    expect(button('Buy').disabled).toBe(false);
  });

  it('is disabled until the balance is known', async () => {
    backend.answer('balance', silence);
    await open([wireOffer(1), 2]);
    expect(button('Buy').disabled).toBe(true);
  });
});

describe('the balance beside Buy', () => {
  it('is shown before and after the purchase', async () => {
    haveBalance('100000000');
    const user = await open([wireOffer(1), 2]);
    expect(valueOf('Balance')).toBe('100.00 ATH');
    expect(valueOf('Balance after')).toBe('75.00 ATH');
    await user.click(button('Increase quantity'));
    expect(valueOf('Balance after')).toBe('62.50 ATH');
    expect(screen.queryByRole('link', { name: /^Buy / })).toBeNull();
  });

  it('that is too low leads to buying what is missing, and back', async () => {
    haveBalance('24500000');
    const user = await open([wireOffer(1), 10]);
    expect(valueOf('Balance after')).toBeUndefined();
    expect(valueOf('Missing')).toBe('100.50 ATH');
    await user.click(screen.getByRole('link', { name: 'Buy 100.50 ATH' }));
    expect(currentAddress()).toBe('/app/buy');
    expect(currentQuery()).toBe('?amount=100.5&back=%2Fapp%2Fcart');
    expect(screen.getByLabelText<HTMLInputElement>('Amount to buy').value).toBe('100.5');
  });

  it.each([
    ['least', '24500000', 2, 'Buy 59.42 ATH', 'One purchase is at least 59.42 ATH.'],
    ['most', '0', 99, 'Buy 564,468.21 ATH', 'One purchase buys at most 564,468.21 ATH.'],
  ])('names the %s that one purchase allows', async (_name, balance, count, link, text) => {
    haveBalance(balance);
    await open([wireOffer(1, { amount_cents: count === 2 ? 1250 : 1_000_000 }), count]);
    expect(screen.getByRole('link', { name: link })).toBeDefined();
    expect(screen.getByText(text)).toBeDefined();
  });

  it('sells no ATH for a cart that could not be bought with them either', async () => {
    haveBalance('0');
    await open([wireOffer(1, { stock_left: 0 }), 1]);
    expect(screen.queryByRole('link', { name: /^Buy / })).toBeNull();
  });
});

describe('after buying', () => {
  const buyTwo = async () => {
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '75000000' }));
    const user = await open(
      [wireOffer(1, { title: '**Vinyl** night' }), 2],
      [wireOffer(2, { amount_cents: 100 }), 1],
    );
    await buy(user);
    await passLoading();
    return user;
  };

  it('shows what was bought, the new balance and the way to the QR code', async () => {
    const user = await buyTwo();
    const dialog = within(bought());
    expect(screen.getByRole('dialog', { name: '3 items are yours' })).toBeDefined();
    const rows = within(dialog.getByRole('list', { name: 'What you bought' })).getAllByRole(
      'listitem',
    );
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '2 × Vinyl night25.00 ATH',
      '1 × Offer 21.00 ATH',
    ]);
    expect(valueOf('Paid')).toBe('26.00 ATH');
    expect(valueOf('New balance')).toBe('75.00 ATH');
    await user.click(dialog.getByRole('link', { name: 'Show QR code' }));
    expect(currentAddress()).toBe('/app/my-purchases/5/redeem');
    // A toast would cover the code.
    expect(screen.queryByText('Purchase was successful!')).toBeNull();
    expect(cartPurchaseOf(FAKE_UUID).get().status).toBe('idle');
  });

  it('ends with Done, over the empty cart', async () => {
    const user = await buyTwo();
    await user.click(button('Done'));
    await pass(DIALOG_ENDS_MS);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByText('Your cart is empty...')).toBeDefined();
  });

  it('is told on the next visit if the screen was left before the answer', async () => {
    const answer = Promise.withResolvers<undefined>();
    backend.answer('purchase', async () => {
      await answer.promise;
      return { purchase_id: 5, items: [], balance: '0' };
    });
    const user = await open([wireOffer(1), 1]);
    await buy(user);
    await user.click(screen.getByRole('link', { name: 'Back', hidden: true }));
    answer.resolve(undefined);
    await pass();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(cartPurchaseOf(FAKE_UUID).get().status).toBe('done');
  });
});

describe('purchase', () => {
  it('[S3-014] [S7-023] [S1-016] sends offers and counts in matching order, at the prices shown', async () => {
    const user = await open([wireOffer(5, { amount_cents: 300 }), 1], [wireOffer(2), 4]);
    await buy(user);
    expect(backend.calls('purchase').map(({ body }) => body)).toEqual([
      { offer_ids: [2, 5], offer_counts: [4, 1], offer_amounts: [1250, 300] },
    ]);
  });

  it('[S2-109] [S4-025] shows an overlay while purchasing, and sends only one request', async () => {
    let answer = (): void => undefined;
    backend.answer('purchase', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { purchase_id: 5, items: [], balance: '0' };
    });
    const user = await open([wireOffer(1), 1]);
    await buy(user);
    expect(screen.getByText('Purchasing')).toBeDefined();
    expect(cartPurchaseOf(FAKE_UUID).get().status).toBe('asking');
    const main = screen.getByRole('main', { hidden: true });
    expect(main.parentElement?.hasAttribute('inert')).toBe(true);
    expect(items()).toHaveLength(1);
    answer();
    await pass();
    expect(screen.queryByText('Purchasing')).toBeNull();
    expect(cartPurchaseOf(FAKE_UUID).get().status).toBe('done');
    expect(backend.calls('purchase')).toHaveLength(1);
  });

  it('returns the focus: to Buy after a failure, to the screen when the cart is empty', async () => {
    backend.answer('purchase', () => problem('insufficient_balance'));
    const user = await open([wireOffer(1), 1]);
    await buy(user);
    expect(document.activeElement).toBe(button('Buy'));
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
    await buy(user);
    await passLoading();
    await pass(DIALOG_ENDS_MS);
    expect(bought().contains(document.activeElement)).toBe(true);
    await user.click(button('Done'));
    await pass(DIALOG_ENDS_MS);
    expect(screen.getByRole('main').contains(document.activeElement)).toBe(true);
  });

  it("[S4-026] [S4-028] clears the cart and says 'Purchase was successful!' for 3 s", async () => {
    const user = await open([wireOffer(1), 1]);
    await buy(user);
    expect(items()).toEqual([]);
    expect(screen.getByText('Your cart is empty...')).toBeDefined();
    await pass(2999);
    expect(screen.getByText('Purchase was successful!')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Purchase was successful!')).toBeNull();
  });

  it('[S4-027] fetches the balance again on success', async () => {
    const user = await open([wireOffer(1), 1]);
    const before = backend.calls('balance').length;
    await buy(user);
    expect(backend.calls('balance')).toHaveLength(before + 1);
  });

  it('clears the cart after its screen was left', async () => {
    let answer = (): void => undefined;
    backend.answer('purchase', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { purchase_id: 5, items: [], balance: '0' };
    });
    const user = await open([wireOffer(1), 1]);
    await buy(user);
    await user.click(screen.getByRole('link', { name: 'Back', hidden: true }));
    answer();
    await pass();
    expect(items()).toEqual([]);
    expect(screen.getByText('Purchase was successful!')).toBeDefined();
  });
});

describe('failed purchase', () => {
  it('shows what is sold out even if the response to the fetch on entry arrives later', async () => {
    const before = wireOffer(1, { stock_left: 2 });
    cartOf(FAKE_UUID).add(readOffer(before), 2);
    let answerEntry = (): void => undefined;
    backend.answer('offers', async () => {
      if (backend.calls('offers').length > 1) return { offers: [wireOffer(1, { stock_left: 0 })] };
      await new Promise<void>((resolve) => (answerEntry = resolve));
      return { offers: [before] };
    });
    const user = await openAt('/app/cart');
    backend.answer('purchase', () => problem('sold_out'));
    await buy(user);
    answerEntry();
    await pass();
    expect(screen.getByText('Sold out. Remove it to go on.')).toBeDefined();
  });

  it.each([
    ['price_changed', 'A price has changed. Nothing was bought: check the new total.'],
    ['sold_out', 'Something in your cart is sold out. Nothing was bought.'],
    ['offer_unavailable', 'Something in your cart is no longer on sale. Nothing was bought.'],
    [
      'offer_limit_reached',
      'You have reached the limit per person of something in your cart. Nothing was bought.',
    ],
    ['tier_too_low', 'Something in your cart is for a higher tier. Nothing was bought.'],
    ['insufficient_balance', 'Not enough ATH. Nothing was bought.'],
    ['account_restricted', 'Your account is restricted at the moment. Nothing was bought.'],
    [
      'stopped',
      'Purchases are stopped for everybody at the moment: The programme has stopped this for the moment. Nothing was bought.',
    ],
    ['invalid_request', 'Something went wrong. Nothing was bought: please try again.'],
  ] as const)(
    '[S4-029] [S8-032] for %s keeps the cart, logs it, says the reason and returns the failure',
    async (code, text) => {
      backend.answer('purchase', () => problem(code));
      const user = await open([wireOffer(1), 2]);
      await buy(user);
      expect(items().map(({ offer, count }) => [offer.id, count])).toEqual([[1, 2]]);
      expect(screen.getByText(text).parentElement?.textContent).toBe(`Problem: ${text}`);
      expect(console.warn).toHaveBeenCalledWith(
        'call_failed',
        expect.objectContaining({ name: 'purchase', code }),
      );
      expect(button('Buy').disabled).toBe(false);
      // The call rethrows it, and the action returns it.
      const call = { body: { offer_ids: [1], offer_counts: [2] }, key: newIdempotencyKey() };
      await expect(client.call('purchase', call)).rejects.toMatchObject({ code });
      expect(await buyCart(FAKE_UUID)).toMatchObject({ status: 'refused', code });
      expect(items()).toHaveLength(1);
    },
  );

  it('shows the server’s current price', async () => {
    backend.answer('purchase', () => problem('price_changed'));
    const user = await open([wireOffer(1), 2]);
    answerOffers(backend, wireOffer(1, { amount_cents: 1500 }));
    await buy(user);
    expect(screen.getByText('The price was 12.50 ATH when you put it in.')).toBeDefined();
    expect(total()).toContain('30.00 Ath');
  });

  it('says so if it could not be confirmed, and links to the purchases', async () => {
    backend.answer('purchase', networkFailure);
    const user = await open([wireOffer(1), 2]);
    await buy(user);
    await pass(ASK_AGAIN_MS);
    expect(screen.getByText('The purchase could not be confirmed.')).toBeDefined();
    expect(
      screen.getByText('We could not confirm the purchase. Try again: it is never bought twice.'),
    ).toBeDefined();
    const link = screen.getByRole('link', { name: 'My Purchases' });
    expect(link.getAttribute('href')).toBe('/app/my-purchases');
  });
});

describe('key', () => {
  it('[D-038] [D-182] is the same for both attempts, for a retry and after a reload', async () => {
    backend.answer('purchase', networkFailure);
    const user = await open([wireOffer(1), 2]);
    await buy(user);
    await pass(ASK_AGAIN_MS);
    expect(keys()).toHaveLength(2);
    closeApp();
    sessionStorage.clear();
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
    const again = await openAt('/app/cart');
    await buy(again);
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(items()).toEqual([]);
  });

  /** Buys two of offer 1, gets no response, and opens the cart again. The server then has `now` as the offer. */
  async function reopenUnsettled(now: WireOffer): Promise<UserEvent> {
    backend.answer('purchase', networkFailure);
    await buy(await open([wireOffer(1), 2]));
    await pass(ASK_AGAIN_MS);
    closeApp();
    answerOffers(backend, now);
    return openAt('/app/cart');
  }
  const bodies = () => backend.calls('purchase').map(({ body }) => body);
  const asked = { offer_ids: [1], offer_counts: [2], offer_amounts: [1250] };

  it('[D-038] stays the same, with the whole request, if a price changes while the outcome is unknown', async () => {
    const user = await reopenUnsettled(wireOffer(1, { amount_cents: 1500 }));
    expect(screen.getByRole('alert').textContent).toContain(
      'It was for 2 item(s), 25.00 ATH in all.',
    );
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
    await buy(user);
    expect(bodies()).toEqual([asked, asked, asked]);
    expect(new Set(keys()).size).toBe(1);
    expect(items()).toEqual([]);
    expect(screen.getByText('Purchase was successful!')).toBeDefined();
  });

  it('[D-038] changes only after the server has refused the request', async () => {
    const user = await reopenUnsettled(wireOffer(1, { amount_cents: 1500 }));
    backend.answer('purchase', () => problem('price_changed'));
    await buy(user);
    expect(bodies()[2]).toEqual(asked);
    expect(screen.getByText(/^A price has changed. Nothing was bought/)).toBeDefined();
    expect(screen.queryByText(/^We could not confirm/)).toBeNull();
    await buy(user);
    expect(bodies()[3]).toEqual({ ...asked, offer_amounts: [1500] });
    expect(keys()[2]).toBe(keys()[0]);
    expect(keys()[3]).not.toBe(keys()[0]);
  });

  it.each(['too_many_requests', 'overloaded', 'unauthenticated'] as const)(
    'is kept when the repeat is turned away with %s',
    async (code) => {
      await buy(await reopenUnsettled(wireOffer(1)));
      closeApp();
      backend.answer('purchase', () => problem(code));
      await buy(await openAt('/app/cart'));
      expect(cartOf(FAKE_UUID).get().intent).toMatchObject({ key: keys()[0], isAsked: true });
    },
  );

  it('allows a retry although the offer is sold out, and locks the lines until then', async () => {
    await reopenUnsettled(wireOffer(1, { stock_left: 0 }));
    closeApp();
    haveBalance('0');
    await openAt('/app/cart');
    expect(button('Buy').disabled).toBe(false);
    expect(screen.queryByText('Sold out. Remove it to go on.')).toBeNull();
    for (const name of ['Remove Offer 1', 'Increase quantity', 'Decrease quantity']) {
      expect(button(name).matches(':disabled')).toBe(true);
    }
  });

  it('keeps items in the cart that were added after the purchase', async () => {
    const user = await reopenUnsettled(wireOffer(1));
    cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 1);
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
    await buy(user);
    expect(bodies().at(-1)).toEqual(asked);
    expect(items().map(({ offer, count }) => [offer.id, count])).toEqual([[1, 1]]);
  });

  it('[D-038] changes for different content', async () => {
    backend.answer('purchase', () => problem('insufficient_balance'));
    const user = await open([wireOffer(1), 2]);
    await buy(user);
    await user.click(button('Increase quantity'));
    await buy(user);
    expect(new Set(keys()).size).toBe(2);
  });
});
