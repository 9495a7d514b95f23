/** Lists and persons' data as files: written by a job, downloaded once by a short-lived link, deleted after three days. */
import { z } from 'zod';
import { timeText, uuidParam, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { approvalFilters, policyOutcome, reasonText } from './approvals.ts';
import { auditFilters } from './audit.ts';
import { customerFilters } from './customers.ts';
import { disputeFilters } from './disputes.ts';
import { transferFilters } from './ledger.ts';
import { listOf, pageQuery } from './lists.ts';
import { paymentFilters, refundFilters } from './payments.ts';
import { offerFilters } from './offers.ts';
import { purchaseFilters } from './purchases.ts';
import { redemptionFilters } from './redemptions.ts';
import { scanFilters } from './venues.ts';

/** The possible contents of a file: a list, or everything about one person. */
export const EXPORT_LISTS = [
  'customers',
  'audit',
  'transfers',
  'approvals',
  'scans',
  'purchases',
  'redemptions',
  'payments',
  'refunds',
  'disputes',
  'offers',
  'categories',
] as const;
export type ExportListName = (typeof EXPORT_LISTS)[number];
export const EXPORT_CONTENTS = [...EXPORT_LISTS, 'person'] as const;
export type ExportContent = (typeof EXPORT_CONTENTS)[number];

export const EXPORT_STATES = ['waiting', 'running', 'ready', 'failed', 'deleted'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

const file = {
  id: z.string(),
  content: z.enum(EXPORT_CONTENTS),
  state: z.enum(EXPORT_STATES),
  created_at: timeText,
  finished_at: timeText.nullable(),
  /** The time at which the file is deleted. */
  expires_at: timeText.nullable(),
  rows_done: z.int(),
  /** Null while unknown, or if there are more rows than are counted. */
  rows_total: z.int().nullable(),
  byte_count: z.int().nullable(),
};
const exportFile = z.object(file).meta({ id: 'Export' });

export const exportCalls = {
  exports: {
    method: 'GET',
    path: '/admin/exports',
    auth: 'console',
    permission: 'exports.create',
    summary: "The caller's own exports, newest first",
    query: z.object(pageQuery),
    answer: listOf(exportFile),
  },
  export: {
    method: 'GET',
    path: '/admin/exports/:id',
    auth: 'console',
    permission: 'exports.create',
    summary: 'One of them, with its progress',
    params: uuidParam,
    answer: exportFile,
  },
  exportList: {
    method: 'POST',
    path: '/admin/exports',
    auth: 'console',
    permission: 'exports.create',
    limit: 'export',
    audit: { action: 'export.create', subject: 'export' },
    summary: 'Write all rows of a list to a file, with the permission of that list',
    body: z.discriminatedUnion('list', [
      z.object({
        list: z.literal('customers'),
        filters: z.object(customerFilters),
        /** E-mail addresses without the mask: requires `customers.contact` and, above `EXPORTED_CONTACTS_MAX` customers, a vote. */
        with_contact: z.boolean().default(false),
        /** Required for a vote. */
        reason: reasonText.optional(),
      }),
      z.object({ list: z.literal('audit'), filters: z.object(auditFilters) }),
      z.object({ list: z.literal('transfers'), filters: z.object(transferFilters) }),
      z.object({ list: z.literal('scans'), filters: z.object(scanFilters) }),
      z.object({ list: z.literal('purchases'), filters: z.object(purchaseFilters) }),
      z.object({ list: z.literal('redemptions'), filters: z.object(redemptionFilters) }),
      z.object({ list: z.literal('payments'), filters: z.object(paymentFilters) }),
      z.object({ list: z.literal('refunds'), filters: z.object(refundFilters) }),
      z.object({ list: z.literal('disputes'), filters: z.object(disputeFilters) }),
      z.object({ list: z.literal('offers'), filters: z.object(offerFilters) }),
      z.object({ list: z.literal('categories'), filters: z.object({}) }),
      z.object({
        list: z.literal('approvals'),
        /** Requests that the caller may decide are left out: they change from minute to minute and are not the caller's own. */
        filters: z.object({ ...approvalFilters, view: z.enum(['mine', 'all']).default('all') }),
      }),
    ]),
    answer: policyOutcome(file),
  },
  exportPerson: {
    method: 'POST',
    path: '/admin/customers/:uuid/export',
    auth: 'console',
    permission: 'customers.export_person',
    limit: 'export',
    proof: true,
    audit: { action: 'customer.export', subject: 'customer' },
    summary: "A customer's data as a ZIP of JSON and CSV",
    params: z.object({ uuid: uuidText }),
    answer: exportFile,
  },
  exportLink: {
    method: 'POST',
    path: '/admin/exports/:id/link',
    auth: 'console',
    permission: 'exports.create',
    audit: { action: 'export.link', subject: 'export' },
    summary: 'A link to the file that works once, for 60 s',
    params: uuidParam,
    answer: z.object({ path: z.string(), expires_at: timeText }),
  },
  exportFile: {
    method: 'GET',
    path: '/admin/exports/:id/file',
    auth: 'console',
    permission: 'exports.create',
    audit: { action: 'export.download', subject: 'export' },
    summary: 'The file, for the link of `exportLink`',
    params: uuidParam,
    query: z.object({ code: z.string().regex(/^[\w-]{43}$/) }),
    /** The bytes of the file. */
    answer: z.string(),
  },
} as const satisfies ConsoleCalls;
