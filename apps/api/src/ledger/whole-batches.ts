/** Reads the journal in whole batches in posting order, for structures built beside the chain. */
import { sql, type QueryExecutorProvider } from 'kysely';

export interface PostedBatch {
  readonly firstId: bigint;
  readonly lastId: bigint;
  readonly transferCount: number;
  /** The hash of the chain after the batch. */
  readonly hash: Buffer;
}

/** The batches after a transfer, at most `limit`. Batches are committed in the order of their ids, so none can appear between them later. */
export async function selectBatchesAfter(
  db: QueryExecutorProvider,
  afterId: bigint,
  limit: number,
): Promise<readonly PostedBatch[]> {
  const { rows } = await sql<{ first: string; count: number; hash: Buffer }>`
    select first_id::text as first, transfer_count as count, hash from ledger_batches b
     where first_id > ${afterId.toString()}::bigint order by b.first_id limit ${limit}::int`.execute(
    db,
  );
  return rows.map(({ first, count, hash }) => {
    const firstId = BigInt(first);
    return { firstId, lastId: firstId + BigInt(count) - 1n, transferCount: count, hash };
  });
}

/** The batch that ends with this transfer. */
export async function selectBatchEndingAt(
  db: QueryExecutorProvider,
  lastId: bigint,
): Promise<PostedBatch | undefined> {
  const { rows } = await sql<{ first: string; count: number; hash: Buffer }>`
    select first_id::text as first, transfer_count as count, hash from ledger_batches b
     where first_id <= ${lastId.toString()}::bigint order by b.first_id desc limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const firstId = BigInt(row.first);
  const batch = { firstId, lastId: firstId + BigInt(row.count) - 1n, hash: row.hash };
  return batch.lastId === lastId ? { ...batch, transferCount: row.count } : undefined;
}

export interface RowRange {
  /** Inclusive. */
  readonly firstId: bigint;
  /** Inclusive. */
  readonly lastId: bigint;
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * The rows of the range in the order of their ids, in the form that the chain hashes: twelve columns with `|` between them. The inner
 * statement skips rows before their texts are made: a text costs ten times the reading of its row.
 */
export async function selectRowTexts(
  db: QueryExecutorProvider,
  { firstId, lastId, offset = 0, limit }: RowRange,
): Promise<readonly string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws('|', id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after, debit_prev_id,
                     credit_prev_id, (date_part('epoch', at) * 1000000)::bigint, key, line, kind) as text
      from (select * from ledger_transfers
             where id between ${firstId.toString()}::bigint and ${lastId.toString()}::bigint
             order by id offset ${offset}::int limit ${limit ?? null}::int) t
     order by t.id`.execute(db);
  return rows.map(({ text }) => text);
}

/** The number of transfers of the range before this one. */
export async function countRowsBefore(
  db: QueryExecutorProvider,
  firstId: bigint,
  id: bigint,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ledger_transfers
     where id >= ${firstId.toString()}::bigint and id < ${id.toString()}::bigint`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The time at which a transfer was posted. */
export async function selectPostedAt(
  db: QueryExecutorProvider,
  id: bigint,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select at from ledger_transfers where id = ${id.toString()}::bigint`.execute(db);
  return rows[0]?.at;
}
