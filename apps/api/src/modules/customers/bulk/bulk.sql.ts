import { sql, type ColumnType, type JSONColumnType } from 'kysely';
import type { BulkAct, BulkState } from '@athos/contract/console/bulk';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { WithDefault } from '../../../platform/database/tables.ts';

interface BulkRuns {
  id: string;
  staff_id: string;
  act: JSONColumnType<BulkAct>;
  reason: string;
  state: WithDefault<BulkState>;
  rows_total: ColumnType<number, number, never>;
  created_at: Date;
  finished_at: WithDefault<Date | null>;
  rows_done: WithDefault<number | null>;
  rows_failed: WithDefault<number | null>;
}

interface BulkRows {
  run_id: string;
  line: number;
  customer_uuid: string;
  outcome: 'done' | 'failed' | null;
  failure_code: string | null;
  failure: string | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    bulk_runs: BulkRuns;
    bulk_rows: BulkRows;
  }
}

export async function insertRun(
  tx: Tx,
  run: {
    readonly id: string;
    readonly staffId: string;
    readonly act: BulkAct;
    readonly reason: string;
    readonly at: Date;
  },
  customerUuids: readonly string[],
): Promise<void> {
  await tx
    .insertInto('bulk_runs')
    .values({
      id: run.id,
      staff_id: run.staffId,
      act: JSON.stringify(run.act),
      reason: run.reason,
      rows_total: customerUuids.length,
      created_at: run.at,
    })
    .execute();
  await sql`
    insert into bulk_rows (run_id, line, customer_uuid)
    select ${run.id}::uuid, row.line, row.uuid
      from unnest(${customerUuids}::uuid[]) with ordinality row (uuid, line)`.execute(tx);
  await notifyConsole(tx, 'bulk');
}

const runs = (db: Db | Tx) =>
  db
    .selectFrom('bulk_runs')
    .select([
      'id',
      'staff_id as staffId',
      'act',
      'reason',
      'state',
      'rows_total as rowsTotal',
      'created_at as createdAt',
      'finished_at as finishedAt',
      'rows_done as rowsDone',
      'rows_failed as rowsFailed',
    ]);

export type BulkRun = NonNullable<Awaited<ReturnType<typeof selectOwnRun>>>;

export const selectOwnRun = (db: Db | Tx, staffId: string, id: string) =>
  runs(db).where('staff_id', '=', staffId).where('id', '=', id).executeTakeFirst();

export const lockOwnRun = (tx: Tx, staffId: string, id: string) =>
  runs(tx).where('staff_id', '=', staffId).where('id', '=', id).forUpdate().executeTakeFirst();

export const selectRun = (db: Db, id: string): Promise<BulkRun | undefined> =>
  runs(db).where('id', '=', id).executeTakeFirst();

/** The number of rows that are done, and of those that failed. */
export async function countOutcomes(
  db: Db | Tx,
  id: string,
): Promise<{ readonly done: number; readonly failed: number }> {
  const { rows } = await sql<{ done: number; failed: number }>`
    select count(*) filter (where outcome = 'done')::int as done,
           count(*) filter (where outcome = 'failed')::int as failed
      from bulk_rows where run_id = ${id}::uuid`.execute(db);
  return rows[0] ?? { done: 0, failed: 0 };
}

/** Moves a run to the next state. Returns `false` if it is in another state than `from`, for example stopped. */
export async function advanceRun(
  db: Db | Tx,
  id: string,
  { from, to }: { readonly from: readonly BulkState[]; readonly to: BulkState },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_runs')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  await notifyConsole(db, 'bulk');
  return numUpdatedRows > 0n;
}

/** Ends a run in progress, and counts the outcomes of its rows. Waits for the row that is being processed. */
export async function endRun(
  tx: Tx,
  id: string,
  { state, at }: { readonly state: 'done' | 'stopped'; readonly at: Date },
): Promise<boolean> {
  const run = await runs(tx)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .forUpdate()
    .executeTakeFirst();
  if (run === undefined) return false;
  const { done, failed } = await countOutcomes(tx, id);
  await tx
    .updateTable('bulk_runs')
    .set({ state, finished_at: at, rows_done: done, rows_failed: failed })
    .where('id', '=', id)
    .execute();
  await notifyConsole(tx, 'bulk');
  return true;
}

/** Whether the run is still running. It cannot be stopped before the transaction ends. */
export async function holdRunning(tx: Tx, id: string): Promise<boolean> {
  const run = await tx
    .selectFrom('bulk_runs')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst();
  return run !== undefined;
}

const ownRuns = (db: Db, staffId: string) =>
  db.selectFrom('bulk_runs').where('staff_id', '=', staffId).where('state', '<>', 'previewed');

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectOwnRuns = (
  db: Db,
  staffId: string,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
): Promise<BulkRun[]> =>
  runs(db)
    .where('staff_id', '=', staffId)
    .where('state', '<>', 'previewed')
    .$if(beforeId !== undefined, (rows) => rows.where('id', '<', beforeId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const countOwnRuns = (db: Db, staffId: string): Promise<ListCount> =>
  countRows(db, ownRuns(db, staffId));

/** The next rows without an outcome. */
export const selectOpenRows = (db: Db, id: string, limit: number) =>
  db
    .selectFrom('bulk_rows')
    .select(['line', 'customer_uuid as customerUuid'])
    .where('run_id', '=', id)
    .where('outcome', 'is', null)
    .orderBy('line')
    .limit(limit)
    .execute();

interface RowOutcome {
  readonly id: string;
  readonly line: number;
  /** Absent if the row is done. */
  readonly failure?: { readonly code: string; readonly reason: string } | undefined;
}

/** Returns `false` if the row already has its outcome. Waits for a transaction that is about to write it. */
export async function updateOutcome(tx: Tx, { id, line, failure }: RowOutcome): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bulk_rows')
    .set({
      outcome: failure === undefined ? 'done' : 'failed',
      failure_code: failure?.code ?? null,
      failure: failure?.reason ?? null,
    })
    .where('run_id', '=', id)
    .where('line', '=', line)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const failures = (db: Db, id: string) =>
  db.selectFrom('bulk_rows').where('run_id', '=', id).where('outcome', '=', 'failed');

/** In the order of the rows. Returns one row more than `limit` if there is a next page. */
export const selectFailures = (
  db: Db,
  id: string,
  { limit, afterLine }: { readonly limit: number; readonly afterLine: number | undefined },
) =>
  failures(db, id)
    .select(['line', 'customer_uuid', 'failure_code', 'failure'])
    .$if(afterLine !== undefined, (rows) => rows.where('line', '>', afterLine ?? 0))
    .orderBy('line')
    .limit(limit + 1)
    .execute();

export const countFailures = (db: Db, id: string): Promise<ListCount> =>
  countRows(db, failures(db, id));

export async function deleteOldRuns(
  db: Db,
  before: { readonly preview: Date; readonly run: Date },
): Promise<void> {
  await deleteInBatches(
    db,
    'bulk_runs',
    sql`created_at < ${before.run} or (state = 'previewed' and created_at < ${before.preview})`,
  );
}
