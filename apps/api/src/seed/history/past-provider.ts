/** The card provider of the demo's past, in this process: it answers as the sandbox would have answered at the time. */
import { usdCents } from '@athos/domain/money';
import type { CardProvider } from '../../modules/cards/index.ts';
import { invariant } from '../../platform/errors.ts';
import type { PastBank } from './past-bank.ts';

/** Returns the items as a list that is read page by page. */
async function* inPages<T>(items: readonly T[]): AsyncIterable<T> {
  yield* await Promise.resolve(items);
}

function neverAsked(): never {
  throw new Error('the past asks no provider for this');
}

export const createPastProvider = (bank: PastBank): CardProvider => ({
  createIntent: (request) => Promise.resolve(bank.open(request)),
  retrieveIntent: (intentId) => Promise.resolve(bank.payment(intentId).intent),
  cancelIntent(intentId) {
    const payment = bank.payment(intentId);
    if (payment.intent.status !== 'succeeded') {
      payment.intent = { ...payment.intent, status: 'canceled' };
    }
    return Promise.resolve(payment.intent);
  },
  createRefund: (request) => Promise.resolve({ outcome: 'made', refund: bank.refund(request) }),
  retrieveRefund(refundId) {
    const found = bank.payments
      .flatMap(({ refunds }) => refunds)
      .find(({ refund }) => refund.refundId === refundId);
    invariant(found !== undefined, 'the refund was made here');
    return Promise.resolve(found.refund);
  },
  listRefunds: (intentId) => inPages(bank.payment(intentId).refunds.map(({ refund }) => refund)),
  listTransactions: ({ from, to }) =>
    inPages(
      bank.transactions
        .filter(({ createdAt }) => from <= createdAt && createdAt <= to)
        .toReversed(),
    ),
  intentOfCharge: (chargeId) => Promise.resolve(chargeId.replace('ch_', 'pi_')),
  retrieveBalance: () =>
    Promise.resolve(
      usdCents(bank.transactions.reduce((sum, { netUsdCents }) => sum + netUsdCents, 0n)),
    ),
  retrieveDispute: (disputeId) => Promise.resolve(bank.dispute(disputeId).now),
  listDisputes: (intentId) => inPages(bank.payment(intentId).disputes.map(({ now }) => now)),
  submitEvidence: (disputeId) =>
    Promise.resolve({ outcome: 'done', dispute: bank.answerDispute(disputeId) }),
  retrieveWarning(warningId) {
    const found = bank.payments
      .flatMap(({ warnings }) => warnings)
      .find((warning) => warning.warningId === warningId);
    invariant(found !== undefined, 'the warning was made here');
    return Promise.resolve(found);
  },
  listIntents: neverAsked,
  listEvents: neverAsked,
  readWebhook: neverAsked,
  closeDispute: neverAsked,
  uploadEvidence: neverAsked,
  listAttempts: neverAsked,
});
