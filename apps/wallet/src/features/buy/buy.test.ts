// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pendingPayment } from '@athos/testing/samples/payments';
import {
  amountInput,
  answerPayments,
  button,
  openBuy,
  openPreview,
  typeAmount,
} from '../../../test/buying.ts';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, passLoading } from '../../../test/signed-in.tsx';

const TIERS = [
  { id: 1, title: 'Bronze', amount: '100000000', color: '#b08d57', note: '' },
  { id: 2, title: 'Silver', amount: '2000000000', color: '#c0c0c0', note: '' },
];

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  answerPayments(backend);
});
afterEach(endTest);

const publish = (usdPerAth: number): void =>
  backend.answer('exchangeRate', () => ({ exchange_rate: usdPerAth }));

/** The reason why 'Preview' is disabled, which is also its accessible description. */
function reason(): string {
  const preview = button('Preview');
  expect(preview.disabled).toBe(true);
  return (
    document.querySelector(`#${CSS.escape(preview.getAttribute('aria-describedby') ?? '')}`)
      ?.textContent ?? ''
  );
}

/** The value next to a label of the preview. */
const detail = (label: string): string | undefined =>
  within(screen.getByRole('dialog')).getByText(label).nextElementSibling?.textContent;

describe('the buy screen', () => {
  it('[S2-077] is titled Buy ATH', async () => {
    await openBuy();
    expect(screen.getByRole('heading', { level: 1, name: 'Buy ATH' })).toBeDefined();
  });

  it('[S2-078] shows the balance', async () => {
    await openBuy();
    const block = within(screen.getByRole('region', { name: 'Your wallet' }));
    expect(block.getByText(/^1,234\.57/).textContent).toBe('1,234.57 ATH');
  });

  it('[S2-079] goes back to /app', async () => {
    const user = await openBuy();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S2-080] [S5-032] shows the USD of the amount, in cents rounded half up', async () => {
    await openBuy();
    typeAmount('450');
    expect(screen.getByText('$75.74')).toBeDefined();
  });

  it('[S2-081] shows the tier panel', async () => {
    backend.answer('tiers', () => ({ tiers: TIERS }));
    await openBuy();
    const panel = within(screen.getByRole('region', { name: 'Your tier' }));
    expect(panel.getByText('Bronze Tier')).toBeDefined();
    expect(panel.getByText('765.44 ATH more to reach Silver')).toBeDefined();
  });

  it('leaves out the tier panel if the tiers cannot be loaded', async () => {
    backend.answer('tiers', () => problem('forbidden'));
    await openBuy();
    expect(screen.queryByRole('region', { name: 'Your tier' })).toBeNull();
    expect(button('Preview').disabled).toBe(false);
  });
});

describe('the amount', () => {
  it('[S5-030] starts at the amount that 10 USD buys, rounded up to 2 decimals', async () => {
    await openBuy();
    expect(amountInput().value).toBe('59.42');
    expect(screen.getByText('$10.00')).toBeDefined();
    expect(button('Preview').disabled).toBe(false);
  });

  it('follows the rate until it is edited, and then stays as typed', async () => {
    await openBuy({ live: true });
    publish(0.16);
    await pass(6000);
    expect(amountInput().value).toBe('62.5');
    typeAmount('63');
    publish(0.1683);
    await pass(6000);
    expect(amountInput().value).toBe('63');
    expect(screen.getByText('$10.60')).toBeDefined();
  });

  it('[S5-031] loses its leading zeros', async () => {
    await openBuy();
    typeAmount('0075.5');
    expect(amountInput().value).toBe('75.5');
  });

  it('[S5-028] takes numeric text only and reverts the rest to the previous value', async () => {
    await openBuy();
    typeAmount('12');
    typeAmount('12x');
    expect(amountInput().value).toBe('12');
  });

  it('[S5-033] disables Preview while it is empty, and says why', async () => {
    await openBuy();
    typeAmount('');
    expect(reason()).toBe('Enter an amount to continue.');
  });

  it('[S5-034] disables Preview below 10 USD without fees', async () => {
    publish(0.1);
    await openBuy();
    typeAmount('99.94');
    expect(reason()).toBe('* Amount is less than $10 USD minimum');
    typeAmount('100');
    expect(screen.queryByText(/less than/)).toBeNull();
    expect(button('Preview').disabled).toBe(false);
  });

  it('[S5-035] disables Preview above 95000 USD without fees', async () => {
    publish(0.1);
    await openBuy();
    typeAmount('950000.1');
    expect(reason()).toBe('* Amount is greater than $95000.00');
    typeAmount('950000');
    expect(button('Preview').disabled).toBe(false);
  });
});

