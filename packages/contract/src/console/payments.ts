/** Calls of the console about card payments: orders with their later states, refunds and reviews. */
import { z } from 'zod';
import { positiveUnitsText, timeText, unitsText, uuidParam, uuidText } from '../values.ts';
import { policyOutcome, reasonText as reason } from './approvals.ts';
import { booking } from './card-money.ts';
import type { ConsoleCalls } from './console-call.ts';
import { centsText, dispute } from './disputes.ts';
import { listOf, pageQuery } from './lists.ts';

export const PAYMENT_STATES = ['creating', 'open', 'credited', 'canceled', 'review'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATES = [
  'requested',
  'approved',
  'sending',
  'pending',
  'succeeded',
  'rejected',
  'withdrawn',
  'expired',
  'refused',
  'failed',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** The ways in which a person can end a review. */
export const REVIEW_RESOLUTIONS = ['credited', 'refunded', 'settled_elsewhere'] as const;
export const REVIEW_OUTCOMES = ['credit', 'refund', 'settled_elsewhere'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Reasons why this number of tokens cannot be refunded: less than 1.00 USD, or less than that would be left. */
const REFUND_FAULTS = ['below_minimum', 'leaves_too_little'] as const;

/** The card as the provider names it. Known once a payment has succeeded. */
const card = z.object({ brand: z.string(), last_four: z.string() });

const split = {
  token_amount: unitsText,
  price_usd_cents: centsText,
  product_fee_usd_cents: centsText,
  processing_fee_usd_cents: centsText,
  total_usd_cents: centsText,
};

const payment = z.object({
  id: z.string(),
  customer_uuid: z.string(),
  state: z.enum(PAYMENT_STATES),
  token_amount: unitsText,
  total_usd_cents: centsText,
  provider_fee_usd_cents: centsText.nullable(),
  /** Tokens that can no longer be returned: refunded, being refunded, or charged back. */
  returned_token_amount: unitsText,
  /** The part of these that waits for a vote or for the provider, and may come back. */
  refunding_token_amount: unitsText,
  /** The part of these that a lost dispute took from the balance, or that was repaid afterwards. */
  charged_back_token_amount: unitsText,
  /** Also true for the refund of a payment that was never credited, which returns no tokens. */
  is_refund_under_way: z.boolean(),
  is_charged_back: z.boolean(),
  card: card.nullable(),
  review_reason: z.string().nullable(),
  resolution: z.enum(REVIEW_RESOLUTIONS).nullable(),
  created_at: timeText,
  closed_at: timeText.nullable(),
});

const refund = z.object({
  id: z.string(),
  payment_id: z.string(),
  customer_uuid: z.string(),
  state: z.enum(REFUND_STATES),
  is_adopted: z.boolean(),
  method: z.enum(['card', 'bank']),
  bank_reference: z.string().nullable(),
  token_amount: unitsText,
  /** The programme bears the cost that the tokens did not cover. */
  taken_token_amount: unitsText,
  total_usd_cents: centsText,
  reason: z.string(),
  failure: z.string().nullable(),
  provider_refund_id: z.string().nullable(),
  created_at: timeText,
  accepted_at: timeText.nullable(),
  closed_at: timeText.nullable(),
});

/** The filters of both lists. */
const found = {
  sort: z.enum(['newest', 'oldest']).default('newest'),
  customer_uuid: uuidText.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
};

export const paymentFilters = {
  ...found,
  /** The id of an order or refund, an id of the provider, or the last four digits of the card. */
  q: z.string().trim().min(1).max(255).optional(),
  state: z.enum(PAYMENT_STATES).optional(),
};

export const refundFilters = {
  ...found,
  /** The id of a refund or its payment, or the provider's id of the refund. */
  q: z.string().trim().min(1).max(255).optional(),
  state: z.enum(REFUND_STATES).optional(),
};

export const paymentCalls = {
  consolePayments: {
    method: 'GET',
    path: '/admin/payments',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Card payments. Those in review, oldest first, are the queue of reviews',
    query: z.object({ ...pageQuery, ...paymentFilters }),
    answer: listOf(payment),
  },
  consolePayment: {
    method: 'GET',
    path: '/admin/payments/:id',
    auth: 'console',
    permission: 'payments.read',
    summary: 'One card payment with what followed it',
    params: uuidParam,
    answer: payment.extend({
      /** USD for one ATH, as a decimal number. */
      usd_per_ath: z.string(),
      price_usd_cents: centsText,
      product_fee_usd_cents: centsText,
      processing_fee_usd_cents: centsText,
      /** The amount booked as received; null before that, and for a payment in another currency. */
      received_usd_cents: centsText.nullable(),
      intent_id: z.string().nullable(),
      charge_id: z.string().nullable(),
      /** The payment intent's last known status, in the provider's terms. */
      provider_status: z.string().nullable(),
      error_message: z.string().nullable(),
      expires_at: timeText,
      refunds: z.array(refund),
      disputes: z.array(dispute),
      bookings: z.array(booking),
      warnings: z.array(
        z.object({
          id: z.string(),
          fraud_type: z.string(),
          is_actionable: z.boolean(),
          created_at: timeText,
        }),
      ),
      /** Events from the provider, newest first, kept for 90 days. */
      events: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          object_id: z.string().nullable(),
          created_at: timeText,
          /** Null while the event waits for its job. */
          processed_at: timeText.nullable(),
        }),
      ),
    }),
  },
  paymentAttempts: {
    method: 'GET',
    path: '/admin/payments/:id/attempts',
    auth: 'console',
    permission: 'payments.read',
    // Each call asks the provider, and shares its rate limit with payments.
    limit: 'search',
    summary: 'Each card that was tried for a payment, as the provider knows it now, newest first',
    params: uuidParam,
    answer: z.object({
      items: z.array(
        z.object({
          charge_id: z.string(),
          at: timeText,
          /** `succeeded`, `pending`, `failed`, or a state that the provider adds. */
          state: z.string(),
          amount_usd_cents: centsText,
          card: card
            .extend({ country: z.string().nullable(), funding: z.string().nullable() })
            .nullable(),
          /** The reason for the failure: the provider's code, and its text for the customer. */
          failure: z.object({ code: z.string(), message: z.string() }).nullable(),
          /** The result of 3-D Secure in the provider's terms; null if it was not requested. */
          authentication: z.string().nullable(),
          risk_level: z.string().nullable(),
        }),
      ),
    }),
  },
  refundable: {
    method: 'GET',
    path: '/admin/payments/:id/refundable',
    auth: 'console',
    permission: 'payments.read',
    summary: 'How much of a payment can go back to its card, and why that much',
    params: uuidParam,
    query: z.object({ token_amount: positiveUnitsText.optional() }),
    answer: z.object({
      /** The part of the order that is not refunded yet. */
      not_returned_token_amount: unitsText,
      /** The lowest balance since the credit; null if there are too many movements to read. */
      low_water_token_amount: unitsText.nullable(),
      is_disputed: z.boolean(),
      /** The card could not take an earlier refund, so a bank transfer is possible. */
      has_card_failed: z.boolean(),
      /** The largest refund; null if none is possible. */
      largest: z.object(split).nullable(),
      /** The largest refund at the programme's cost, which takes no tokens. */
      largest_at_cost: z.object(split).nullable(),
      /** The money for the requested tokens; null if the order has fewer left. */
      asked: z.object({ ...split, fault: z.enum(REFUND_FAULTS).nullable() }).nullable(),
    }),
  },
  refundPayment: {
    method: 'POST',
    path: '/admin/payments/:id/refunds',
    auth: 'console',
    permission: 'payments.refund',
    audit: { action: 'payment.refund', subject: 'payment' },
    proof: true,
    summary: 'Refund a payment to its card, within the policy or by request',
    params: uuidParam,
    body: z.object({
      /** If absent, as much as is refundable. */
      token_amount: positiveUnitsText.optional(),
      /** Takes no tokens: the programme bears the cost. */
      is_at_cost: z.boolean().default(false),
      reason,
    }),
    answer: policyOutcome({}),
  },
  refundByBank: {
    method: 'POST',
    path: '/admin/payments/:id/bank_refunds',
    auth: 'console',
    permission: 'payments.refund',
    audit: { action: 'payment.refund_by_bank', subject: 'payment' },
    proof: true,
    summary: 'Refund a payment by a bank transfer, because its card could not take the refund',
    params: uuidParam,
    body: z.object({
      /** If absent, as much as is refundable. */
      token_amount: positiveUnitsText.optional(),
      /** The reference of the bank transfer that finance makes. */
      bank_reference: z.string().trim().min(1).max(140),
      reason,
    }),
    answer: policyOutcome({}),
  },
  resolveReview: {
    method: 'POST',
    path: '/admin/payments/:id/review',
    auth: 'console',
    permission: 'payments.review',
    audit: { action: 'payment.resolve_review', subject: 'payment' },
    proof: true,
    summary: 'End the review of a payment: credit it, refund it, or close it as settled elsewhere',
    params: uuidParam,
    body: z.object({ outcome: z.enum(REVIEW_OUTCOMES), reason }),
    answer: policyOutcome({}),
  },
  consoleRefunds: {
    method: 'GET',
    path: '/admin/refunds',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Refunds to cards',
    query: z.object({ ...pageQuery, ...refundFilters }),
    answer: listOf(refund),
  },
  consoleRefund: {
    method: 'GET',
    path: '/admin/refunds/:id',
    auth: 'console',
    permission: 'payments.read',
    summary: 'One refund with its money',
    params: uuidParam,
    answer: refund.extend({
      ...split,
      card: card.nullable(),
      /** Returns the money received for a payment that was never credited. */
      is_uncredited: z.boolean(),
      sent_at: timeText.nullable(),
      /** Null if it was made at the provider. It then has no requester and no approval request here. */
      requested_by: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  },
} as const satisfies ConsoleCalls;
