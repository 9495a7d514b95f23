import type Stripe from 'stripe';
import { bookMovement } from '../balance/movements.ts';
import { closeInquiriesOf } from '../disputes/dispute-states.ts';
import { createId, readId } from '../ids.ts';
import { settleChargeLater } from '../payments/intent-timers.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { schedule } from '../timers.ts';
import { ApiError, invalidRequest, missingResource } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import { mergeMetadata, readChoice, readGiven, readInteger } from '../transport/params.ts';
import { closeWarnings } from '../warnings/early-fraud-warnings.ts';
import { emit } from '../webhooks/events.ts';
import { refundAftermath } from './refund-states.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** How long test cards take to finish their refunds, by the sandbox's clock. */
const refundDelayMs = 60_000;

/**
 * Refunds a charge in whole or in part; without an amount, the rest of it. Throws ApiError 400 for a disputed charge, a refunded one, and
 * an amount above the rest.
 */
export function createRefund(sandbox: Sandbox, cause: Cause | null, form: Form): Stripe.Refund {
  const found = findCharge(sandbox, form);
  const reason = readChoice(form, 'reason', reasons, null);
  const metadata = mergeMetadata({}, form);
  const asked = readRefundAmount(form);
  requireRefundable(sandbox, found);
  const amount = asked ?? found.amount - found.amount_refunded;
  requireUnrefunded(found, amount);

  // A charge is recorded about a second after the payment, and never after its own refund.
  settleChargeLater(sandbox, found.id);
  const charge = sandbox.store.find('charge', found.id)?.object ?? found;
  const isPending = refundAftermath(sandbox, charge) === 'refund_pends';
  const refund = keepRefund(sandbox, charge, { amount, reason, metadata, isPending });
  const refunded = keepRefunded(sandbox, charge, refund);
  if (refundAftermath(sandbox, charge) !== null) {
    schedule(sandbox, 'finish_refund', refund.id, refundDelayMs);
  }
  emit(sandbox, cause, { type: 'refund.created', object: refund });
  const { amount_refunded, refunded: wasRefunded } = charge;
  emit(sandbox, cause, {
    type: 'charge.refunded',
    object: refunded,
    previous: { amount_refunded, refunded: wasRefunded },
  });
  if (refunded.refunded) {
    closeInquiriesOf(sandbox, charge.id);
    closeWarnings(sandbox, charge.id);
  }
  return refund;
}

interface Terms {
  readonly amount: number;
  readonly reason: Stripe.Refund.Reason | null;
  readonly metadata: Stripe.Metadata;
  readonly isPending: boolean;
}

function keepRefund(sandbox: Sandbox, charge: Stripe.Charge, terms: Terms): Stripe.Refund {
  const id = createId('re_3');
  const movement = bookMovement(sandbox, {
    amount: -terms.amount,
    fee: 0,
    currency: charge.currency,
    type: 'refund',
    reportingCategory: 'refund',
    description: `REFUND FOR CHARGE (${charge.description ?? 'Payment'})`,
    source: id,
    availableOn: refundAvailableOn(sandbox, charge),
  });
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount: terms.amount,
    balance_transaction: movement.id,
    charge: charge.id,
    created: sandbox.clock.nowSeconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: terms.isPending ? 'pending' : 'refund',
      },
      type: 'card',
    },
    metadata: terms.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(terms.isPending ? { pending_reason: 'processing' } : {}),
    reason: terms.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: terms.isPending ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  sandbox.store.insert('refund', refund);
  return refund;
}

/** The refund of a payment that is not available yet becomes available together with it. */
function refundAvailableOn(sandbox: Sandbox, charge: Stripe.Charge): number {
  const paid = sandbox.store.find('balance_transaction', readId(charge.balance_transaction));
  return Math.max(paid?.object.available_on ?? 0, sandbox.clock.nowSeconds());
}

function keepRefunded(
  sandbox: Sandbox,
  charge: Stripe.Charge,
  refund: Stripe.Refund,
): Stripe.Charge {
  const amount_refunded = charge.amount_refunded + refund.amount;
  const refunded: Stripe.Charge = {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount,
    ...(refund.reason === 'fraudulent' ? { fraud_details: { user_report: 'fraudulent' } } : {}),
  };
  sandbox.store.update('charge', refunded);
  return refunded;
}

/** The charge named by `charge` or `payment_intent`, or by both if they belong together. */
function findCharge(sandbox: Sandbox, form: Form): Stripe.Charge {
  const chargeId = readGiven(form, 'charge');
  const intentId = readGiven(form, 'payment_intent');
  if (chargeId === undefined && intentId === undefined) {
    throw invalidRequest('One of the following params should be provided: payment_intent, charge.');
  }
  const intent =
    intentId === undefined ? undefined : sandbox.store.find('payment_intent', intentId)?.object;
  if (intentId !== undefined && intent === undefined) {
    throw missingResource('payment_intent', intentId, 'payment_intent');
  }
  const id = chargeId ?? readId(intent?.latest_charge ?? null);
  const charge = sandbox.store.find('charge', id)?.object;
  if (charge === undefined && chargeId !== undefined) {
    throw missingResource('charge', chargeId, 'charge');
  }
  if (charge?.status !== 'succeeded') {
    const what = intentId === undefined ? `Charge ${id}` : `This PaymentIntent (${intentId})`;
    throw refuse('charge_not_refundable', `${what} does not have a successful charge to refund.`);
  }
  if (intentId !== undefined && readId(charge.payment_intent) !== intentId) {
    throw invalidRequest(`The charge ${id} does not belong to the PaymentIntent.`, 'charge');
  }
  return charge;
}

function readRefundAmount(form: Form): number | null {
  const amount = readInteger(form, 'amount');
  if (amount !== null && amount < 1) {
    throw invalidRequest('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  }
  return amount;
}

function requireRefundable(sandbox: Sandbox, charge: Stripe.Charge): void {
  const disputes = sandbox.store.list('dispute', { limit: 100, equals: { charge: [charge.id] } });
  // A refunded charge is named first: its dispute can be lost without another withdrawal.
  if (charge.refunded) {
    throw refuse('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  }
  if (disputes.data.some((dispute) => !dispute.is_charge_refundable)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw refuse('charge_disputed', message);
  }
}

function requireUnrefunded(charge: Stripe.Charge, amount: number): void {
  const left = charge.amount - charge.amount_refunded;
  if (amount <= left) return;
  const show = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
  const message = `Refund amount (${show(amount)}) is greater than unrefunded amount on charge (${show(left)})`;
  throw new ApiError(
    400,
    { type: 'invalid_request_error', message, param: 'amount' },
    { isExecuted: true },
  );
}

/** 400 for a valid request that the state of the charge forbids. Stored under the key. */
function refuse(code: string, message: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message }, { isExecuted: true });
}
