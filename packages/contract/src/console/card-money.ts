/** Calls of the console about card money: payments, refunds, reviews and the books with the provider. */
import { z } from 'zod';
import { positiveUnitsText, timeText, unitsText, uuidParam, uuidText } from '../values.ts';
import { policyOutcome, reasonText as reason } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { centsText, dispute } from './disputes.ts';
import { listOf, pageQuery } from './lists.ts';

const providerId = z.string().max(255);

/**
 * The programme's accounts of card money that finance may book by hand. `card_provider` is none of them: it moves only with a
 * booking that has, or awaits, its transaction at the provider.
 */
export const BOOKING_ACCOUNTS = [
  'token_sales',
  'programme_fee',
  'processing_fee',
  'provider_fees',
  'disputed',
  'dispute_fees',
  'chargeback_loss',
  'refund_cost',
  'bank',
  'suspense',
] as const;
const BOOKING_CENTS_MAX = 10_000_000_000;

const ORDER_STATES = ['creating', 'open', 'credited', 'canceled', 'review'] as const;
const REFUND_STATES = [
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
const payment = z.object({
  id: z.string(),
  customer_uuid: z.string(),
  state: z.enum(ORDER_STATES),
  token_amount: unitsText,
  total_usd_cents: centsText,
  provider_fee_usd_cents: centsText.nullable(),
  returned_token_amount: unitsText,
  review_reason: z.string().nullable(),
  resolution: z.enum(['credited', 'refunded', 'settled_elsewhere']).nullable(),
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

export const booking = z.object({
  id: z.string(),
  what: z.enum(['payment', 'refund', 'refund_return', 'dispute', 'payout', 'manual']),
  payment_id: z.string().nullable(),
  source_id: z.string().nullable(),
  amount_usd_cents: centsText,
  fee_usd_cents: centsText,
  booked_at: timeText,
  is_matched: z.boolean(),
  explanation: z.string().nullable(),
});

export const transaction = z.object({
  id: z.string(),
  type: z.string(),
  source_id: z.string().nullable(),
  amount_usd_cents: centsText,
  fee_usd_cents: centsText,
  net_usd_cents: centsText,
  created_at: timeText,
  listed_at: timeText,
  booking_id: z.string().nullable(),
  explanation: z.string().nullable(),
});

const done = z.object({ outcome: z.literal('done') });

export const cardMoneyCalls = {
  consolePayments: {
    method: 'GET',
    path: '/admin/payments',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Card payments, newest first. Those in review are the queue of reviews',
    query: z.object({
      ...pageQuery,
      state: z.enum(ORDER_STATES).optional(),
      customer_uuid: uuidText.optional(),
    }),
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
      intent_id: z.string().nullable(),
      charge_id: z.string().nullable(),
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
    }),
  },
  refundable: {
    method: 'GET',
    path: '/admin/payments/:id/refundable',
    auth: 'console',
    permission: 'payments.read',
    summary: 'How much of a payment can go back to its card, and why that much',
    params: uuidParam,
    answer: z.object({
      /** The part of the order that is not refunded yet. */
      not_returned_token_amount: unitsText,
      /** The lowest balance since the credit; null if there are too many movements to read. */
      low_water_token_amount: unitsText.nullable(),
      is_disputed: z.boolean(),
      /** The card could not take a refund before: it can be made by bank. */
      has_card_failed: z.boolean(),
      /** The largest refund; null if none is possible. */
      largest: z
        .object({
          token_amount: unitsText,
          price_usd_cents: centsText,
          product_fee_usd_cents: centsText,
          processing_fee_usd_cents: centsText,
          total_usd_cents: centsText,
        })
        .nullable(),
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
    body: z.object({ outcome: z.enum(['credit', 'refund', 'settled_elsewhere']), reason }),
    answer: policyOutcome({}),
  },
  writeOffDebt: {
    method: 'POST',
    path: '/admin/debts/:id/write_off',
    auth: 'console',
    permission: 'customers.write_off',
    audit: { action: 'debt.write_off', subject: 'debt' },
    proof: true,
    summary: 'Write off a debt',
    params: uuidParam,
    body: z.object({ reason }),
    answer: policyOutcome({}),
  },
  bookMoney: {
    method: 'POST',
    path: '/admin/reconciliation/book',
    auth: 'console',
    permission: 'ledger.book',
    audit: { action: 'reconciliation.book', subject: 'card_transaction' },
    proof: true,
    summary: 'Book a transaction of the provider that has no booking',
    body: z.object({ transaction_id: providerId, account: z.enum(BOOKING_ACCOUNTS), reason }),
    answer: policyOutcome({}),
  },
  bookByHand: {
    method: 'POST',
    path: '/admin/ledger/bookings',
    auth: 'console',
    permission: 'ledger.book',
    audit: { action: 'ledger.book', subject: 'programme' },
    proof: true,
    summary:
      'Book card money from one account of the programme to another, such as out of suspense',
    body: z
      .object({
        debit: z.enum(BOOKING_ACCOUNTS),
        credit: z.enum(BOOKING_ACCOUNTS),
        amount_cents: z.int().positive().max(BOOKING_CENTS_MAX),
        /** The payment whose money it is. */
        payment_id: uuidText.optional(),
        reason,
      })
      .refine(({ debit, credit }) => debit !== credit, 'must name two accounts')
      .meta({ id: 'BookByHand' }),
    answer: policyOutcome({}),
  },
  consoleRefunds: {
    method: 'GET',
    path: '/admin/refunds',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Refunds to cards, newest first',
    query: z.object({ ...pageQuery, state: z.enum(REFUND_STATES).optional() }),
    answer: listOf(refund),
  },
  unmatchedMoney: {
    method: 'GET',
    path: '/admin/reconciliation/unmatched',
    auth: 'console',
    permission: 'payments.read',
    summary:
      'Transactions without a booking and bookings without a transaction for an hour, oldest first',
    answer: z.object({
      transactions: z.array(transaction),
      bookings: z.array(booking),
    }),
  },
  matchMoney: {
    method: 'POST',
    path: '/admin/reconciliation/match',
    auth: 'console',
    permission: 'reconciliation.manage',
    audit: { action: 'reconciliation.match', subject: 'card_transaction' },
    proof: true,
    summary: 'Join a transaction with a booking of the same amount',
    body: z.object({ transaction_id: providerId, booking_id: uuidText }),
    answer: done,
  },
  explainMoney: {
    method: 'POST',
    path: '/admin/reconciliation/explain',
    auth: 'console',
    permission: 'reconciliation.manage',
    audit: { action: 'reconciliation.explain', subject: 'card_transaction' },
    summary: 'Say why a transaction has no booking, or a booking no transaction',
    body: z.object({
      transaction_id: providerId.optional(),
      booking_id: uuidText.optional(),
      explanation: reason,
    }),
    answer: done,
  },
} as const satisfies ConsoleCalls;
