import type { Sandbox } from '../sandbox.ts';
import { emit } from '../webhooks/events.ts';
import { describeOutcome, failureFields, settleCharge } from './charges.ts';
import { declineError, failIntent } from './intent-states.ts';
import { findPaymentMethod } from './payment-methods.ts';
import { readId } from '../ids.ts';
import { schedule } from '../timers.ts';
import { settleDelayMs } from './intent-states.ts';

/** Schedules the fee and its `charge.updated` event about a second after success. */
export function settleChargeLater(sandbox: Sandbox, chargeId: string): void {
  const charge = sandbox.store.find('charge', chargeId)?.object;
  if (charge === undefined || charge.balance_transaction !== null) return;
  const { card } = findPaymentMethod(sandbox, String(charge.payment_method));
  const { outcome } = card;
  const isAtOnce = outcome.kind === 'succeeds' && outcome.afterwards === 'funds_at_once';
  const settled = settleCharge(sandbox, charge, isAtOnce);
  emit(sandbox, null, {
    type: 'charge.updated',
    object: settled,
    previous: { balance_transaction: null },
  });
}

/** Ends the processing of a delayed card with success or decline. */
export function finishProcessing(sandbox: Sandbox, intentId: string): void {
  const intent = sandbox.store.find('payment_intent', intentId)?.object;
  if (intent?.status !== 'processing') return;
  const charge = sandbox.store.find('charge', readId(intent.latest_charge))?.object;
  if (charge === undefined) return;
  const { method, card } = findPaymentMethod(sandbox, readId(intent.payment_method));
  if (card.outcome.kind === 'processes' && card.outcome.ending === 'declines') {
    const decline = { code: 'card_declined', declineCode: 'generic_decline' } as const;
    const result = { status: 'failed', ...decline } as const;
    const failed = {
      ...charge,
      ...failureFields(result),
      captured: false,
      outcome: describeOutcome(result),
      paid: false,
      status: 'failed' as const,
    };
    sandbox.store.update('charge', failed);
    emit(sandbox, null, { type: 'charge.failed', object: failed });
    const attempt = { intent, method, isAuthenticated: false };
    failIntent(sandbox, null, attempt, declineError(charge.id, method, decline));
    return;
  }
  const paid = { ...charge, amount_captured: charge.amount, status: 'succeeded' as const };
  sandbox.store.update('charge', paid);
  const succeeded = {
    ...intent,
    amount_received: intent.amount,
    status: 'succeeded' as const,
  };
  sandbox.store.update('payment_intent', succeeded);
  schedule(sandbox, 'settle_charge', charge.id, settleDelayMs);
  emit(sandbox, null, { type: 'charge.succeeded', object: paid });
  emit(sandbox, null, { type: 'payment_intent.succeeded', object: succeeded });
}
