import { z } from 'zod';
import { timeText, uuidParam, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { ORGANISATIONS } from './staff.ts';

export const AUDIT_OUTCOMES = ['done', 'requested', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

const name = z.string().max(100);

const auditEntry = z
  .object({
    /** The entry's number in the chain. */
    id: z.int(),
    at: timeText,
    /** Null if a program acted, or a caller who was not signed in. */
    staff: z.object({ id: z.string(), name: z.string() }).nullable(),
    organisation: z.enum(ORGANISATIONS).nullable(),
    action: z.string(),
    subject: z.object({ type: z.string(), id: z.string() }),
    outcome: z.enum(AUDIT_OUTCOMES),
    request_id: z.string(),
    approval_id: z.string().nullable(),
    ledger_key: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

/** The filters and the sort of the audit. */
export const auditFilters = {
  sort: z.enum(['newest', 'oldest']).default('newest'),
  staff_id: uuidText.optional(),
  action: name.optional(),
  subject_type: name.optional(),
  subject_id: name.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
};

const auditQuery = z.object({ ...pageQuery, ...auditFilters });

const hashText = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
  .transform((text) => text.toLowerCase());

const verification = z
  .object({
    id: z.string(),
    requested_at: timeText,
    /** The hash that the chain must contain. */
    known_head: z.string().nullable(),
    /** Null while it runs. */
    finished_at: timeText.nullable(),
    entry_count: z.int().nullable(),
    /** The number of entries whose details were emptied when the person concerned was erased. */
    emptied_count: z.int().nullable(),
    /** The last verified hash. */
    head: z.string().nullable(),
    /** The first wrong entry, such as "entry 4 was altered"; null if there is none. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'AuditVerification' });

const entryParam = z.object({
  id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
});

export const auditCalls = {
  auditEntries: {
    method: 'GET',
    path: '/admin/audit',
    auth: 'console',
    permission: 'audit.read',
    summary: 'What staff did',
    query: auditQuery,
    answer: listOf(auditEntry),
  },
  auditHead: {
    method: 'GET',
    path: '/admin/audit/head',
    auth: 'console',
    permission: 'audit.read',
    summary: 'The head of the audit’s chain',
    answer: z
      .object({
        entry_count: z.int(),
        /** A copy kept elsewhere proves later that no entry before it was rewritten. */
        hash: z.string(),
        /** Newest first. */
        verifications: z.array(verification),
      })
      .meta({ id: 'AuditHead' }),
  },
  verifyAudit: {
    method: 'POST',
    path: '/admin/audit/verifications',
    auth: 'console',
    permission: 'audit.verify',
    audit: { action: 'audit.verify', subject: 'audit' },
    summary: 'Verify the whole audit in the background',
    body: z
      .object({
        /** A hash stored elsewhere. The chain must still contain it. */
        head: hashText.optional(),
      })
      .meta({ id: 'VerifyAudit' }),
    answer: verification,
  },
  auditVerification: {
    method: 'GET',
    path: '/admin/audit/verifications/:id',
    auth: 'console',
    permission: 'audit.read',
    summary: 'What a verification has found',
    params: uuidParam,
    answer: verification,
  },
  auditEntry: {
    method: 'GET',
    path: '/admin/audit/:id',
    auth: 'console',
    permission: 'audit.read',
    summary: 'One entry with its details',
    params: entryParam,
    answer: auditEntry.extend({
      session_id: z.string().nullable(),
      /** Only the changed fields. Null if there are none, or if they were emptied. */
      before: z.unknown(),
      after: z.unknown(),
      /** The details were emptied when the person concerned was erased. The chain covers their digest. */
      is_emptied: z.boolean(),
      digest: z.string(),
      hash: z.string(),
    }),
  },
} as const satisfies ConsoleCalls;
