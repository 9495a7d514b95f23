import { sql, type Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

export type VerificationRow = Selectable<Tables['ledger_verifications']> & {
  readonly requester_name: string | null;
};

/** Inserts a verification, or returns the id of the unfinished one of its kind if there is one. */
export async function insertVerification(
  tx: Tx,
  verification: {
    readonly id: string;
    readonly at: Date;
    readonly staffId: string | null;
    readonly isWhole: boolean;
  },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { id, at, staffId, isWhole } = verification;
  const inserted = await tx
    .insertInto('ledger_verifications')
    .values({ id, requested_at: at, requested_by: staffId, is_whole: isWhole, ...NOT_STARTED })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted !== undefined) return { id, isNew: true };
  const unfinished = await tx
    .selectFrom('ledger_verifications')
    .select('id')
    .where('finished_at', 'is', null)
    .where('is_whole', '=', isWhole)
    .executeTakeFirstOrThrow();
  return { id: unfinished.id, isNew: false };
}

const NOT_STARTED = {
  started_at: null,
  finished_at: null,
  account_count: null,
  head: null,
  fault_row: null,
  fault_reason: null,
} as const;

/** Returns `false` if the verification is finished or unknown. */
export async function updateStarted(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ started_at: now, row_count: 0n })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateProgress(
  db: Db,
  id: string,
  progress: { readonly rowCount: bigint; readonly rowsTotal: bigint },
): Promise<void> {
  await db
    .updateTable('ledger_verifications')
    .set({ row_count: progress.rowCount, rows_total: progress.rowsTotal })
    .where('id', '=', id)
    .execute();
}

export async function updateFinished(
  db: Db,
  id: string,
  result: Pick<VerificationRow, 'finished_at'> &
    Partial<
      Pick<VerificationRow, 'account_count' | 'head' | 'fault_row' | 'fault_reason' | 'has_failed'>
    >,
): Promise<void> {
  await db.updateTable('ledger_verifications').set(result).where('id', '=', id).execute();
}

/** Ends a verification of the kind that was requested before a time and is still unfinished. Returns whether there was one. */
export async function endAbandoned(
  db: Db,
  {
    isWhole,
    requestedBefore,
    now,
  }: { readonly isWhole: boolean; readonly requestedBefore: Date; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ finished_at: now, has_failed: true })
    .where('finished_at', 'is', null)
    .where('is_whole', '=', isWhole)
    .where('requested_at', '<=', requestedBefore)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const withRequester = (db: Db | Tx) =>
  db
    .selectFrom('ledger_verifications')
    .leftJoin('staff', 'staff.id', 'ledger_verifications.requested_by')
    .selectAll('ledger_verifications')
    .select('staff.name as requester_name');

export const selectVerification = (db: Db | Tx, id: string): Promise<VerificationRow | undefined> =>
  withRequester(db).where('ledger_verifications.id', '=', id).executeTakeFirst();

/** Newest first. */
export const selectVerifications = (db: Db, limit: number): Promise<VerificationRow[]> =>
  withRequester(db)
    .orderBy('requested_at', 'desc')
    .orderBy('ledger_verifications.id', 'desc')
    .limit(limit)
    .execute();

export async function deleteVerifications(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'ledger_verifications', sql`requested_at <= ${before}`);
}
