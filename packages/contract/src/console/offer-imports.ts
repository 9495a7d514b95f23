/** Offers from a CSV file: what each row would do, which rows to leave out, and what became of them. */
import { z } from 'zod';
import { timeText, uuidParam } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

export const OFFER_IMPORT_ROWS_MAX = 5_000;
/** Room for as many rows with short notes. */
const OFFER_IMPORT_BYTES_MAX = 2_000_000;

/** `checked`: nothing has happened yet. */
export const OFFER_IMPORT_STATES = ['checked', 'waiting', 'running', 'done'] as const;
export type OfferImportState = (typeof OFFER_IMPORT_STATES)[number];

/** What a row would do: add a draft, change an offer, nothing, or nothing because something is wrong with it. */
export const OFFER_IMPORT_FINDINGS = ['new', 'change', 'same', 'fault'] as const;
export type OfferImportFinding = (typeof OFFER_IMPORT_FINDINGS)[number];

const offerImport = z
  .object({
    id: z.string(),
    state: z.enum(OFFER_IMPORT_STATES),
    created_at: timeText,
    finished_at: timeText.nullable(),
    rows_total: z.int(),
    /** Rows by what they would do. Those that are left out count as well. */
    found: z.object({ new: z.int(), change: z.int(), same: z.int(), fault: z.int() }),
    /** New or changed, and left out by the person. */
    skipped: z.int(),
    /** New or changed, and not left out: what applying the import does. */
    to_apply: z.int(),
    applied: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'OfferImport' });

const importRow = z
  .object({
    /** As a spreadsheet numbers it. The header is row 1. */
    row: z.int(),
    /** Null for a new offer until it was added. */
    offer_id: z.int().nullable(),
    title: z.string(),
    finding: z.enum(OFFER_IMPORT_FINDINGS),
    is_skipped: z.boolean(),
    /** What is wrong, by column; empty for what concerns the whole row. */
    faults: z.array(z.object({ column: z.string(), message: z.string() })),
    /** The columns that an offer would get new values in, before and after. */
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
    outcome: z.enum(['applied', 'failed']).nullable(),
    /** Why it failed. */
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
        /** The number of rows that was shown. */
        to_apply: z.int(),
      })
      .meta({ id: 'ApplyOfferImport' }),
    answer: offerImport,
  },
} as const satisfies ConsoleCalls;
