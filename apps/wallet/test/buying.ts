/** The steps of a purchase on the buy screen. */
import { fireEvent, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import {
  installFakeCardProvider,
  writeCardSettings,
  type FakeCardProvider,
} from './fake-card-provider.ts';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { endTest, openAt, passLoading } from './signed-in.tsx';

export const PAYMENT_ID = '0192cccc-0000-7000-8000-000000000003';
export const CLIENT_SECRET = 'pi_1_secret_2';

export const amountInput = (): HTMLInputElement => screen.getByLabelText('Amount to buy');
export const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });
export const alertText = (): string | undefined => screen.queryByRole('alert')?.textContent;

/** Makes the server create a payment that stays open. */
export function answerPayments(backend: FakeBackend): void {
  backend.answer('createPaymentIntent', () => ({ id: PAYMENT_ID, client_secret: CLIENT_SECRET }));
  backend.answer('paymentIntent', () => ({ stripe_status: 0, error: null }));
}

interface Shop {
  readonly backend: FakeBackend;
  readonly provider: FakeCardProvider;
}

/** For `beforeEach`: a server as above, and a card provider whose script has not run yet. */
export function beginBuying(): Shop {
  useFakeTime();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  writeCardSettings();
  const backend = installFakeBackend(walletAnswers);
  answerPayments(backend);
  return { backend, provider: installFakeCardProvider() };
}

/** For `afterEach`. */
export async function endBuying(provider: FakeCardProvider): Promise<void> {
  // The page awaits one script for all tests, so a pending one would reach the next test.
  await provider.failScript();
  endTest();
  document.head.replaceChildren();
  document.body.replaceChildren();
}

export async function openBuy(options: { live?: boolean; path?: string } = {}): Promise<UserEvent> {
  const user = await openAt(options.path ?? '/app/buy', options);
  await passLoading();
  return user;
}

export function typeAmount(text: string): void {
  fireEvent.change(amountInput(), { target: { value: text } });
}

export async function openPreview(user: UserEvent, amount = '100'): Promise<void> {
  typeAmount(amount);
  await user.click(button('Preview'));
  await passLoading();
}

/** Goes from the amount to the card modal, whose script has not run yet. */
export async function openCard(user: UserEvent, amount = '100'): Promise<void> {
  await openPreview(user, amount);
  await user.click(button('Purchase'));
  await passLoading();
}

/** Goes from the amount to a card form that is ready for a card. */
export async function openForm(
  user: UserEvent,
  provider: FakeCardProvider,
  amount = '100',
): Promise<void> {
  await openCard(user, amount);
  if (window.Stripe === undefined) await provider.runScript();
  await pass();
  await provider.showForm();
}

/** Goes from the buy screen to a pressed 'Pay', which the provider has not answered yet. */
export async function openAndPay(provider: FakeCardProvider): Promise<UserEvent> {
  const user = await openBuy();
  await openForm(user, provider);
  await user.click(button('Pay'));
  return user;
}