describe('the total', () => {
  it('[S9-005] [S9-006] follows what is typed, with both fees', async () => {
    await openBuy();
    expect(screen.getByText('$11.10 with fees')).toBeDefined();
    typeAmount('100');
    expect(screen.getByText('$18.68 with fees')).toBeDefined();
    const description = amountInput().getAttribute('aria-describedby')?.split(' ')[0] ?? '';
    expect(document.getElementById(description)?.textContent).toBe('$16.83$18.68 with fees');
  });

  it('is left out for an amount that cannot be bought, and without a published rate', async () => {
    await openBuy();
    typeAmount('1');
    expect(screen.queryByText(/with fees/)).toBeNull();
    endTest();
    useFakeTime();
    backend = installFakeBackend(walletAnswers);
    backend.answer('exchangeRate', () => problem('not_found'));
    await openBuy();
    expect(screen.queryByText(/with fees/)).toBeNull();
  });
});

describe('a chip', () => {
  const chips = () => within(screen.getByRole('group', { name: 'Amount in US dollars' }));
  const chip = (name: string) => chips().getByRole('button', { name });
  const pressed = () =>
    chips()
      .queryAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent);

  it('buys for 10, 25, 50 or 100 USD, and says which is chosen', async () => {
    const user = await openBuy();
    const names = chips()
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['$10', '$25', '$50', '$100']);
    expect(pressed()).toEqual(['$10']);
    await user.click(chip('$50'));
    expect(amountInput().value).toBe('297.09');
    expect(screen.getByText('$50.00')).toBeDefined();
    expect(screen.getByText('$55.50 with fees')).toBeDefined();
    expect(pressed()).toEqual(['$50']);
    typeAmount('298');
    expect(pressed()).toEqual([]);
  });

  it('keeps its price when the rate changes', async () => {
    const user = await openBuy({ live: true });
    await user.click(chip('$25'));
    publish(0.2);
    await pass(6000);
    expect(amountInput().value).toBe('125');
    expect(screen.getByText('$25.00')).toBeDefined();
  });
});

describe('an amount that a purchase lacks', () => {
  it('is filled in, and follows the rate only as far as the limits demand', async () => {
    await openBuy({ live: true, path: '/app/buy?amount=60&back=%2Fapp%2Fcart' });
    expect(amountInput().value).toBe('60');
    publish(0.16);
    await pass(6000);
    expect(amountInput().value).toBe('62.5');
    typeAmount('90');
    publish(0.1683);
    await pass(6000);
    expect(amountInput().value).toBe('90');
  });
});

