import type { AnswerOf } from '@athos/contract/api';
import type { Page } from '@playwright/test';
import { CARDS } from '../steps/cards.ts';
import { cardFields, pay } from '../steps/wallet.ts';
import type { Addresses } from '../system/start-system.ts';
import type { State } from './state.ts';

const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount to buy' });

async function preview(page: Page): Promise<void> {
  await amount(page).fill('250');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('dialog', { name: 'Order preview' }).waitFor();
}

async function purchase(page: Page): Promise<void> {
  await preview(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await page.getByRole('dialog', { name: 'Card payment' }).waitFor();
}

async function cardForm(page: Page): Promise<void> {
  await purchase(page);
  await cardFields(page).getByLabel('Card number').waitFor();
  await page.getByRole('status', { name: 'Loading the card form' }).waitFor({ state: 'detached' });
}

/** The sandbox's form needs a payment that exists there. */
async function beginPayment(addresses: Addresses): Promise<AnswerOf<'createPaymentIntent'>> {
  const response = await fetch(`${addresses.sandbox}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${addresses.secretKey}` },
    body: new URLSearchParams({
      amount: '4671',
      currency: 'usd',
      'automatic_payment_methods[enabled]': 'true',
    }),
  });
  const { id, client_secret } = (await response.json()) as { id: string; client_secret: string };
  return { id, client_secret };
}

const state = (
  name: State['name'],
  answers: State['answers'] = {},
  reach?: State['reach'],
): State => ({ name, path: '/app/buy', answers, ...(reach && { reach }) });

const credited = { paymentIntent: { stripe_status: 1, error: null } } as const;

const states: readonly State[] = [
  state('buy/amount', {}),
  state('buy/below-minimum', {}, (page) => amount(page).fill('10')),
  state('buy/above-maximum', {}, (page) => amount(page).fill('99999999')),
  state('buy/no-rate', { exchangeRate: { problem: 'not_found' } }),
  state('buy/preview', {}, preview),
  state('buy/card-loading', { createPaymentIntent: 'silence' }, purchase),
  state('buy/card-paused', { createPaymentIntent: { problem: 'buying_paused' } }, async (page) => {
    await purchase(page);
    await page.getByText(/Buying is paused|could not be started/).waitFor();
  }),
  state('buy/card-form', {}, cardForm),
  state('buy/card-incomplete', {}, async (page) => {
    await cardForm(page);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText(/Please try again\.$/).waitFor();
  }),
  state('buy/card-declined', {}, async (page) => {
    await cardForm(page);
    await pay(page, CARDS.declined);
    await page.getByText(/Please try again\.$/).waitFor();
  }),
  state('buy/card-authentication', {}, async (page) => {
    await cardForm(page);
    await pay(page, CARDS.asksForAuthentication);
    await page.frameLocator('iframe[title^="3D Secure"]').getByRole('heading').waitFor();
  }),
  state('buy/card-confirming', {}, async (page) => {
    await cardForm(page);
    await pay(page);
    await page.getByText('Confirming with your bank...').waitFor();
  }),
  state('buy/card-credited', credited, async (page) => {
    await cardForm(page);
    await pay(page);
    await page.getByText('Payment confirmed.').waitFor();
  }),
  state('buy/success', credited, async (page) => {
    await cardForm(page);
    await pay(page);
    await page.getByText('Payment confirmed.').waitFor();
    await page.clock.fastForward(4100);
    await page.getByRole('dialog', { name: 'Successfully purchased' }).waitFor();
  }),
  state('buy/pending', {
    pendingPayments: {
      pending: [
        {
          id: 'a',
          token_amount: '250000000',
          total: 4671,
          exchange_rate: 0.1683,
          created_at: '2026-11-21T11:59:00.000Z',
          state: 'open',
        },
      ],
    },
  }),
];

export function buyStates(addresses: Addresses): readonly State[] {
  const createPaymentIntent = () => beginPayment(addresses);
  return states.map((one) => ({ ...one, answers: { createPaymentIntent, ...one.answers } }));
}
