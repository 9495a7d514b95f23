/** Merchants with their own ledger account: their sales, the balance they are owed, and their settlements. */
import { z } from 'zod';
import { TRANSFER_MICRO_MAX } from '@athos/domain/money';
import { positiveUnitsText, smallIdParam, timeText, unitsText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { lineOf } from './venues.ts';

/** A limit, because each merchant has a row in every trial balance. */
export const MERCHANT_COUNT_MAX = 500;
export const MERCHANT_NAME_LENGTH_MAX = 80;
export const MERCHANT_NOTE_LENGTH_MAX = 2_000;

const merchantFields = {
  name: lineOf(MERCHANT_NAME_LENGTH_MAX),
  /** A note for staff, such as who is paid and how. */
  note: z.string().trim().max(MERCHANT_NOTE_LENGTH_MAX),
};

const summary = {
  id: z.int(),
  name: z.string(),
  archived_at: timeText.nullable(),
  offer_count: z.int(),
  /** The balance that can be settled; negative after a refund of settled sales. Null for people who may not read money. */
  balance: unitsText.nullable(),
};

const merchant = z
  .object({
    ...summary,
    note: z.string(),
    version: z.int(),
    created_at: timeText,
    /** The id of the ledger account. */
    account_id: z.string(),
    /** Settlement requests that wait for a vote. `balance` does not include their value. Null for people who may not read money. */
    waiting: z
      .array(z.object({ approval_id: z.string(), amount: unitsText, expires_at: timeText }))
      .nullable(),
  })
  .meta({ id: 'ConsoleMerchant' });

/** `2026-11`, in the programme's time zone. */
const monthText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

/** Sums of movements, in micro-units. Refunds, settlements and held amounts reduce the balance. */
const movements = {
  sale_count: z.int(),
  sales: unitsText,
  refund_count: z.int(),
  refunds: unitsText,
  settled: unitsText,
  /** Held for settlement requests, less the amounts returned from `holds`. */
  held: unitsText,
  /** The balance at the end. */
  balance: unitsText,
};

const statement = z
  .object({
    month: z.string(),
    merchant: z.object({ id: z.int(), name: z.string() }),
    opening: unitsText,
    /** The whole month, or the elapsed part of it. */
    total: z.object(movements),
    /** Days with at least one movement. */
    days: z.array(z.object({ day: z.iso.date(), ...movements })),
    /** Movements after this time are missing. Null while all movements are being counted again. */
    counted_until: timeText.nullable(),
  })
  .meta({ id: 'MerchantStatement' });

const edit = { auth: 'console', permission: 'catalogue.edit' } as const;

export const merchantCalls = {
  merchants: {
    method: 'GET',
    path: '/admin/merchants',
    auth: 'console',
    permission: 'catalogue.read',
    summary: 'Merchants by name',
    query: z.object({ ...pageQuery, state: z.enum(['open', 'archived']).optional() }),
    answer: listOf(z.object(summary).meta({ id: 'ConsoleMerchantSummary' })),
  },
  merchant: {
    method: 'GET',
    path: '/admin/merchants/:id',
    auth: 'console',
    permission: 'catalogue.read',
    versioned: true,
    summary: 'One merchant, with what is owed',
    params: smallIdParam,
    answer: merchant,
  },
  merchantStatement: {
    method: 'GET',
    path: '/admin/merchants/:id/statement',
    auth: 'console',
    permission: 'reports.money',
    summary: 'Sales, refunds and settlements of a month, by day',
    params: smallIdParam,
    query: z.object({ month: monthText }),
    answer: statement,
  },
  createMerchant: {
    ...edit,
    method: 'POST',
    path: '/admin/merchants',
    audit: { action: 'merchant.create', subject: 'merchant' },
    summary: 'Add a merchant and open its account',
    body: z.object(merchantFields).meta({ id: 'CreateMerchant' }),
    answer: merchant,
  },
  changeMerchant: {
    ...edit,
    method: 'PATCH',
    path: '/admin/merchants/:id',
    versioned: true,
    audit: { action: 'merchant.change', subject: 'merchant' },
    summary: 'Change the name and the note of a merchant',
    params: smallIdParam,
    body: z.object(merchantFields).meta({ id: 'ChangeMerchant' }),
    answer: merchant,
  },
  archiveMerchant: {
    ...edit,
    method: 'PUT',
    path: '/admin/merchants/:id/archived',
    versioned: true,
    audit: { action: 'merchant.archive', subject: 'merchant' },
    summary: 'Archive a merchant whose offers are all withdrawn, or take it back',
    params: smallIdParam,
    body: z.object({ is_archived: z.boolean() }).meta({ id: 'ArchiveMerchant' }),
    answer: merchant,
  },
  settleMerchant: {
    method: 'POST',
    path: '/admin/merchants/:id/settlements',
    auth: 'console',
    permission: 'ledger.book',
    proof: true,
    audit: { action: 'merchant.settle', subject: 'merchant' },
    summary: 'Ask to settle a part of the balance or all of it; the value is held until the vote',
    params: smallIdParam,
    body: z
      .object({
        amount: positiveUnitsText.refine(
          (text) => !/^\d+$/.test(text) || BigInt(text) <= TRANSFER_MICRO_MAX,
          'must be at most 1,000,000,000 ATH',
        ),
        reason: reasonText,
      })
      .meta({ id: 'SettleMerchant' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
