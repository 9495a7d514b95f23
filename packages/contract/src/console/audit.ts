import { z } from 'zod';
import { timeText, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

export const AUDIT_OUTCOMES = ['done', 'requested', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

const name = z.string().max(100);

const auditEntry = z
  .object({
    /** Its number in the chain. */
    id: z.int(),
    at: timeText,
    /** Null if a program did it, or somebody who was not signed in. */
    staff: z.object({ id: z.string(), name: z.string() }).nullable(),
    organisation: z.string().nullable(),
    action: z.string(),
    subject: z.object({ type: z.string(), id: z.string() }),
    outcome: z.enum(AUDIT_OUTCOMES),
    request_id: z.string(),
    approval_id: z.string().nullable(),
    ledger_key: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

const auditQuery = z.object({
  ...pageQuery,
  sort: z.enum(['newest', 'oldest']).default('newest'),
  staff_id: uuidText.optional(),
  action: name.optional(),
  subject_type: name.optional(),
  subject_id: name.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
});

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
    summary: 'Where the chain of the audit ends',
    answer: z
      .object({
        entry_count: z.int(),
        /** Kept elsewhere, it proves later that no entry before it was rewritten. */
        hash: z.string(),
      })
      .meta({ id: 'AuditHead' }),
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
      /** Changed fields only. Null if there are none, or if they were emptied. */
      before: z.unknown(),
      after: z.unknown(),
      /** The details were emptied with the person whom they were about. The chain runs over their digest. */
      is_emptied: z.boolean(),
      digest: z.string(),
      hash: z.string(),
    }),
  },
} as const satisfies ConsoleCalls;
