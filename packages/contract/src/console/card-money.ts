/** Calls of the console about card money: writing off debts, and matching our books with the provider. */
import { z } from 'zod';
import { timeText, uuidParam, uuidText } from '../values.ts';
import { policyOutcome, reasonText as reason } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { centsText } from './disputes.ts';

const providerId = z.string().max(255);

/**
 * The programme's accounts of card money that finance may book manually. `card_provider` is not among them: it moves only with a booking
 * that has, or awaits, its transaction at the provider.
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
        /** The payment to which the money belongs. */
        payment_id: uuidText.optional(),
        reason,
      })
      .refine(({ debit, credit }) => debit !== credit, 'must name two accounts')
      .meta({ id: 'BookByHand' }),
    answer: policyOutcome({}),
  },
  unmatchedMoney: {
    method: 'GET',
    path: '/admin/reconciliation/unmatched',
    auth: 'console',
    permission: 'payments.read',
    summary:
      'Transactions without a booking and bookings without a transaction for an hour, the oldest of each',
    answer: z.object({
      transactions: z.array(transaction),
      bookings: z.array(booking),
      has_more: z.boolean(),
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
