/** Offers from a CSV file: the effect of each row, the rows to leave out, and the result. */
import { z } from 'zod';
import { timeText, uuidParam } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

export const OFFER_IMPORT_ROWS_MAX = 5_000;
/** Room for the maximum number of rows with short notes. */
const OFFER_IMPORT_BYTES_MAX = 2_000_000;

/** `checked`: nothing has been changed yet. */
export const OFFER_IMPORT_STATES = ['checked', 'waiting', 'running', 'done'] as const;
export type OfferImportState = (typeof OFFER_IMPORT_STATES)[number];

/** The effect of a row: add a draft, change an offer, nothing, or nothing because it has a fault. */
export const OFFER_IMPORT_FINDINGS = ['new', 'change', 'same', 'fault'] as const;
export type OfferImportFinding = (typeof OFFER_IMPORT_FINDINGS)[number];

const offerImport = z
  .object({
    id: z.string(),
    state: z.enum(OFFER_IMPORT_STATES),
    created_at: timeText,
    finished_at: timeText.nullable(),
    rows_total: z.int(),
    /** The number of rows by effect, including rows that are left out. */
    found: z.object({ new: z.int(), change: z.int(), same: z.int(), fault: z.int() }),
    /** Rows with an effect that the person left out. */
    skipped: z.int(),
    /** Rows with an effect that are not left out, to which the import will be applied. */
    to_apply: z.int(),
    applied: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'OfferImport' });

const importRow = z
  .object({
    /** As numbered by a spreadsheet. The header is row 1. */
    row: z.int(),
    /** Null for a new offer until it is added. */
    offer_id: z.int().nullable(),
    title: z.string(),
    finding: z.enum(OFFER_IMPORT_FINDINGS),
    is_skipped: z.boolean(),
    /** Faults by column; the column is empty for a fault of the whole row. */
    faults: z.array(z.object({ column: z.string(), message: z.string() })),
    /** The columns whose values change, before and after. */
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
    outcome: z.enum(['applied', 'failed']).nullable(),
    /** The reason for the failure. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'OfferImportRow' });

const edit = { auth: 'console', permission: 'catalogue.edit' } as const;

export const offerImportCalls = {
  uploadOfferImport: {
    ...edit,
    method: 'POST',
    path: '/admin/offer-imports',
    limit: 'bulk',
    audit: { action: 'offer_import.upload', subject: 'offer_import' },
    summary: 'Check a CSV file of offers in UTF-8. No offer changes yet',
    upload: { types: ['text/csv'], bytesMax: OFFER_IMPORT_BYTES_MAX },
    answer: offerImport,
  },
  offerImport: {
    ...edit,
    method: 'GET',
    path: '/admin/offer-imports/:id',
    summary: "An import of the caller's, with its progress",
    params: uuidParam,
    answer: offerImport,
  },
  offerImportRows: {
    ...edit,
    method: 'GET',
    path: '/admin/offer-imports/:id/rows',
    summary: 'Its rows, in their order',
    params: uuidParam,
    query: z.object({
      ...pageQuery,
      show: z.enum(['new', 'change', 'same', 'fault', 'skipped', 'failed']).optional(),
    }),
    answer: listOf(importRow),
  },
  skipOfferImportRows: {
    ...edit,
    method: 'PATCH',
    path: '/admin/offer-imports/:id/rows',
    audit: { action: 'offer_import.skip', subject: 'offer_import' },
    summary: 'Leave rows out, or take them in again, before the import is applied',
    params: uuidParam,
    body: z
      .object({
        rows: z.array(z.int().positive()).min(1).max(OFFER_IMPORT_ROWS_MAX),
        is_skipped: z.boolean(),
      })
      .meta({ id: 'SkipOfferImportRows' }),
    answer: offerImport,
  },
  applyOfferImport: {
    ...edit,
    method: 'POST',
    path: '/admin/offer-imports/:id/apply',
    audit: { action: 'offer_import.apply', subject: 'offer_import' },
    summary: 'Apply it in the background. New offers and changes are drafts; nothing is published',
    params: uuidParam,
    body: z
      .object({
        /** The number of rows that was shown to the person. */
        to_apply: z.int(),
      })
      .meta({ id: 'ApplyOfferImport' }),
    answer: offerImport,
  },
} as const satisfies ConsoleCalls;
