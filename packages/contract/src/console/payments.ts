/** Calls of the console about card payments: orders with what followed them, refunds and reviews. */
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

/** How a person ended a review, and what they may ask for. */
export const REVIEW_RESOLUTIONS = ['credited', 'refunded', 'settled_elsewhere'] as const;
export const REVIEW_OUTCOMES = ['credit', 'refund', 'settled_elsewhere'] as const;
export type ReviewOutcome = (typeof REVIEW_OUTCOMES)[number];

/** Why so many tokens cannot be refunded: less than 1.00 USD, or less than that would be left. */
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
  /** What can be returned no more: refunded, being refunded, or charged back. */
  returned_token_amount: unitsText,
  /** Of these, what waits for a vote or for the provider, and may come back. */
  refunding_token_amount: unitsText,
  /** Of these, what was there or was repaid after a lost dispute. */
  charged_back_token_amount: unitsText,
  /** Also the refund of a payment that was never credited, which returns no tokens. */
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
  /** What the tokens did not cover is the programme's cost. */
  taken_token_amount: unitsText,
  total_usd_cents: centsText,
  reason: z.string(),
  failure: z.string().nullable(),
  provider_refund_id: z.string().nullable(),
  created_at: timeText,
  accepted_at: timeText.nullable(),
  closed_at: timeText.nullable(),
});

/** The filters that both lists have. */
const found = {
  sort: z.enum(['newest', 'oldest']).default('newest'),
  customer_uuid: uuidText.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
};

export const paymentFilters = {
  ...found,
  /** An order or a refund, an id of the provider, or the last four digits of the card. */
  q: z.string().trim().min(1).max(255).optional(),
  state: z.enum(PAYMENT_STATES).optional(),
};

export const refundFilters = {
  ...found,
  /** A refund, its payment, or the id that the provider gave it. */
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
      /** What was booked as received; null before, and for a payment in another currency. */
      received_usd_cents: centsText.nullable(),
      intent_id: z.string().nullable(),
      charge_id: z.string().nullable(),
      /** The intent's status as last seen, in the provider's words. */
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
      /** What the provider told, newest first. They are kept for 90 days. */
      events: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          object_id: z.string().nullable(),
          created_at: timeText,
          /** Null while it waits for its job. */
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
    // Each one asks the provider, whose limit payments share.
    limit: 'search',
    summary: 'Each card that was tried for a payment, as the provider knows it now, newest first',
    params: uuidParam,
    answer: z.object({
      items: z.array(
        z.object({
          charge_id: z.string(),
          at: timeText,
          /** `succeeded`, `pending`, `failed`, or what the provider adds. */
          state: z.string(),
          amount_usd_cents: centsText,
          card: card
            .extend({ country: z.string().nullable(), funding: z.string().nullable() })
            .nullable(),
          /** Why it failed: the provider's code, and its words for the customer. */
          failure: z.object({ code: z.string(), message: z.string() }).nullable(),
          /** The result of 3-D Secure in the provider's words; null if it was not asked for. */
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
      /** The card could not take a refund before: it can be made by bank. */
      has_card_failed: z.boolean(),
      /** The largest refund; null if none is possible. */
      largest: z.object(split).nullable(),
      /** The largest at the programme's cost, which takes no tokens. */
      largest_at_cost: z.object(split).nullable(),
      /** The money of the tokens that were asked about; null if fewer are left of the order. */
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
      /** Absent: as much as is refundable. */
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
      /** Absent: as much as is refundable. */
      token_amount: positiveUnitsText.optional(),
      /** Under which finance makes the bank transfer. */
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
      /** What was received for a payment that was never credited. */
      is_uncredited: z.boolean(),
      sent_at: timeText.nullable(),
      /** Null if it was made at the provider. Then nobody asked for it here, and no request has its id. */
      requested_by: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  },
} as const satisfies ConsoleCalls;
