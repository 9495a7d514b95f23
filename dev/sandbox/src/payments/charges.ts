import type Stripe from 'stripe';
import type { DeclineCode } from '../cards/test-cards.ts';
import { declineMessage } from '../cards/decline-messages.ts';
import { createId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { bookMovement, chargeFee } from '../balance/movements.ts';

export interface Attempt {
  readonly intent: Stripe.PaymentIntent;
  readonly method: Stripe.PaymentMethod;
  readonly isAuthenticated: boolean;
}

export type ChargeResult =
  | { readonly status: 'succeeded' }
  | { readonly status: 'pending' }
  | { readonly status: 'failed'; readonly code: DeclineCode; readonly declineCode: string | null };

/** Creates the charge of one attempt. Its balance transaction follows later (`settleCharge`). */
export function createCharge(
  sandbox: Sandbox,
  attempt: Attempt,
  result: ChargeResult,
): Stripe.Charge {
  const { intent, method } = attempt;
  const isPaid = result.status !== 'failed';
  const charge: Stripe.Charge = {
    id: createId('ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: result.status === 'succeeded' ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'ATHOS SANDBOX',
    captured: isPaid,
    created: sandbox.clock.nowSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    ...failureFields(result),
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: describeOutcome(result),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: describeCard(attempt, result) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: result.status,
    transfer_data: null,
    transfer_group: null,
  };
  sandbox.store.insert('charge', charge);
  return charge;
}

/** The `failure_code` and `failure_message` of a charge. */
export function failureFields(
  result: ChargeResult,
): Pick<Stripe.Charge, 'failure_code' | 'failure_message'> {
  if (result.status !== 'failed') return { failure_code: null, failure_message: null };
  return {
    failure_code: result.code,
    failure_message: declineMessage(result.code, result.declineCode ?? undefined),
  };
}

export function describeOutcome(result: ChargeResult): Stripe.Charge.Outcome {
  const risk = { risk_level: 'normal', risk_score: 20 };
  const none = { advice_code: null, network_advice_code: null, network_decline_code: null };
  if (result.status !== 'failed') {
    const seller_message = 'Payment complete.';
    const network_status = 'approved_by_network';
    return { ...none, ...risk, network_status, reason: null, seller_message, type: 'authorized' };
  }
  const isBlocked = result.declineCode === 'fraudulent';
  return {
    ...none,
    ...risk,
    network_status: isBlocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: isBlocked ? 'highest_risk_level' : (result.declineCode ?? result.code),
    ...(isBlocked ? { risk_level: 'highest', risk_score: 75 } : {}),
    seller_message: isBlocked
      ? 'Stripe blocked this payment as too risky.'
      : 'The bank did not return any further details with this decline.',
    type: isBlocked ? 'blocked' : 'issuer_declined',
  };
}

function describeCard(
  attempt: Attempt,
  result: ChargeResult,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { card } = attempt.method;
  const isCvcWrong = result.status === 'failed' && result.code === 'incorrect_cvc';
  const postal = attempt.method.billing_details.address?.postal_code;
  return {
    amount_authorized: result.status === 'failed' ? null : attempt.intent.amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: {
      address_line1_check: null,
      address_postal_code_check: postal ? 'pass' : null,
      cvc_check: isCvcWrong ? 'fail' : 'pass',
    },
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: attempt.isAuthenticated ? authenticatedByChallenge : null,
    transaction_link_id: null,
    wallet: null,
  };
}

const authenticatedByChallenge: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
};

/** Records a successful charge with its fee of 2.9 % + 30. Returns the charge with its balance transaction. */
export function settleCharge(
  sandbox: Sandbox,
  charge: Stripe.Charge,
  isAvailableAtOnce: boolean,
): Stripe.Charge {
  const movement = bookMovement(sandbox, {
    amount: charge.amount,
    fee: chargeFee(charge.amount),
    currency: charge.currency,
    type: 'charge',
    reportingCategory: 'charge',
    description: charge.description,
    source: charge.id,
    ...(isAvailableAtOnce ? { availableOn: sandbox.clock.nowSeconds() } : {}),
  });
  const settled = { ...charge, balance_transaction: movement.id };
  sandbox.store.update('charge', settled);
  return settled;
}
