import type Stripe from 'stripe';
import { authenticationFailureMessage, declineMessage } from '../cards/decline-messages.ts';
import type { Aftermath, TestCard } from '../cards/test-cards.ts';
import type { Cause, Sandbox } from '../sandbox.ts';
import { schedule } from '../timers.ts';
import { ApiError, withDocumentation } from '../transport/errors.ts';
import type { ErrorBody } from '../transport/errors.ts';
import { emit } from '../webhooks/events.ts';
import { createCharge, settleCharge } from './charges.ts';
import type { Attempt, ChargeResult } from './charges.ts';

export const settleDelayMs = 1000;
const processingDelayMs = 3000;

/** The delay before a test card disputes or warns: long enough for the payment to be noticed first. */
const followDelayMs = 60_000;

/** The intent after an attempt and, if it was refused, the 402 to return. Both are already committed. */
export interface AttemptResult {
  readonly intent: Stripe.PaymentIntent;
  readonly refusal: ApiError | null;
}

/** Charges the card. The only place where an intent succeeds, is declined or starts processing. */
export function chargeIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  attempt: Attempt,
  card: TestCard,
): AttemptResult {
  const { outcome } = card;
  if (outcome.kind === 'declines') {
    const declineCode = outcome.declineCode ?? null;
    return declineIntent(sandbox, cause, attempt, { code: outcome.code, declineCode });
  }
  if (outcome.kind === 'processes') return beginProcessing(sandbox, cause, attempt);
  const intent = succeedIntent(sandbox, cause, attempt, outcome.afterwards ?? null);
  return { intent, refusal: null };
}

function succeedIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  attempt: Attempt,
  afterwards: Aftermath | null,
): Stripe.PaymentIntent {
  const isAvailableAtOnce = afterwards === 'funds_at_once';
  let charge = createCharge(sandbox, attempt, { status: 'succeeded' });
  // With automatic_async, the provider's default, the fee is known only when charge.updated arrives.
  if (attempt.intent.capture_method === 'automatic') {
    charge = settleCharge(sandbox, charge, isAvailableAtOnce);
  } else {
    schedule(sandbox, 'settle_charge', charge.id, isAvailableAtOnce ? 0 : settleDelayMs);
  }
  if (afterwards !== null) schedule(sandbox, 'follow_charge', charge.id, followDelayMs);
  const intent: Stripe.PaymentIntent = {
    ...attempt.intent,
    amount_received: attempt.intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: attempt.method.id,
    status: 'succeeded',
  };
  sandbox.store.update('payment_intent', intent, {});
  emit(sandbox, cause, { type: 'charge.succeeded', object: charge });
  emit(sandbox, cause, { type: 'payment_intent.succeeded', object: intent });
  return intent;
}

export interface Decline {
  readonly code: Extract<ChargeResult, { status: 'failed' }>['code'];
  readonly declineCode: string | null;
}

/** Records a declined attempt: a failed charge and an error on the intent, which stays open for another card. */
function declineIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  attempt: Attempt,
  decline: Decline,
): AttemptResult {
  const charge = createCharge(sandbox, attempt, { status: 'failed', ...decline });
  emit(sandbox, cause, { type: 'charge.failed', object: charge });
  return failIntent(sandbox, cause, attempt, declineError(charge.id, attempt.method, decline));
}

export function declineError(
  chargeId: string,
  method: Stripe.PaymentMethod,
  decline: Decline,
): ErrorBody {
  return {
    type: 'card_error',
    charge: chargeId,
    code: decline.code,
    ...(decline.declineCode === null ? {} : { decline_code: decline.declineCode }),
    message: declineMessage(decline.code, decline.declineCode ?? undefined),
    payment_method: method,
  };
}

/** Records a failed, closed or abandoned 3-D Secure challenge. No charge is made. */
export function failAuthentication(
  sandbox: Sandbox,
  cause: Cause | null,
  attempt: Attempt,
): AttemptResult {
  return failIntent(sandbox, cause, attempt, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message: authenticationFailureMessage,
    payment_method: attempt.method,
  });
}

/** Returns the intent to requires_payment_method with the attempt's error. The response is 402 with the intent. */
export function failIntent(
  sandbox: Sandbox,
  cause: Cause | null,
  attempt: Attempt,
  body: ErrorBody,
): AttemptResult {
  const error = withDocumentation(body);
  const intent: Stripe.PaymentIntent = {
    ...attempt.intent,
    last_payment_error: error as Stripe.PaymentIntent.LastPaymentError,
    latest_charge: error.charge ?? attempt.intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  sandbox.store.update('payment_intent', intent, {});
  emit(sandbox, cause, { type: 'payment_intent.payment_failed', object: intent });
  const refusal = new ApiError(402, { ...body, payment_intent: intent }, { isExecuted: true });
  return { intent, refusal };
}

function beginProcessing(sandbox: Sandbox, cause: Cause | null, attempt: Attempt): AttemptResult {
  const charge = createCharge(sandbox, attempt, { status: 'pending' });
  const intent: Stripe.PaymentIntent = {
    ...attempt.intent,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: attempt.method.id,
    status: 'processing',
  };
  sandbox.store.update('payment_intent', intent, {});
  schedule(sandbox, 'finish_processing', intent.id, processingDelayMs);
  emit(sandbox, cause, { type: 'charge.pending', object: charge });
  emit(sandbox, cause, { type: 'payment_intent.processing', object: intent });
  return { intent, refusal: null };
}
