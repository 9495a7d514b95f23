import type Stripe from 'stripe';
import { bookMovement } from '../balance/movements.ts';
import { readId } from '../ids.ts';
import { findPaymentMethod } from '../payments/payment-methods.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { emit } from '../webhooks/events.ts';

export type FailureReason =
  | 'charge_for_pending_refund_disputed'
  | 'declined'
  | 'expired_or_canceled_card'
  | 'insufficient_funds'
  | 'lost_or_stolen_card'
  | 'merchant_request'
  | 'unknown';

/** The charged card's effect on its refunds: none, leave them pending first, or return the money later. */
export function refundAftermath(
  sandbox: Sandbox,
  charge: Stripe.Charge,
): 'refund_fails' | 'refund_pends' | null {
  const { outcome } = findPaymentMethod(sandbox, String(charge.payment_method)).card;
  const afterwards = outcome.kind === 'succeeds' ? outcome.afterwards : undefined;
  return afterwards === 'refund_fails' || afterwards === 'refund_pends' ? afterwards : null;
}

/** Finishes a refund that a test card left open: a pending one succeeds, and one that succeeded comes back. */
export function finishRefund(sandbox: Sandbox, refundId: string): void {
  const refund = sandbox.store.find('refund', refundId)?.object;
  const charge = sandbox.store.find('charge', readId(refund?.charge ?? null))?.object;
  if (refund === undefined || charge === undefined) return;
  const aftermath = refundAftermath(sandbox, charge);
  if (aftermath === 'refund_pends' && refund.status === 'pending') succeedRefund(sandbox, refund);
  if (aftermath === 'refund_fails' && refund.status === 'succeeded') {
    returnRefund(sandbox, refund, { status: 'failed', reason: 'expired_or_canceled_card' });
  }
}

/** Fails the pending refunds of a charge whose money the cardholder's bank took back. */
export function failPendingRefunds(sandbox: Sandbox, chargeId: string): void {
  const { data } = sandbox.store.list('refund', { limit: 100, equals: { charge: [chargeId] } });
  const reason = 'charge_for_pending_refund_disputed';
  for (const refund of data.filter(({ status }) => status === 'pending')) {
    returnRefund(sandbox, refund, { status: 'failed', reason });
  }
}

/** Confirms a pending refund. Its money left the balance when it was created. */
export function succeedRefund(sandbox: Sandbox, refund: Stripe.Refund): Stripe.Refund {
  const { pending_reason, ...rest } = refund;
  const card = { ...refund.destination_details?.card, type: 'refund' };
  const destination_details = { card, type: 'card' };
  const succeeded: Stripe.Refund = { ...rest, destination_details, status: 'succeeded' };
  sandbox.store.update('refund', succeeded);
  emitUpdated(sandbox, null, succeeded, { status: refund.status, pending_reason });
  return succeeded;
}

/**
 * Ends a refund whose money comes back, even one that had succeeded: the balance gets the money again, and the charge counts as not
 * refunded by this amount.
 */
export function returnRefund(
  sandbox: Sandbox,
  refund: Stripe.Refund,
  ending: { status: 'canceled' | 'failed'; reason: FailureReason },
): Stripe.Refund {
  const charge = sandbox.store.find('charge', readId(refund.charge))?.object;
  const movement = bookMovement(sandbox, {
    amount: refund.amount,
    fee: 0,
    currency: refund.currency,
    type: 'refund_failure',
    reportingCategory: 'refund_failure',
    description: `REFUND FAILURE (${charge?.description ?? 'Payment'})`,
    source: refund.id,
    availableOn: sandbox.clock.nowSeconds(),
  });
  if (charge !== undefined) {
    const amount_refunded = charge.amount_refunded - refund.amount;
    sandbox.store.update('charge', { ...charge, amount_refunded, refunded: false });
  }
  const { pending_reason, ...rest } = refund;
  const returned: Stripe.Refund = {
    ...rest,
    failure_balance_transaction: movement.id,
    failure_reason: ending.reason,
    status: ending.status,
  };
  sandbox.store.update('refund', returned);
  const previous = { status: refund.status, pending_reason };
  if (ending.status === 'failed') {
    emit(sandbox, null, { type: 'refund.failed', object: returned, previous });
  }
  emitUpdated(sandbox, null, returned, previous);
  return returned;
}

/** Reports a changed refund under both names that the provider uses for cards. */
export function emitUpdated(
  sandbox: Sandbox,
  cause: Cause | null,
  refund: Stripe.Refund,
  previous: object,
): void {
  emit(sandbox, cause, { type: 'refund.updated', object: refund, previous });
  emit(sandbox, cause, { type: 'charge.refund.updated', object: refund, previous });
}
