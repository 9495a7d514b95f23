/** Calls of the console that show the provider's balance: its transactions, our bookings for them, and a day of both. */
import { z } from 'zod';
import { timeText, uuidParam } from '../values.ts';
import { booking, transaction } from './card-money.ts';
import type { ConsoleCalls } from './console-call.ts';
import { centsText } from './disputes.ts';
import { listOf, pageQuery } from './lists.ts';

/** The provider's transaction types, by subject. */
export const TRANSACTION_GROUPS = ['payments', 'refunds', 'disputes', 'payouts', 'fees'] as const;
export type TransactionGroup = (typeof TRANSACTION_GROUPS)[number];

const reconciledDay = z.object({
  day: z.iso.date(),
  provider_usd_cents: centsText,
  nets_usd_cents: centsText,
  clearing_usd_cents: centsText,
  in_flight_usd_cents: centsText,
  is_agreed: z.boolean(),
  checked_at: timeText,
});

const transactionParam = z.object({ id: z.string().max(255) });

export const providerMoneyCalls = {
  reconciliationDays: {
    method: 'GET',
    path: '/admin/reconciliation/days',
    auth: 'console',
    permission: 'payments.read',
    summary: 'The three totals of each day, newest first',
    query: z.object(pageQuery),
    answer: listOf(reconciledDay),
  },
  cardTransactions: {
    method: 'GET',
    path: '/admin/reconciliation/transactions',
    auth: 'console',
    permission: 'payments.read',
    summary: "Transactions of the provider's balance, newest first",
    query: z.object({
      ...pageQuery,
      group: z.enum(TRANSACTION_GROUPS).optional(),
      from: z.iso.datetime({ offset: true }).optional(),
      /** Exclusive. */
      to: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: listOf(transaction),
  },
  cardTransaction: {
    method: 'GET',
    path: '/admin/reconciliation/transactions/:id',
    auth: 'console',
    permission: 'payments.read',
    summary: 'One transaction with its booking, or the free bookings of its amount',
    params: transactionParam,
    answer: transaction.extend({
      booking: booking.nullable(),
      candidates: z.array(booking),
    }),
  },
  cardBooking: {
    method: 'GET',
    path: '/admin/reconciliation/bookings/:id',
    auth: 'console',
    permission: 'payments.read',
    summary: 'One booking with its transaction, or the free transactions of its amount',
    params: uuidParam,
    answer: booking.extend({
      transaction: transaction.nullable(),
      candidates: z.array(transaction),
    }),
  },
  reconciliationDay: {
    method: 'GET',
    path: '/admin/reconciliation/days/:day',
    auth: 'console',
    permission: 'payments.read',
    summary: 'The totals of one day, and what the balance moved on it in UTC',
    params: z.object({ day: z.iso.date() }),
    answer: reconciledDay.extend({
      types: z.array(
        z.object({
          type: z.string(),
          count: z.int(),
          amount_usd_cents: centsText,
          fee_usd_cents: centsText,
          net_usd_cents: centsText,
        }),
      ),
    }),
  },
} as const satisfies ConsoleCalls;
