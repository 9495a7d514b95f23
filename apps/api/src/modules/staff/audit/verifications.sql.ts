import { sql } from 'kysely';
import type { AuditReport } from '../../../platform/audit/verify.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

interface AuditVerifications {
  id: string;
  requested_at: Date;
  requested_by: string;
  known_head: string | null;
  finished_at: Date | null;
  entry_count: bigint | null;
  emptied_count: bigint | null;
  head: string | null;
  fault: string | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    audit_verifications: AuditVerifications;
  }
}

const COLUMNS = [
  'id',
  'requested_at as requestedAt',
  'known_head as knownHead',
  'finished_at as finishedAt',
  'entry_count as entryCount',
  'emptied_count as emptiedCount',
  'head',
  'fault',
] as const;

export type VerificationRow = NonNullable<Awaited<ReturnType<typeof selectVerification>>>;

export async function insertVerification(
  tx: Tx,
  row: Pick<AuditVerifications, 'id' | 'requested_at' | 'requested_by' | 'known_head'>,
): Promise<void> {
  await tx.insertInto('audit_verifications').values(row).execute();
}

/** Whether a verification that was requested since `since` has not ended. */
export async function isVerifying(tx: Tx, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('audit_verifications')
    .select('id')
    .where('finished_at', 'is', null)
    .where('requested_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const selectVerification = (db: Db | Tx, id: string) =>
  db.selectFrom('audit_verifications').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const selectVerifications = (db: Db, limit: number) =>
  db
    .selectFrom('audit_verifications')
    .select(COLUMNS)
    .orderBy('requested_at', 'desc')
    .limit(limit)
    .execute();

export async function finishVerification(
  db: Db,
  id: string,
  { entryCount, emptiedCount, head, fault }: AuditReport,
  now: Date,
): Promise<void> {
  await db
    .updateTable('audit_verifications')
    .set({
      finished_at: now,
      entry_count: entryCount,
      emptied_count: emptiedCount,
      head,
      fault: fault ?? null,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteOldVerifications(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'audit_verifications', sql`requested_at < ${before}`);
}
