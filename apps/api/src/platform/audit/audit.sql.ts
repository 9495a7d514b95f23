/** Writes the audit: one entry for each act of staff, in the transaction of the act (decision 0020). */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AuditOutcome } from '@athos/contract/console/audit';
import type { Organisation } from '@athos/contract/console/staff';
import type { Db, Tx } from '../database/database.ts';
import type {} from './tables.ts';

const SALT_BYTES = 16;

export interface AuditEntry {
  readonly at: Date;
  /** Absent if the actor is a program or a caller who is not signed in. */
  readonly staff?:
    | {
        readonly staffId: string;
        readonly organisation: Organisation;
        /** Absent before a session exists, as during sign-in. */
        readonly sessionId?: string;
      }
    | undefined;
  readonly requestId: string;
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly outcome: AuditOutcome;
  readonly approvalId?: string | undefined;
  readonly ledgerKey?: string | undefined;
  /** Only ids and the fields that changed. Never a secret. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Writes a bigint as text, since JSON numbers cannot hold it. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );

/**
 * Appends an entry and returns its number. The audit stays locked until the transaction ends, so take every other lock before it,
 * except that of the ledger, which comes last.
 */
export async function appendAudit(tx: Tx | Db, entry: AuditEntry): Promise<bigint> {
  const { staff, subject, before = null, after = null } = entry;
  const { rows } = await sql<{ seq: bigint }>`
    select audit_append(
      ${entry.at}::timestamptz, ${staff?.staffId ?? null}::uuid, ${staff?.sessionId ?? null}::uuid,
      ${staff?.organisation ?? null}::text, ${entry.action}::text, ${subject.type}::text, ${subject.id}::text,
      ${entry.outcome}::text, ${entry.requestId}::text, ${entry.approvalId ?? null}::uuid, ${entry.ledgerKey ?? null}::uuid,
      ${randomBytes(SALT_BYTES)}::bytea, ${jsonText({ before, after })}::text
    ) as seq`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('audit_append returned no row');
  return row.seq;
}

/** The number of entries, and the hash of the last one. */
export const selectAuditHead = (
  db: Db | Tx,
): Promise<{ readonly seq: bigint; readonly hash: Buffer }> =>
  db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow();

/** Empties the details of every entry about these subjects, to erase a person. The chain still verifies. */
export async function emptyAuditDetails(
  tx: Tx,
  subjects: readonly AuditEntry['subject'][],
): Promise<void> {
  for (const { type, id } of subjects) {
    await sql`
      update audit_details detail set salt = null, details = null
        from audit_entries entry
       where entry.subject_type = ${type} and entry.subject_id = ${id}
         and detail.seq = entry.seq and detail.details is not null`.execute(tx);
  }
}

/** Locks the audit before the ledger, for an act whose entry can only be written after its movements. */
export async function lockAudit(tx: Tx): Promise<void> {
  await sql`select from audit_head for update`.execute(tx);
}
