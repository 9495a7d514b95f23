/** Batches of reward codes: made by the worker, available as a file for three days, and voided by staff. */
import { z } from 'zod';
import { smallId, smallIdParam, timeText, uuidParam } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import { BATCH_CODES_MAX, type ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

export const BATCH_DOWNLOADS_MAX = 5;
export const BATCH_FILE_HOURS = 72;

/** `making` until the worker has written the file and stored the hashes. `void`: its codes are refused. */
export const BATCH_STATES = ['waiting', 'making', 'ready', 'failed', 'void'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** Paper size, then columns and rows of cards. */
export const SHEET_FORMS = ['a4_2x5', 'a4_3x8', 'letter_2x5', 'letter_3x8'] as const;
export type SheetForm = (typeof SHEET_FORMS)[number];
export const SHEET_STATES = ['waiting', 'making', 'ready', 'failed'] as const;
export type SheetState = (typeof SHEET_STATES)[number];

const batch = {
  id: z.string(),
  campaign_id: z.int(),
  label: z.string(),
  code_count: z.int(),
  /** The number of customers who may claim each code. */
  uses_per_code: z.int(),
  expires_at: timeText.nullable(),
  state: z.enum(BATCH_STATES),
  codes_done: z.int(),
  claim_count: z.int(),
  created_at: timeText,
  made_at: timeText.nullable(),
  voided_at: timeText.nullable(),
  /** The time until which the codes can be downloaded; null once their file is deleted. */
  file_expires_at: timeText.nullable(),
  downloads_left: z.int(),
  /** The batch as PDF, in each requested form. */
  sheets: z.array(
    z.object({
      form: z.enum(SHEET_FORMS),
      state: z.enum(SHEET_STATES),
      pages_done: z.int(),
      page_count: z.int(),
    }),
  ),
};
const codeBatch = z.object(batch).meta({ id: 'CodeBatch' });

export const batchCalls = {
  batches: {
    method: 'GET',
    path: '/admin/campaigns/:id/batches',
    auth: 'console',
    permission: 'campaigns.read',
    summary: 'The batches of codes of a campaign, newest first',
    params: smallIdParam,
    query: z.object(pageQuery),
    answer: listOf(codeBatch),
  },
  makeBatch: {
    method: 'POST',
    path: '/admin/campaigns/:id/batches',
    auth: 'console',
    permission: 'campaigns.codes',
    proof: true,
    audit: { action: 'batch.make', subject: 'campaign' },
    summary: 'Make codes in a job, within the policy or by request',
    params: smallIdParam,
    body: z
      .object({
        label: z.string().trim().min(1, 'must not be empty').max(60),
        code_count: z.int().min(1).max(BATCH_CODES_MAX),
        uses_per_code: smallId.default(1),
        /** The time from which its codes are refused; null means that they are valid as long as the campaign runs. */
        expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
        reason: reasonText,
      })
      .meta({ id: 'MakeBatch' }),
    answer: policyOutcome({ batch_id: z.string() }),
  },
  voidBatch: {
    method: 'POST',
    path: '/admin/batches/:id/void',
    auth: 'console',
    permission: 'campaigns.codes',
    proof: true,
    audit: { action: 'batch.void', subject: 'batch' },
    summary: 'Refuse the codes of a batch from the next claim on, and delete their file',
    params: uuidParam,
    body: z.object({ reason: reasonText }).meta({ id: 'VoidBatch' }),
    answer: codeBatch,
  },
  makeSheet: {
    method: 'POST',
    path: '/admin/batches/:id/sheets',
    auth: 'console',
    permission: 'campaigns.codes',
    audit: { action: 'batch.sheet', subject: 'batch' },
    summary: 'Draw the codes as sheets to print, in a job',
    params: uuidParam,
    body: z.object({ form: z.enum(SHEET_FORMS) }).meta({ id: 'MakeSheet' }),
    answer: codeBatch,
  },
  batchLink: {
    method: 'POST',
    path: '/admin/batches/:id/link',
    auth: 'console',
    permission: 'campaigns.codes',
    proof: true,
    audit: { action: 'batch.link', subject: 'batch' },
    summary: 'A link to the codes, as CSV or as sheets, that works once, for 60 s',
    params: uuidParam,
    body: z
      .object({ form: z.enum(['csv', ...SHEET_FORMS]).default('csv') })
      .meta({ id: 'BatchLink' }),
    answer: z.object({ path: z.string(), expires_at: timeText }),
  },
  batchFile: {
    method: 'GET',
    path: '/admin/batches/:id/file',
    auth: 'console',
    permission: 'campaigns.codes',
    audit: { action: 'batch.download', subject: 'batch' },
    summary: 'The codes, for the link of `batchLink`; five times at most',
    params: uuidParam,
    query: z.object({ code: z.string().regex(/^[\w-]{43}$/) }),
    /** The bytes of the file. */
    answer: z.string(),
  },
} as const satisfies ConsoleCalls;
