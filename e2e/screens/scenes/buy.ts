import type { Page } from '@playwright/test';
import { CARDS } from '../../steps/cards.ts';
import { challenge, openCardForm, pay } from '../../steps/wallet.ts';
import { press, see, write } from '../acts.ts';
import { BALANCES_HUGE } from '../amounts.ts';
import type { Answers } from '../answers.ts';
import { PENDING } from './pending.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const LABEL = 'Amount to buy';

/** With a card form of its own: an open purchase would be told on other screens. */
async function cardForm(stage: Stage, answers: Answers = {}): Promise<Page> {
  const page = await stage.member('/app/buy', { who: 'own', answers });
  await openCardForm(page, '100');
  return page;
}

async function purchase(stage: Stage, answers: Answers): Promise<Page> {
  const page = await stage.member('/app/buy', { who: 'own', answers });
  return press(await press(page, 'Preview'), 'Purchase');
}

export const buyScenes = [
  ...scenesOf('buy', {
    filled: async (stage) => see(await stage.member('/app/buy'), 'Preview'),
    empty: async (stage) => write(await stage.member('/app/buy'), LABEL, ''),
    'below the minimum': async (stage) => write(await stage.member('/app/buy'), LABEL, '1'),
    'above the maximum, 19 digits': async (stage) =>
      write(await stage.member('/app/buy'), LABEL, '9223372036854.775807'),
    'huge balance': async (stage) =>
      see(await stage.member('/app/buy', { answers: { balance: BALANCES_HUGE } }), 'Preview'),
    'no price': async (stage) =>
      see(
        await stage.member('/app/buy', {
          answers: { exchangeRate: { problem: 'rate_unavailable' } },
        }),
        'There is no current price',
      ),
    'purchases pending': async (stage) =>
      see(
        await stage.member('/app/buy', { answers: { pendingPayments: PENDING } }),
        'A purchase is being confirmed',
      ),
    preview: async (stage) =>
      see(await press(await stage.member('/app/buy'), 'Preview'), 'Order preview'),
    'preview of the maximum': async (stage) => {
      const page = await write(await stage.member('/app/buy'), LABEL, '500000.123456');
      return see(await press(page, 'Preview'), 'Order preview');
    },
    'price changed': async (stage) =>
      see(
        await purchase(stage, { createPaymentIntent: { problem: 'rate_expired' } }),
        'The price has changed',
      ),
  }),
  ...scenesOf('card', {
    loading: async (stage) => {
      const page = await purchase(stage, { createPaymentIntent: 'never' });
      await page.getByRole('dialog', { name: 'Card payment' }).waitFor();
      return page;
    },
    empty: (stage) => cardForm(stage),
    'not loaded': async (stage) =>
      see(
        await purchase(stage, { createPaymentIntent: { problem: 'provider_unavailable' } }),
        'Nothing was charged',
      ),
    paused: async (stage) =>
      see(
        await purchase(stage, { createPaymentIntent: { problem: 'buying_paused' } }),
        'Buying is paused',
      ),
    incomplete: async (stage) => press(await cardForm(stage), 'Pay'),
    declined: async (stage) => {
      const page = await cardForm(stage);
      await pay(page, CARDS.declined);
      return see(page, /declined.* Please try again\.$/);
    },
    'asked by the bank': async (stage) => {
      const page = await cardForm(stage);
      await pay(page, CARDS.asksForAuthentication);
      await challenge(page).getByRole('button', { name: 'Complete authentication' }).waitFor();
      return page;
    },
    confirming: async (stage) => {
      const page = await cardForm(stage, { paymentIntent: { stripe_status: 0, error: null } });
      await pay(page);
      return see(page, 'Confirming with your bank...');
    },
    'slow confirmation': async (stage) => {
      const page = await cardForm(stage, { paymentIntent: { stripe_status: 0, error: null } });
      await pay(page);
      await see(page, 'Confirming with your bank...');
      await page.clock.fastForward(121_000);
      return see(page, 'takes longer than usual');
    },
    'state unreadable': async (stage) => {
      const page = await cardForm(stage, { paymentIntent: { problem: 'forbidden' } });
      await pay(page);
      return see(page, 'We could not read');
    },
    confirmed: async (stage) => {
      const page = await cardForm(stage);
      await pay(page);
      return see(page, 'Payment confirmed.');
    },
    bought: async (stage) => {
      const page = await cardForm(stage);
      await pay(page);
      await see(page, 'Payment confirmed.');
      return see(page, 'Successfully purchased');
    },
  }),
];