describe('without a published rate', () => {
  it('[S3-030] [D-148] [D-149] shows the fallback of 0.1683 and buys nothing at it', async () => {
    backend.answer('exchangeRate', () => problem('not_found'));
    const user = await openBuy();
    expect(amountInput().value).toBe('59.42');
    expect(screen.getByText('$10.00')).toBeDefined();
    expect(reason()).toBe('There is no current price. Buying is paused for a moment.');
    await user.type(amountInput(), '{Enter}');
    await passLoading();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the order preview', () => {
  it('[S2-136] [S2-137] [S9-005] [S9-006] lists Price, one fee line of 5 % and 6 %, and Total in USD', async () => {
    const user = await openBuy();
    await openPreview(user, '100');
    expect(screen.getByRole('dialog', { name: 'Order preview' })).toBeDefined();
    expect(detail('Price')).toBe('$16.83');
    // 0.84 and 1.01, each rounded separately.
    expect(detail('Fees')).toBe('$1.85');
    expect(detail('Total')).toBe('$18.68 USD');
    expect(screen.getAllByRole('term')).toHaveLength(3);
  });

  it('[S9-005] [S9-006] rounds each fee half up separately: 10.10 gives 0.51 + 0.61', async () => {
    publish(0.1);
    const user = await openBuy();
    await openPreview(user, '101');
    expect(detail('Price')).toBe('$10.10');
    expect(detail('Fees')).toBe('$1.12');
    expect(detail('Total')).toBe('$11.22 USD');
  });

  it('keeps the rate at which it was opened', async () => {
    const user = await openBuy({ live: true });
    await openPreview(user, '100');
    publish(0.2);
    await pass(6000);
    expect(detail('Price')).toBe('$16.83');
    expect(screen.getByText('1 ATH = $0.1683')).toBeDefined();
  });

  it('buys nothing when it is closed', async () => {
    const user = await openBuy();
    await openPreview(user, '100');
    await user.click(button('Close'));
    await pass(500);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(amountInput().value).toBe('100');
    expect(backend.calls('createPaymentIntent')).toHaveLength(0);
  });
});

describe('a pending purchase', () => {
  it('[D-127] is shown while the bank confirms it, and no longer once it is final', async () => {
    backend.answer('pendingPayments', () => ({ pending: [pendingPayment('a', 'processing')] }));
    await openBuy();
    expect(screen.getByText('A purchase is being confirmed')).toBeDefined();
    expect(screen.getByText(/^100\.00 ATH for \$18\.68\. The credit follows/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Continue paying' })).toBeNull();
    backend.answer('pendingPayments', () => ({ pending: [] }));
    await pass(15_000);
    expect(screen.queryByText('A purchase is being confirmed')).toBeNull();
  });

  it('[D-127] is shown while it waits for the card, and continues at its own price if it was started elsewhere', async () => {
    backend.answer('pendingPayments', () => ({ pending: [pendingPayment('a', 'open')] }));
    publish(0.2);
    const user = await openBuy();
    expect(screen.getByText('An open purchase')).toBeDefined();
    await user.click(button('Continue paying'));
    await passLoading();
    expect(screen.getByRole('dialog', { name: 'Order preview' })).toBeDefined();
    expect(screen.getByText('1 ATH = $0.1683')).toBeDefined();
    expect(detail('Price')).toBe('$16.83');
    expect(detail('Total')).toBe('$18.68 USD');
  });
});

describe('the banner of an open purchase', () => {
  const openBanner = async (status: 0 | 1 | 2 = 2) => {
    let isOpen = true;
    const payment = pendingPayment('a', 'open');
    backend.answer('pendingPayments', () => ({ pending: isOpen ? [payment] : [] }));
    backend.answer('cancelPayment', () => {
      isOpen = status === 0;
      return { stripe_status: status, error: null };
    });
    return openBuy();
  };
  const timer = () => screen.getByRole('timer').textContent;

  it('counts down to its end, and goes when it is over', async () => {
    await openBanner();
    expect(timer()).toBe('Ends in 14:00');
    await pass(61_000);
    expect(timer()).toBe('Ends in 12:59');
    backend.answer('pendingPayments', () => ({ pending: [] }));
    await pass(13 * 60_000);
    expect(screen.queryByText('An open purchase')).toBeNull();
  });

  it('is announced only when five minutes and when one minute are left', async () => {
    await openBanner();
    const banner = screen.getByText('An open purchase').closest('[role=status]');
    expect(screen.getByRole('timer').getAttribute('aria-live')).toBe('off');
    const told = () => banner?.querySelector('[role=status]')?.textContent;
    expect(told()).toBe('');
    await pass(9 * 60_000);
    expect(told()).toBe('5 minutes left for your open purchase');
    await pass(60_000);
    expect(told()).toBe('');
    await pass(3 * 60_000);
    expect(told()).toBe('1 minute left for your open purchase');
  });

  it.each([
    [2, 'The purchase was canceled. Nothing was charged.'],
    [1, 'This purchase is paid already: your balance has grown.'],
  ] as const)('cancels it; for the state %i it says so and goes', async (status, text) => {
    const user = await openBanner(status);
    await user.click(button('Cancel purchase'));
    await pass();
    expect(backend.calls('cancelPayment').map(({ params }) => params['id'])).toEqual(['a']);
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('An open purchase')).toBeNull();
  });

  it('stays, with the reason, while the bank decides or the provider is away', async () => {
    const user = await openBanner(0);
    await user.click(button('Cancel purchase'));
    await pass();
    expect(screen.getByText(/^Your bank is deciding on this purchase/)).toBeDefined();
    backend.answer('cancelPayment', () => problem('provider_unavailable'));
    await user.click(button('Cancel purchase'));
    await pass();
    expect(screen.getByText(/could not be canceled just now/)).toBeDefined();
    expect(button('Cancel purchase').disabled).toBe(false);
  });
});
