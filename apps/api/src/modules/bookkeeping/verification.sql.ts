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

/** One attempt of the job of a verification, which its beginning tells from those before and after it. */
export interface Attempt {
  readonly id: string;
  readonly startedAt: Date;
}

/** Begins an attempt. Returns `false` if the verification is finished or unknown. */
export async function updateStarted(db: Db, { id, startedAt }: Attempt): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ started_at: startedAt, progressed_at: startedAt, row_count: 0n })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns `false` if the verification is finished, or another attempt has begun. */
export async function updateProgress(
  db: Db,
  { id, startedAt }: Attempt,
  {
    rowCount,
    rowsTotal,
    now,
  }: { readonly rowCount: bigint; readonly rowsTotal: bigint; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ row_count: rowCount, rows_total: rowsTotal, progressed_at: now })
    .where('id', '=', id)
    .where('started_at', '=', startedAt)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns `false` and changes nothing if the verification is finished, or another attempt has begun. */
export async function updateFailed(
  db: Db,
  { id, startedAt }: Attempt,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ finished_at: now, has_failed: true })
    .where('id', '=', id)
    .where('started_at', '=', startedAt)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps the result, unless there is one. One that counted as abandoned has an end after all. */
export async function updateFinished(
  db: Db,
  id: string,
  result: Pick<
    VerificationRow,
    | 'finished_at'
    | 'row_count'
    | 'rows_total'
    | 'account_count'
    | 'head'
    | 'fault_row'
    | 'fault_reason'
  >,
): Promise<void> {
  await db
    .updateTable('ledger_verifications')
    .set({ ...result, has_failed: false })
    .where('id', '=', id)
    .where(sql<boolean>`(finished_at is null or has_failed)`)
    .execute();
}

/** Whether the verification is unfinished. */
export async function isUnfinished(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_verifications')
    .select('id')
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends an unfinished verification of the kind that nobody works on: it told nothing since `quietSince`, and its job is gone, has used up its
 * attempts, or is held by a worker that told nothing since `stuckSince`. A job that waits for its turn is left. Returns whether there was one.
 */
export async function endAbandoned(
  db: Db,
  {
    isWhole,
    quietSince,
    stuckSince,
    now,
  }: {
    readonly isWhole: boolean;
    readonly quietSince: Date;
    readonly stuckSince: Date;
    readonly now: Date;
  },
): Promise<boolean> {
  const toldAt = sql<Date>`coalesce(progressed_at, started_at, requested_at)`;
  const hasNoJob = sql<boolean>`not exists (
    select from graphile_worker._private_jobs job
     where job.payload ->> 'id' = ledger_verifications.id::text
       and case when job.locked_at is null then job.attempts < job.max_attempts else ${toldAt} > ${stuckSince} end)`;
  const { numUpdatedRows } = await db
    .updateTable('ledger_verifications')
    .set({ finished_at: now, has_failed: true })
    .where('finished_at', 'is', null)
    .where('is_whole', '=', isWhole)
    .where(toldAt, '<=', quietSince)
    .where(hasNoJob)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * When the last walk from the first row that came to an end was requested. Before there was one: when anything was verified first, so that the
 * walk of a new system is due a week later. `undefined` if nothing was verified.
 */
export async function selectLastWholeAt(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(
      (select max(requested_at) from ledger_verifications where is_whole and finished_at is not null and not has_failed),
      (select min(requested_at) from ledger_verifications)) as at`.execute(db);
  return rows[0]?.at ?? undefined;
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
