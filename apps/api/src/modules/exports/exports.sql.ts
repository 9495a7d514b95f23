import { sql, type Insertable } from 'kysely';
import type { ExportState } from '@athos/contract/console/exports';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import { notifyConsole } from '../../platform/console/console-changes.ts';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

const COLUMNS = [
  'id',
  'content',
  'state',
  'created_at as createdAt',
  'finished_at as finishedAt',
  'expires_at as expiresAt',
  'rows_done as rowsDone',
  'rows_total as rowsTotal',
  'byte_count as byteCount',
] as const;

export type ExportRow = NonNullable<Awaited<ReturnType<typeof selectExport>>>;

const ownExports = (db: Db | Tx, staffId: string) =>
  db.selectFrom('exports').where('staff_id', '=', staffId);

export async function insertExport(tx: Tx, row: Insertable<Tables['exports']>): Promise<ExportRow> {
  await notifyConsole(tx, 'exports');
  return tx.insertInto('exports').values(row).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectExports = (
  db: Db,
  staffId: string,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
): Promise<ExportRow[]> =>
  ownExports(db, staffId)
    .select(COLUMNS)
    .$if(beforeId !== undefined, (rows) => rows.where('id', '<', beforeId ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const countExports = (db: Db, staffId: string): Promise<ListCount> =>
  countRows(db, ownExports(db, staffId));

export const selectExport = (db: Db | Tx, staffId: string, id: string) =>
  ownExports(db, staffId).select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** Marks the export as running, again if the worker died. `undefined` for an export that was finished or deleted. */
export const updateRunning = (db: Db, id: string) =>
  db
    .updateTable('exports')
    .set({ state: 'running', rows_done: 0n })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .returning(['id', 'content', 'filters', 'user_id as userId'])
    .executeTakeFirst();

export async function updateProgress(db: Db, id: string, rowsDone: bigint): Promise<void> {
  await db
    .updateTable('exports')
    .set({ rows_done: rowsDone })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
  await notifyConsole(db, 'exports');
}

/** Locks the export until the transaction ends. Returns `false` if it has already ended. */
export async function lockRunning(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('exports')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateReady(
  tx: Tx,
  id: string,
  ready: {
    readonly rowsDone: bigint;
    readonly byteCount: bigint;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx
    .updateTable('exports')
    .set({
      state: 'ready',
      rows_done: ready.rowsDone,
      byte_count: ready.byteCount,
      finished_at: ready.at,
      expires_at: ready.expiresAt,
    })
    .where('id', '=', id)
    .execute();
  await notifyConsole(tx, 'exports');
}

/** Returns `false` if the export has already ended in another way. */
export async function updateFailed(db: Db | Tx, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ state: 'failed', finished_at: at })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  await notifyConsole(db, 'exports');
  return numUpdatedRows > 0n;
}

/** The number of rows that an export counts as if its rows were not counted to the end (`LIST_COUNT_MAX`). */
const UNCOUNTED_ROWS = 10_000;

/** The number of customers whose whole addresses the person has requested since a time. */
export async function sumContacts(tx: Tx, staffId: string, since: Date): Promise<number> {
  const { sum } = await ownExports(tx, staffId)
    .select(sql<number>`coalesce(sum(coalesce(rows_total, ${UNCOUNTED_ROWS})), 0)::int`.as('sum'))
    .where('created_at', '>', since)
    .where(sql<boolean>`filters @> '{"isContactShown": true}'`)
    .executeTakeFirstOrThrow();
  return sum;
}

/** Replaces the previous link. `undefined` if there is no file for a link. */
export const updateLink = (
  tx: Tx,
  { staffId, id, now }: { readonly staffId: string; readonly id: string; readonly now: Date },
  link: { readonly hash: Buffer; readonly expiresAt: Date },
) =>
  tx
    .updateTable('exports')
    .set({ link_hash: link.hash, link_expires_at: link.expiresAt })
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .where('state', '=', 'ready')
    .where('expires_at', '>', now)
    .returning(['content', 'filters'])
    .executeTakeFirst();

/** Uses up the link. `undefined` if it is no longer valid. */
export const takeLink = (
  db: Db,
  { staffId, id, now }: { readonly staffId: string; readonly id: string; readonly now: Date },
  hash: Buffer,
) =>
  db
    .updateTable('exports')
    .set({ link_hash: null })
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .where('link_hash', '=', hash)
    .where('link_expires_at', '>', now)
    .where('state', '=', 'ready')
    .where('expires_at', '>', now)
    .returning(['content', 'filters', 'created_at as createdAt'])
    .executeTakeFirst();

/** Fails exports that were requested before a time and have still not ended: no worker survived them. */
export async function updateAbandoned(
  db: Db,
  { askedBefore, now }: { readonly askedBefore: Date; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('exports')
    .set({ state: 'failed', finished_at: now })
    .where('state', 'in', ['waiting', 'running'])
    .where('created_at', '<=', askedBefore)
    .execute();
}

/** Marks exports whose time is over as deleted. Returns their ids. */
export async function updateExpired(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('exports')
    .set({ state: 'deleted', link_hash: null })
    .where('state', '=', 'ready')
    .where('expires_at', '<=', now)
    .returning('id')
    .execute();
  if (rows.length > 0) await notifyConsole(db, 'exports');
  return rows.map(({ id }) => id);
}

/** The states of these exports. */
export async function selectStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExportState>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('exports')
    .select(['id', 'state'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export const deleteOldExports = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'exports', sql`created_at < ${before} and state in ('deleted', 'failed')`);

/** Ends the exports of a person's data, including those in progress. The next run of the job that deletes files removes them. */
export async function endExportsOf(tx: Tx, userId: bigint): Promise<void> {
  const ofUser = tx.updateTable('exports').where('user_id', '=', userId);
  await ofUser
    .set({ expires_at: sql<Date>`created_at`, link_hash: null })
    .where('state', '=', 'ready')
    .execute();
  await ofUser
    .set({ state: 'failed', finished_at: sql<Date>`created_at` })
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}
