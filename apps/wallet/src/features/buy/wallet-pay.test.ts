// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  alertText,
  beginBuying,
  button,
  CLIENT_SECRET,
  endBuying,
  openBuy,
  openForm,
} from '../../../test/buying.ts';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_APPLE_MERCHANT_ID, type FakeCardProvider } from '../../../test/fake-card-provider.ts';
import { installFakeShell, type FakeShell } from '../../../test/fake-shell.ts';
import { pass } from '@athos/testing/fake-time';
import { passLoading } from '../../../test/signed-in.tsx';
import { isReadingOffline } from '../../state/network.ts';

let backend: FakeBackend;
let provider: FakeCardProvider;
let shell: FakeShell;
const warn = vi.fn<(event: string, facts: unknown) => void>();

beforeEach(() => {
  ({ backend, provider } = beginBuying());
  warn.mockClear();
  vi.mocked(console.warn).mockImplementation(warn);
  shell = installFakeShell('android');
});
afterEach(() => endBuying(provider));

async function payByPhone(present: () => unknown): Promise<void> {
  shell.answer('Stripe.presentGooglePay', present);
  const user = await openBuy();
  await openForm(user, provider, '100');
  await passLoading();
  await user.click(button('Pay with Google Pay'));
  await pass();
}

const failures = () => warn.mock.calls.filter(([event]) => event === 'wallet_pay_failed');

describe('the phone’s own wallet', () => {
  it('[S1-013] pays the payment of the card form, and waits for the credit', async () => {
    await payByPhone(() => ({ paymentResult: 'googlePayCompleted' }));
    expect(shell.calls('Stripe.createGooglePay')).toEqual([
      { paymentIntentClientSecret: CLIENT_SECRET, currency: 'USD' },
    ]);
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
    backend.answer('paymentIntent', () => ({ stripe_status: 1, error: null }));
    await pass(1500);
    expect(screen.getByText('Payment confirmed.')).toBeDefined();
  });

  it("[S7-038] shows Apple Pay the total, labelled 'ATH PURCHASE', in USD and for the US", async () => {
    shell = installFakeShell('ios');
    shell.answer('Stripe.presentApplePay', () => ({ paymentResult: 'applePayCompleted' }));
    const user = await openBuy();
    await openForm(user, provider, '100');
    await passLoading();
    await user.click(button('Pay with Apple Pay'));
    await pass();
    expect(shell.calls('Stripe.createApplePay')).toEqual([
      {
        paymentIntentClientSecret: CLIENT_SECRET,
        paymentSummaryItems: [{ label: 'ATH PURCHASE', amount: 18.68 }],
        merchantIdentifier: FAKE_APPLE_MERCHANT_ID,
        countryCode: 'US',
        currency: 'USD',
      },
    ]);
  });

  it.each([
    ['fails', () => ({ paymentResult: 'googlePayFailed' })],
    [
      'rejects',
      () => {
        throw new Error('no activity');
      },
    ],
  ])('[S8-018] is logged and shows nothing when it %s', async (_, present) => {
    await payByPhone(present);
    expect(failures()).toHaveLength(1);
    expect(alertText()).toBeUndefined();
    expect(button('Pay').disabled).toBe(false);
    await pass(6000);
    expect(alertText()).toBeUndefined();
  });

  it('changes and logs nothing when it is dismissed', async () => {
    await payByPhone(() => ({ paymentResult: 'googlePayCanceled' }));
    expect(failures()).toEqual([]);
    expect(button('Pay with Google Pay').disabled).toBe(false);
  });

  it('is disabled while reading offline', async () => {
    const user = await openBuy();
    await openForm(user, provider, '100');
    await passLoading();
    act(() => isReadingOffline.set(true));
    expect(button('Pay with Google Pay').disabled).toBe(true);
    act(() => isReadingOffline.set(false));
    expect(button('Pay with Google Pay').disabled).toBe(false);
  });

  it('is not offered if the phone has none', async () => {
    shell.answer('Stripe.isGooglePayAvailable', () => {
      throw new Error('Not implemented on Device.');
    });
    const user = await openBuy();
    await openForm(user, provider, '100');
    await passLoading();
    expect(screen.queryByRole('button', { name: 'Pay with Google Pay' })).toBeNull();
  });
});
