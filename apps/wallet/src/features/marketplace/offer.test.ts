// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOffers, wireOffer, type WireOffer } from '@athos/testing/samples/catalogue';
import { problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { cartCount } from '../../state/cart-item.ts';
import { cartOf } from '../../state/cart.ts';

const OFFER = '/app/marketplace/categories/7/offers/1';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(endTest);

const open = (fields: Partial<WireOffer> = {}) => {
  answerOffers(backend, wireOffer(1, fields));
  return openAt(OFFER);
};
function haveBalance(ATH: string): void {
  backend.answer('balance', () => ({ balance: ATH, balances: { ATH, ATH2: '0', ATH3: '0' } }));
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const quantity = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Quantity' });
/** The value beside a label. */
const valueOf = (label: string) => screen.queryByText(label)?.nextElementSibling?.textContent;
const items = () => cartOf(FAKE_UUID).get().items;

describe('offer', () => {
  it('[S2-057] shows its title and its image', async () => {
    await open({ title: '**Vinyl** night' });
    const title = screen.getByRole('heading', { level: 1, name: 'Vinyl night' });
    expect(title.querySelector('strong')?.textContent).toBe('Vinyl');
    expect(screen.getByRole('img', { name: 'Vinyl night' }).getAttribute('src')).toBe('/art/1.svg');
    expect(document.title).toContain('Vinyl night');
  });

  it('[S2-058] shows its note as markdown', async () => {
    await open({ note: 'Doors at *eight*.\n\n- one drink\n- one record' });
    expect(screen.getByText('eight').tagName).toBe('EM');
    expect(screen.getByText('one record').closest('ul')).not.toBeNull();
  });

  it("[S2-056] leads back to the offer's own category", async () => {
    await open({ category_id: 12 });
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe(
      '/app/marketplace/categories/12',
    );
  });

  it('[S2-059] shows that it is loading', async () => {
    backend.answer('offers', silence);
    await openAt(OFFER);
    expect(screen.getByRole('status', { name: 'Loading the offer' })).toBeDefined();
    expect(backend.calls('category')).toEqual([]);
  });

  it('shows the category’s data at once, and the current price when it arrives', async () => {
    answerOffers(backend, wireOffer(1));
    let answer = (): void => undefined;
    backend.answer('offers', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { offers: [wireOffer(1, { amount_cents: 1500 })] };
    });
    const user = await openAt('/app/marketplace/categories/7');
    await user.click(screen.getByRole('link', { name: /Offer 1/ }));
    await pass();
    expect(screen.getByText(/^12\.50/)).toBeDefined();
    answer();
    await pass();
    expect(screen.getByText(/^15\.00/)).toBeDefined();
  });

  it.each(['/app/marketplace/categories/7/offers/2', '/app/marketplace/categories/7/offers/x'])(
    'says that there is no such offer at %s',
    async (path) => {
      answerOffers(backend, wireOffer(1));
      await openAt(path);
      expect(screen.getByText('This offer does not exist')).toBeDefined();
    },
  );

  it('offers to try again after a failure', async () => {
    backend.answer('offers', () => problem('forbidden'));
    const user = await openAt(OFFER);
    expect(screen.getByText('This offer could not be loaded.')).toBeDefined();
    answerOffers(backend, wireOffer(1));
    await user.click(button('Try again'));
    await pass();
    expect(screen.getByRole('heading', { level: 1, name: 'Offer 1' })).toBeDefined();
  });
});

describe('quantity', () => {
  it('[S2-089] [S5-020] starts at 1, where it cannot be decreased', async () => {
    const user = await open();
    expect(quantity().value).toBe('1');
    expect(button('Decrease quantity').disabled).toBe(true);
    await user.click(button('Increase quantity'));
    expect(quantity().value).toBe('2');
    await user.click(button('Decrease quantity'));
    expect(quantity().value).toBe('1');
  });

  it('[S2-089] [S5-021] ends at 99, where it cannot be increased', async () => {
    haveBalance('9000000000');
    const user = await open();
    await user.type(quantity(), '{Control>}a{/Control}98', {
      initialSelectionStart: 0,
      initialSelectionEnd: 2,
    });
    expect(quantity().value).toBe('98');
    await user.click(button('Increase quantity'));
    expect(quantity().value).toBe('99');
    expect(button('Increase quantity').disabled).toBe(true);
    await user.keyboard('{ArrowUp}');
    expect(quantity().value).toBe('99');
  });
});

describe('add to cart', () => {
  it("[S2-090] [S2-091] [S2-092] adds the quantity, says 'Added N item(s) to cart!' for 3 s and returns to 1", async () => {
    const user = await open();
    await user.click(button('Increase quantity'));
    await user.click(button('Increase quantity'));
    await user.click(button('Add to cart'));
    expect(items().map(({ offer, count }) => [offer.id, count])).toEqual([[1, 3]]);
    expect(quantity().value).toBe('1');
    await pass(2999);
    const toast = screen.getByText('Added 3 item(s) to cart!');
    expect(toast.parentElement?.textContent).toBe('Success: Added 3 item(s) to cart!');
    await pass(1);
    expect(screen.queryByText('Added 3 item(s) to cart!')).toBeNull();
  });

  it('[S5-022] is enabled for exactly the balance, and disabled for one micro-unit less', async () => {
    haveBalance('25000000');
    const user = await open();
    await user.click(button('Add to cart'));
    expect(button('Add to cart').disabled).toBe(false);
    await user.click(button('Increase quantity'));
    expect(button('Add to cart').disabled).toBe(true);
    await user.click(button('Decrease quantity'));
    await user.click(button('Add to cart'));
    expect(cartCount(items())).toBe(2);
    expect(button('Add to cart').disabled).toBe(true);
  });

  it('[S5-022] compares the raw balance, which is shown rounded up, and gives the reason', async () => {
    haveBalance('12499999');
    await open();
    expect(button('Add to cart').disabled).toBe(true);
    expect(
      screen.getByText(
        'Your balance of 12.499999 ATH does not cover this and what is in your cart.',
      ),
    ).toBeDefined();
  });

  it('is disabled until the balance is known', async () => {
    backend.answer('balance', silence);
    await open();
    expect(button('Add to cart').disabled).toBe(true);
    expect(screen.getByText('Your balance is still on its way.')).toBeDefined();
  });

  it.each<[string, Partial<WireOffer>, string]>([
    ['withdrawn', { active: false }, 'This offer is not available.'],
    ['sold out', { stock_left: 0 }, 'Sold out.'],
    ['over', { sale_ends_at: '2026-11-21T11:00:00.000Z' }, 'The sale is over.'],
    ['not yet on sale', { sale_starts_at: '2026-12-01T12:00:00.000Z' }, 'The sale starts on Dec 1'],
    ['for a higher tier', { tier_id_min: 3 }, 'This offer is for Gold tier and above.'],
  ])('is disabled with the reason for an offer that is %s', async (_name, fields, reason) => {
    backend.answer('tiers', () => ({
      tiers: [{ id: 3, title: 'Gold', amount: '1234567891', color: '#d4af37', note: '' }],
    }));
    await open(fields);
    expect(button('Add to cart').disabled).toBe(true);
    expect(screen.getByText((text) => text.startsWith(reason))).toBeDefined();
  });

  it.each<[string, Partial<WireOffer>, string]>([
    ['are left', { stock_left: 2 }, 'Only 2 left, with 1 in your cart already.'],
    [
      'one person may buy',
      { user_count_max: 2 },
      'At most 2 per person, with 1 in your cart already.',
    ],
  ])('counts the cart’s items against what %s', async (_name, fields, reason) => {
    const user = await open(fields);
    await user.click(button('Add to cart'));
    expect(button('Add to cart').disabled).toBe(false);
    await user.click(button('Increase quantity'));
    expect(button('Add to cart').disabled).toBe(true);
    expect(screen.getByText(reason)).toBeDefined();
  });

  it('adds at most 99 of one offer to the cart', async () => {
    haveBalance('9000000000');
    const user = await open({ amount_cents: 1 });
    await user.type(quantity(), '99', { initialSelectionStart: 0, initialSelectionEnd: 1 });
    await user.click(button('Add to cart'));
    expect(button('Add to cart').disabled).toBe(true);
    expect(
      screen.getByText('A cart takes at most 99 of one offer, and 99 are in yours.'),
    ).toBeDefined();
  });

  it('shows the balance before and after, with what is in the cart', async () => {
    haveBalance('100000000');
    const user = await open();
    expect(valueOf('Balance')).toBe('100.00 ATH');
    expect(valueOf('Balance after')).toBe('87.50 ATH');
    expect(valueOf('In your cart')).toBeUndefined();
    await user.click(button('Add to cart'));
    expect(valueOf('In your cart')).toBe('12.50 ATH');
    expect(valueOf('Balance after')).toBe('75.00 ATH');
  });

  it('leads to buying what is missing', async () => {
    haveBalance('5000000');
    await open({ amount_cents: 110_000 });
    const link = screen.getByRole('link', { name: 'Buy 1,095.00 ATH' });
    expect(link.getAttribute('href')).toBe(
      '/app/buy?amount=1095&back=%2Fapp%2Fmarketplace%2Fcategories%2F7%2Foffers%2F1',
    );
  });

  it('sells no ATH for an offer that is not on sale', async () => {
    haveBalance('0');
    await open({ stock_left: 0 });
    expect(screen.queryByRole('link', { name: /^Buy / })).toBeNull();
    expect(valueOf('Balance')).toBeUndefined();
  });

  it('shows the conditions of the offer', async () => {
    await open({ kind: 1, user_count_max: 4, sale_ends_at: '2026-12-01T12:00:00.000Z' });
    const facts = within(screen.getByRole('main')).getAllByRole('listitem');
    expect(facts.map((fact) => fact.textContent)).toEqual([
      'Event',
      expect.stringMatching(/^On sale until Dec 1, 2026/),
      'At most 4 per person',
    ]);
    expect(currentAddress()).toBe(OFFER);
  });
});
