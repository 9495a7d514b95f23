/** Statements on merchants. */
import { sql, type Selectable, type Updateable } from 'kysely';
import pg from 'pg';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type {} from './tables.ts';

export type MerchantRow = Selectable<Tables['merchants']>;

export interface MerchantFilters {
  readonly state?: 'open' | 'archived' | undefined;
}

const listed = (db: Db, { state }: MerchantFilters) =>
  db
    .selectFrom('merchants')
    .selectAll('merchants')
    .$if(state !== undefined, (rows) =>
      rows.where('archived_at', state === 'open' ? 'is' : 'is not', null),
    );

/** Sorted by name. Returns one row more than `limit` if there is a next page. */
export const selectMerchants = (
  db: Db,
  filters: MerchantFilters,
  { limit, afterName }: { readonly limit: number; readonly afterName: string | undefined },
): Promise<MerchantRow[]> =>
  listed(db, filters)
    .$if(afterName !== undefined, (rows) => rows.where('name', '>', afterName ?? ''))
    .orderBy('name')
    .limit(limit + 1)
    .execute();

export const countMerchants = (db: Db | Tx, filters: MerchantFilters): Promise<ListCount> =>
  countRows(db, listed(db, filters));

/** All merchants by name, for a selection. */
export const selectMerchantChoices = (
  db: Db,
): Promise<Pick<MerchantRow, 'id' | 'name' | 'archived_at'>[]> =>
  db.selectFrom('merchants').select(['id', 'name', 'archived_at']).orderBy('name').execute();

export const selectMerchant = (db: Db | Tx, id: number): Promise<MerchantRow | undefined> =>
  db.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst();

export const lockMerchant = (tx: Tx, id: number): Promise<MerchantRow | undefined> =>
  tx.selectFrom('merchants').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Reads a merchant and keeps it from being archived until the transaction ends. Several transactions may do so at once. */
export const shareMerchant = (tx: Tx, id: number): Promise<MerchantRow | undefined> =>
  tx.selectFrom('merchants').selectAll().where('id', '=', id).forShare().executeTakeFirst();

/** Lets only one transaction at a time add a merchant, so that their number stays within its limit. */
export async function lockMerchants(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('merchants', 0))`.execute(tx);
}

/** The number of offers of each of these merchants, including drafts. */
export async function countOffers(
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select merchant_id as id, count(*)::int as count from offers
     where merchant_id = any(${ids}::integer[]) group by merchant_id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Whether an offer of the merchant is on sale, or was published and not withdrawn. */
export async function isMerchantSelling(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ selling: boolean }>`
    select exists (select from offers where merchant_id = ${id}::integer and active) as selling`.execute(
    tx,
  );
  return rows[0]?.selling === true;
}

export interface WaitingSettlement {
  readonly id: string;
  readonly units: bigint;
  readonly expiresAt: Date;
}

/** The settlement requests that wait for a vote, newest first. */
export async function selectWaiting(db: Db | Tx, id: number): Promise<WaitingSettlement[]> {
  const { rows } = await sql<WaitingSettlement>`
    select id, amount_units as units, expires_at as "expiresAt" from approvals
     where state = 'pending' and action = 'merchant.settle' and subject_id = ${id.toString()}
     order by requested_at desc limit 20`.execute(db);
  return rows;
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === 'merchants_name_key';

/** Throws `merchant_exists` if another merchant has the name. */
async function naming<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    throw new AppError('merchant_exists', { cause: error });
  }
}

export interface MerchantText {
  readonly name: string;
  readonly note: string;
}

/** Throws `merchant_exists`. Returns the id. */
export async function insertMerchant(tx: Tx, text: MerchantText, createdAt: Date): Promise<number> {
  const { id } = await naming(
    tx
      .insertInto('merchants')
      .values({ ...text, created_at: createdAt })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

/** Throws `merchant_exists`. */
export async function updateMerchant(
  tx: Tx,
  id: number,
  change: Updateable<Tables['merchants']>,
): Promise<void> {
  await naming(
    tx
      .updateTable('merchants')
      .set({ ...change, version: sql<number>`version + 1` })
      .where('id', '=', id)
      .execute(),
  );
}
