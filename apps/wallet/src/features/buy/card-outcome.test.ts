// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pendingPayment } from '@athos/testing/samples/payments';
import {
  beginBuying,
  button,
  endBuying,
  openAndPay,
  openBuy,
  openCard,
  openForm,
  PAYMENT_ID,
} from '../../../test/buying.ts';
import { networkFailure } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { declined, type FakeCardProvider } from '../../../test/fake-card-provider.ts';
import { pass } from '@athos/testing/fake-time';
import { closeApp } from '../../../test/signed-in.tsx';

let backend: FakeBackend;
let provider: FakeCardProvider;
beforeEach(() => {
  ({ backend, provider } = beginBuying());
});
afterEach(() => endBuying(provider));

const status = (stripe_status: 1): void =>
  backend.answer('paymentIntent', () => ({ stripe_status, error: null }));
const pending = (state: 'open' | 'processing'): void =>
  backend.answer('pendingPayments', () => ({ pending: [pendingPayment(PAYMENT_ID, state)] }));

describe('a charge with an unknown outcome', () => {
  const lost = () => declined('The connection was lost.', { type: 'api_connection_error' });

  async function payAndLose(): Promise<void> {
    await openAndPay(provider);
    await provider.answer(lost());
    closeApp();
  }

  it('is checked before another payment is created, and completes if it was charged', async () => {
    await payAndLose();
    status(1);
    const user = await openBuy();
    await openCard(user, '250');
    await pass();
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
    expect(screen.getByText('$18.68 USD')).toBeDefined();
    await pass(4000);
    const dialog = screen.getByRole('dialog', { name: 'Successfully purchased' });
    expect(dialog.textContent).toContain('100.00 ATH Successfully purchased');
  });

  it('is waited for while the bank decides', async () => {
    await payAndLose();
    pending('processing');
    const user = await openBuy();
    await openCard(user, '250');
    await pass();
    expect(screen.getByText('Confirming with your bank...')).toBeDefined();
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
  });

  it('is followed by the new amount if it was not charged', async () => {
    await payAndLose();
    pending('open');
    const user = await openBuy();
    await openForm(user, provider, '250');
    expect(backend.calls('createPaymentIntent')).toHaveLength(2);
    expect(button('Pay').disabled).toBe(false);
  });

  it('allows no new payment while it cannot be checked', async () => {
    await payAndLose();
    backend.answer('paymentIntent', networkFailure);
    const user = await openBuy();
    await openCard(user, '250');
    await pass(10_000);
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
    expect(button('Try again')).toBeDefined();
  });

  it('does not result from a plain decline', async () => {
    const user = await openAndPay(provider);
    await provider.answer(declined('Your card was declined.'));
    await user.click(button('Close'));
    await pass(500);
    status(1);
    await openForm(user, provider, '250');
    expect(backend.calls('createPaymentIntent')).toHaveLength(2);
  });
});
