import type { Page } from '@playwright/test';
import { problem, silence, type Handlers } from '../fake-api.ts';
import { HUGE_BALANCE } from '../samples/holder.ts';
import { pendingPayment } from '../samples/payments.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { CARDS } from '../steps/cards.ts';
import { cardFields, challenge, pay } from '../steps/wallet.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const typeAmount = (text: string) => (page: Page) => write(page, 'Amount to buy', text);

const preview =
  (amount = '250') =>
  async (page: Page): Promise<void> => {
    await typeAmount(amount)(page);
    await press(page, 'Preview');
    await page.getByRole('dialog', { name: 'Order preview' }).waitFor();
  };

async function purchase(page: Page): Promise<void> {
  await preview()(page);
  await press(page, 'Purchase');
}

const purchaseAnd = (text: string) => async (page: Page) => {
  await purchase(page);
  await see(page, text);
};

const buyScreen = statesOf(
  'buy',
  { path: '/app/buy' },
  {
    filled: { reach: seen('Preview') },
    empty: { reach: typeAmount('') },
    'chip-chosen': { reach: (page) => press(page, '$50') },
    'from-the-cart': { path: '/app/buy?amount=1095&back=%2Fapp%2Fcart', reach: seen('$184.29') },
    'below-the-minimum': { reach: typeAmount('1') },
    'above-the-maximum': { reach: typeAmount('9223372036854.775807') },
    'huge-balance': { answers: { balance: () => HUGE_BALANCE }, reach: seen('Preview') },
    'no-price': {
      answers: { exchangeRate: () => problem('not_found') },
      reach: seen('There is no current price'),
    },
    'purchases-pending': {
      answers: {
        pendingPayments: () => ({
          pending: [pendingPayment('b', 'processing'), pendingPayment('a', 'open')],
        }),
      },
      reach: seen('A purchase is being confirmed'),
    },
    preview: { reach: preview() },
    'preview-of-the-maximum': { reach: preview('500000.123456') },
    'price-changed': {
      answers: { createPaymentIntent: () => problem('rate_expired') },
      reach: purchaseAnd('The price has changed'),
    },
  },
);

async function openForm(page: Page): Promise<void> {
  await purchase(page);
  await cardFields(page).getByLabel('Card number').waitFor();
  await page.getByRole('status', { name: 'Loading the card form' }).waitFor({ state: 'detached' });
}

const payAnd = (text: string) => async (page: Page) => {
  await openForm(page);
  await pay(page);
  await see(page, text);
};

const credited: Handlers = { paymentIntent: () => ({ stripe_status: 1, error: null }) };

const cardStates: Parameters<typeof statesOf>[2] = {
  loading: {
    answers: { createPaymentIntent: silence },
    reach: async (page) => {
      await purchase(page);
      await page.getByRole('dialog', { name: 'Card payment' }).waitFor();
    },
  },
  empty: { reach: openForm },
  'not-loaded': {
    answers: { createPaymentIntent: () => problem('provider_unavailable') },
    reach: purchaseAnd('Nothing was charged'),
  },
  paused: {
    answers: { createPaymentIntent: () => problem('buying_paused') },
    reach: purchaseAnd('Buying is paused'),
  },
  incomplete: {
    reach: async (page) => {
      await openForm(page);
      await press(page, 'Pay');
      await see(page, /Please try again\.$/);
    },
  },
  declined: {
    reach: async (page) => {
      await openForm(page);
      await pay(page, CARDS.declined);
      await see(page, /declined.* Please try again\.$/);
    },
  },
  'asked-by-the-bank': {
    reach: async (page) => {
      await openForm(page);
      await pay(page, CARDS.asksForAuthentication);
      await challenge(page).getByRole('button', { name: 'Complete authentication' }).waitFor();
    },
  },
  confirming: { reach: payAnd('Confirming with your bank...') },
  'slow-confirmation': {
    reach: async (page) => {
      await payAnd('Confirming with your bank...')(page);
      await page.clock.fastForward(121_000);
      await see(page, 'takes longer than usual');
    },
  },
  'state-unreadable': {
    answers: { paymentIntent: () => problem('forbidden') },
    reach: payAnd('We could not read'),
  },
  confirmed: { answers: credited, reach: payAnd('Payment confirmed.') },
  bought: {
    answers: credited,
    reach: async (page) => {
      await payAnd('Payment confirmed.')(page);
      await page.clock.fastForward(4100);
      await page.getByRole('dialog', { name: 'Successfully purchased' }).waitFor();
    },
  },
};

type BeginPayment = Handlers['createPaymentIntent'];

/** Lists the created payment as pending, so that the form shows its end. For a single state, since each has its own payment. */
function listBegun(createPaymentIntent: BeginPayment): Handlers {
  let begunId: string | undefined;
  return {
    async createPaymentIntent(request) {
      const answer = (await createPaymentIntent?.(request)) ?? problem('not_found');
      if ('id' in answer) begunId = answer.id;
      return answer;
    },
    pendingPayments: () => ({
      pending: begunId === undefined ? [] : [pendingPayment(begunId, 'open')],
    }),
  };
}

/** The card modal. Its form is the provider's, so the payment must exist there: `createPaymentIntent` creates it. */
const cardScreen = (createPaymentIntent: BeginPayment) =>
  statesOf(
    'card',
    {
      path: '/app/buy',
      answers: {
        ...(createPaymentIntent && { createPaymentIntent }),
        paymentIntent: () => ({ stripe_status: 0, error: null }),
      },
    },
    {
      ...cardStates,
      empty: {
        answers: listBegun(createPaymentIntent),
        reach: async (page) => {
          await openForm(page);
          await see(page, 'This form ends in');
        },
      },
    },
  );

export const buyStates = (
  createPaymentIntent: Handlers['createPaymentIntent'],
): readonly ScreenState[] => [...buyScreen, ...cardScreen(createPaymentIntent)];
