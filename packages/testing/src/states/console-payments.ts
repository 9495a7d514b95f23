import type { Handlers } from '../fake-api.ts';
import { problem, silence } from '../fake-api.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import {
  PAYMENT_ID,
  payment,
  refund,
  REFUND_ID,
  requestedRefund,
  returnedRefund,
  reviewedPayment,
} from '../samples/console-payments.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

/** Card payments, each with a refund in progress, a dispute and a fraud warning of the bank. */
const troubled: Handlers = {
  consolePayment: () =>
    payment({
      returned_token_amount: '320000000',
      refunds: [requestedRefund(), refund({ id: `${REFUND_ID.slice(0, -1)}3` })],
      disputes: [
        {
          id: '0192d15b-0000-7000-8000-000000000001',
          provider_dispute_id: 'du_1PxR2KqB1c9sample',
          payment_id: PAYMENT_ID,
          customer_uuid: payment().customer_uuid,
          status: 'needs_response',
          phase: 'open',
          reason: 'product_not_received',
          amount_usd_cents: '3363',
          withdrawn_usd_cents: '3363',
          taken_token_amount: '180000000',
          owed_token_amount: '40000000',
          due_at: new Date(Date.now() + 6 * 86_400_000).toISOString(),
          evidence_state: 'draft',
          awaits_evidence: true,
          opened_at: new Date(Date.now() - 3_600_000).toISOString(),
        },
      ],
      warnings: [
        {
          id: 'issfr_1PxR2KqB1c9sample',
          fraud_type: 'card_never_received',
          is_actionable: true,
          created_at: new Date(Date.now() - 7_200_000).toISOString(),
        },
      ],
    }),
};

export const paymentStates = [
  ...statesOf(
    'console-payments',
    { ...shared, path: '/console/payments' },
    {
      filled: { reach: seen('10 of 10 shown') },
      queue: { path: '/console/payments/review', reach: seen('1 of 1 shown') },
      empty: {
        path: '/console/payments/review',
        answers: { consolePayments: emptyList },
        reach: seen('No payment is waiting for a decision.'),
      },
      none: {
        path: '/console/payments?q=9999',
        answers: { consolePayments: emptyList },
        reach: seen('No match'),
      },
      loading: { answers: { consolePayments: silence } },
      failed: {
        answers: { consolePayments: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-payment',
    { ...shared, path: `/console/payments/${PAYMENT_ID}` },
    {
      credited: { isWhole: true, reach: seen('Card declined') },
      open: {
        isWhole: true,
        answers: {
          consolePayment: () =>
            payment({
              state: 'open',
              card: null,
              charge_id: null,
              closed_at: null,
              received_usd_cents: null,
              provider_fee_usd_cents: null,
              provider_status: 'requires_payment_method',
              error_message: 'Your card has insufficient funds.',
              bookings: [],
              events: payment().events.slice(-2),
            }),
          paymentAttempts: () => problem('provider_unavailable'),
          ledgerTransfers: () => ({ ...emptyList(), looked_until: null }),
        },
        async reach(page) {
          await page.clock.fastForward(4000);
          await see(page, 'The provider cannot be asked');
        },
      },
      troubled: { isWhole: true, answers: troubled, reach: seen('Early fraud warning') },
      review: {
        answers: { consolePayment: reviewedPayment },
        reach: seen('This payment is waiting for a decision'),
      },
      'review-credit': {
        answers: { consolePayment: reviewedPayment },
        async reach(page) {
          await press(page, 'Credit 100.00 ATH');
          await page.getByRole('dialog', { name: 'Credit as ordered' }).waitFor();
        },
      },
      refund: {
        async reach(page) {
          await press(page, 'Refund');
          await see(page, /Takes 320.00 ATH/);
        },
      },
      'refund-part': {
        async reach(page) {
          await press(page, 'Refund');
          await see(page, /Takes 320.00 ATH/);
          await write(page, 'Amount in ATH', '100');
          await page.clock.fastForward(400);
          await see(page, /Takes 100.00 ATH/);
          await write(page, 'Reason', 'The concert was cancelled an hour before it began.');
        },
      },
      auditor: {
        answers: { me: () => staffWith(['auditor']) },
        reach: seen(/Needs the permission payments.refund/),
      },
    },
  ),
  ...statesOf(
    'console-refunds',
    { ...shared, path: '/console/refunds' },
    {
      filled: { reach: seen('6 of 6 shown') },
      empty: {
        answers: { consoleRefunds: emptyList },
        reach: seen('Refunds appear here.'),
      },
      requested: { path: `/console/refunds/${REFUND_ID}`, reach: seen('Open the request') },
      succeeded: {
        path: `/console/refunds/${REFUND_ID}`,
        answers: { consoleRefund: () => refund() },
        reach: seen('Tomás Okafor'),
      },
      returned: {
        path: `/console/refunds/${REFUND_ID}`,
        answers: { consoleRefund: returnedRefund },
        reach: seen('The money came back'),
      },
    },
  ),
];
