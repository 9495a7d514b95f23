/** Bulk actions: one action for many customers. A preview fixes the rows, so that the number shown is the number done. */
import { z } from 'zod';
import { timeText, uuidParam, uuidText } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { customerFilters, noteText } from './customers.ts';
import { holdBody } from './holds.ts';
import { listOf, pageQuery } from './lists.ts';

export const BULK_ROWS_MAX = 10_000;
/** Room for the maximum number of ids, each with its quotes and comma. */
const BULK_BODY_BYTES_MAX = 500_000;

/**
 * Only actions without a policy, named as in their audit entries: an action that takes a vote is requested one by one, so that the voters
 * see what each customer would lose or get.
 */
const bulkAct = z.discriminatedUnion('name', [
  z.object({ name: z.literal('customer.end_sessions') }),
  z.object({ name: z.literal('hold.place'), ...holdBody }),
  z.object({ name: z.literal('customer.note'), text: noteText }),
]);
export type BulkAct = z.output<typeof bulkAct>;
export type BulkActName = BulkAct['name'];

export const BULK_STATES = ['previewed', 'waiting', 'running', 'done', 'stopped'] as const;
export type BulkState = (typeof BULK_STATES)[number];

const bulkRun = z
  .object({
    id: z.string(),
    act: z.string(),
    reason: z.string(),
    state: z.enum(BULK_STATES),
    /** Exact: the action applies to these rows and no others. */
    rows_total: z.int(),
    rows_done: z.int(),
    rows_failed: z.int(),
    created_at: timeText,
    finished_at: timeText.nullable(),
  })
  .meta({ id: 'BulkRun' });

const failedRow = z.object({
  line: z.int(),
  customer_uuid: z.string(),
  /** The error code of a problem document, and its text. */
  code: z.string(),
  reason: z.string(),
});

export const bulkCalls = {
  previewBulk: {
    method: 'POST',
    path: '/admin/bulk',
    auth: 'console',
    permission: 'customers.read',
    limit: 'bulk',
    audit: { action: 'bulk.preview', subject: 'bulk' },
    summary: 'Choose the rows of a bulk act and count them; nothing happens to them yet',
    bodyBytesMax: BULK_BODY_BYTES_MAX,
    body: z
      .object({
        act: bulkAct,
        rows: z.union([
          z.object({ ids: z.array(uuidText).min(1).max(BULK_ROWS_MAX) }).strict(),
          z.object({ filters: z.object(customerFilters) }).strict(),
        ]),
        reason: reasonText,
      })
      .meta({ id: 'PreviewBulk' }),
    answer: bulkRun,
  },
  startBulk: {
    method: 'POST',
    path: '/admin/bulk/:id/start',
    auth: 'console',
    permission: 'customers.read',
    proof: true,
    audit: { action: 'bulk.start', subject: 'bulk' },
    summary: 'Start what was previewed within the last hour, in the background',
    params: uuidParam,
    body: z.object({
      /** The number that was shown to the person. */
      rows_total: z.int(),
    }),
    answer: bulkRun,
  },
  stopBulk: {
    method: 'POST',
    path: '/admin/bulk/:id/stop',
    auth: 'console',
    permission: 'customers.read',
    audit: { action: 'bulk.stop', subject: 'bulk' },
    summary: 'Stop a run before its next row. What is done stays done, and the answer counts it',
    params: uuidParam,
    answer: bulkRun,
  },
  bulkRuns: {
    method: 'GET',
    path: '/admin/bulk',
    auth: 'console',
    permission: 'customers.read',
    summary: "The caller's bulk acts that were started within 90 days, newest first",
    query: z.object(pageQuery),
    answer: listOf(bulkRun),
  },
  bulkRun: {
    method: 'GET',
    path: '/admin/bulk/:id',
    auth: 'console',
    permission: 'customers.read',
    summary: "A bulk act of the caller's, with its progress",
    params: uuidParam,
    answer: bulkRun,
  },
  bulkFailures: {
    method: 'GET',
    path: '/admin/bulk/:id/failures',
    auth: 'console',
    permission: 'customers.read',
    summary: 'The rows that failed, each with its reason',
    params: uuidParam,
    query: z.object(pageQuery),
    answer: listOf(failedRow),
  },
} as const satisfies ConsoleCalls;
