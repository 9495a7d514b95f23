/** Monthly statements, and the balance over time. */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { assetName, timeText, unitsText } from '../values.ts';

/** The cause of a change of the balance. */
export const STATEMENT_KINDS = [
  'send',
  'receive',
  'send_returned',
  'card',
  'purchase',
  'tip',
  'reward',
  'refund',
  'purchase_refund',
  'chargeback',
  'correction',
  'held',
  'released',
  'opening',
  'closing',
  'other',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

export const STATEMENT_FORMATS = ['json', 'csv', 'pdf'] as const;
/** Months of the years 2000 to 2099. */
const MONTH_PATTERN = /^20\d\d-(?:0[1-9]|1[0-2])$/;
const POINTS_MAX = 60;

/** A name of the IANA time zone database. */
const zone = z
  .string()
  .max(64)
  .regex(/^[\w+\-/]+$/)
  .refine((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }, 'must be a time zone such as Europe/Berlin')
  .default('UTC');

const line = z.object({
  id: z.int(),
  receipt: z.string(),
  at: timeText,
  kind: z.enum(STATEMENT_KINDS),
  /** The title of the purchased offer, or the name of a tip's giver; empty otherwise. */
  title: z.string(),
  /** The other user's uuid, if another user took part. */
  counterparty: z.string().nullable(),
  /** Negative for payments. */
  change: unitsText,
  balance_after: unitsText,
  /** The value of the change at that time, in US cents; null before the first rate. */
  usd_cents: z.int().nullable(),
  /** The amount charged to the card, and the fees in it, in US cents. */
  card: z.object({ paid_cents: z.int(), fee_cents: z.int() }).nullable(),
  note: z.string(),
  labels: z.array(z.string()),
});

const statement = z
  .object({
    account: z.string(),
    asset: assetName,
    month: z.string(),
    zone: z.string(),
    /** The beginning and the end (exclusive) of the month. */
    from: timeText,
    to: timeText,
    /** Whether the month is not over yet. */
    is_running: z.boolean(),
    opening: unitsText,
    closing: unitsText,
    sums: z.array(z.object({ kind: z.enum(STATEMENT_KINDS), in: unitsText, out: unitsText })),
    card_paid_cents: z.int(),
    card_fee_cents: z.int(),
    /** Oldest first. */
    lines: z.array(line),
    /** The published head of the last sealed day up to the end of the month. */
    head: z.object({ day: z.iso.date(), hash: z.string() }).nullable(),
  })
  .meta({ id: 'Statement' });
export type Statement = z.infer<typeof statement>;
export type StatementLine = Statement['lines'][number];

export const statementCalls = {
  statements: {
    method: 'GET',
    path: '/account/statements',
    auth: 'user',
    summary: 'The months since the account was opened, newest first',
    query: z.object({ zone }),
    answer: z.object({ months: z.array(z.string()) }).meta({ id: 'StatementMonths' }),
  },
  statement: {
    method: 'GET',
    path: '/account/statements/:month',
    auth: 'user',
    summary: 'All that moved the balance in a month, as JSON or as a file',
    params: z.object({ month: z.string().regex(MONTH_PATTERN, 'must be a month such as 2026-10') }),
    query: z.object({
      format: z.enum(STATEMENT_FORMATS).default('json'),
      asset: assetName.default('ATH'),
      zone,
    }),
    answer: statement,
  },
  balanceHistory: {
    method: 'GET',
    path: '/account/balance_history',
    auth: 'user',
    summary: `The balance at up to ${POINTS_MAX} moments, at equal distances`,
    query: z.object({
      asset: assetName.default('ATH'),
      /** 30 days before `to` by default. */
      from: z.iso.datetime({ offset: true }).optional(),
      /** Now by default. */
      to: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: z
      .object({ points: z.array(z.object({ at: timeText, balance: unitsText })).max(POINTS_MAX) })
      .meta({ id: 'BalanceHistory' }),
  },
} as const satisfies Calls;
