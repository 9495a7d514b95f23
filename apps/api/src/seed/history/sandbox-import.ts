/** Imports the payments of the demo's past into the card sandbox, so that it answers about them as the provider of the past did. */
import { centsNumber } from '@athos/domain/money';
import type { PastBank } from './past-bank.ts';
import type { PastDispute, PastPayment } from './past-payments.ts';

const PAYMENTS_PER_CALL_MAX = 500;
/** A call takes about a second. */
const CALL_TIMEOUT_MS = 60_000;

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

const disputeItem = ({ story, now, createdMs, answeredMs, endedMs }: PastDispute) => ({
  id: now.disputeId,
  kind: story.kind,
  reason: story.reason,
  amount: centsNumber(now.amountUsdCents),
  created: secondsOf(createdMs),
  ...(answeredMs !== undefined && { answered: secondsOf(answeredMs) }),
  ...(endedMs !== undefined && { ended: secondsOf(endedMs) }),
  outcome: endedMs === undefined ? 'open' : story.outcome,
  transactions: now.transactions.map(({ transactionId }) => transactionId),
});

/** Payments that were never attempted are left out, because they are never queried again. */
function paymentItem({ request, intent, ...payment }: PastPayment): object[] {
  if (payment.triedMs === undefined) return [];
  return [
    {
      payment_intent: intent.intentId,
      charge: intent.charge?.chargeId ?? intent.error?.chargeId,
      ...(intent.charge?.transaction && { transaction: intent.charge.transaction.transactionId }),
      amount: centsNumber(request.amountUsdCents),
      created: secondsOf(payment.triedMs),
      card: payment.card,
      description: request.description,
      receipt_email: request.receiptEmail,
      metadata: request.metadata,
      refunds: payment.refunds.map(({ refund, transactionId, atMs }) => ({
        id: refund.refundId,
        transaction: transactionId,
        amount: centsNumber(refund.amountUsdCents),
        created: secondsOf(atMs),
        metadata: refund.metadata,
      })),
      disputes: payment.disputes.map(disputeItem),
      warnings: payment.warnings.map(({ warningId, createdAt, fraudType }) => ({
        id: warningId,
        created: secondsOf(createdAt.getTime()),
        fraud_type: fraudType,
      })),
    },
  ];
}

/** Throws if the sandbox refuses. Payments that the sandbox already knows are left unchanged. */
export async function importIntoSandbox(sandboxUrl: string, bank: PastBank): Promise<void> {
  const items = bank.payments.flatMap(paymentItem);
  const payouts = bank.payouts.map(({ payoutId, transactionId, midnightMs }) => ({
    created: secondsOf(midnightMs),
    id: payoutId,
    transaction: transactionId,
  }));
  for (let from = 0; from < items.length; from += PAYMENTS_PER_CALL_MAX) {
    const payments = items.slice(from, from + PAYMENTS_PER_CALL_MAX);
    const isLast = from + PAYMENTS_PER_CALL_MAX >= items.length;
    const answer = await fetch(`${sandboxUrl}/_sandbox/import`, {
      method: 'POST',
      body: JSON.stringify({ payments, ...(isLast && { payouts }) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    // The body is always read: an unread answer keeps its connection open, and with it this process.
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the sandbox refused the past: ${text}`);
  }
}
