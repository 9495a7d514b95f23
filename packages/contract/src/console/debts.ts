/** Calls of the console about customers' debts after a dispute, and about payments that banks suspect of fraud. */
import { z } from 'zod';
import { timeText, unitsText, uuidParam, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { centsText } from './disputes.ts';
import { listOf, pageQuery } from './lists.ts';

const DEBT_STATES = ['open', 'closed'] as const;

const debt = z.object({
  id: z.string(),
  dispute_id: z.string(),
  payment_id: z.string(),
  customer_uuid: z.string(),
  token_amount: unitsText,
  repaid_token_amount: unitsText,
  written_off_token_amount: unitsText,
  /** The remaining debt. */
  owed_token_amount: unitsText,
  created_at: timeText,
  closed_at: timeText.nullable(),
});

const warning = z.object({
  id: z.string(),
  payment_id: z.string(),
  customer_uuid: z.string(),
  /** In the bank's terms. */
  fraud_type: z.string(),
  /** A full refund can still prevent a dispute. */
  is_actionable: z.boolean(),
  is_disputed: z.boolean(),
  total_usd_cents: centsText,
  token_amount: unitsText,
  /** Excludes refunds that wait for a vote or for the provider. */
  returned_token_amount: unitsText,
  created_at: timeText,
});

export const debtCalls = {
  consoleDebts: {
    method: 'GET',
    path: '/admin/debts',
    auth: 'console',
    permission: 'payments.read',
    summary: 'What customers owe after a claw-back, newest first',
    query: z.object({
      ...pageQuery,
      state: z.enum(DEBT_STATES).optional(),
      customer_uuid: uuidText.optional(),
    }),
    answer: listOf(debt),
  },
  consoleDebt: {
    method: 'GET',
    path: '/admin/debts/:id',
    auth: 'console',
    permission: 'payments.read',
    summary: 'One debt',
    params: uuidParam,
    answer: debt,
  },
  consoleWarnings: {
    method: 'GET',
    path: '/admin/warnings',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Payments of which a bank suspects fraud, newest first',
    query: z.object({
      ...pageQuery,
      /** `open`: a refund can still prevent a dispute. */
      view: z.enum(['open', 'all']).default('all'),
    }),
    answer: listOf(warning),
  },
} as const satisfies ConsoleCalls;
