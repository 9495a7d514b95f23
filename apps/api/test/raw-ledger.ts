/** Direct access to the ledger's tables, for operations that its door does not offer. */
import { createHash } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { LedgerAccountId } from '../src/ledger/index.ts';

/** Moves the time of the last batch ahead of the clock, as a clock that jumped does. `0` sets it back. */
export async function movePostedAt<T>(db: Kysely<T>, aheadSeconds: number): Promise<void> {
  await sql`update ledger_head set posted_at = clock_timestamp() + make_interval(secs => ${aheadSeconds})`.execute(
    db,
  );
}

/** Blocks all postings until the transaction ends. */
export async function holdPostings<T>(tx: Kysely<T>): Promise<void> {
  await sql`select from ledger_head for update`.execute(tx);
}

/** Every row of the journal, oldest first. */
export async function readJournal<T>(db: Kysely<T>): Promise<unknown[]> {
  const { rows } = await sql`select * from ledger_transfers order by id`.execute(db);
  return rows;
}

/** Moves the time of the last batch to a later day. Later batches are never earlier, so tests can make days pass. */
export async function setPostedAt<T>(db: Kysely<T>, time: Date): Promise<void> {
  await sql`update ledger_head set posted_at = ${time}`.execute(db);
}

/** Changes the amount of a transfer, as an attacker with full rights over the database does. */
export async function tamperAmount<T>(
  db: Kysely<T>,
  transferId: bigint,
  by: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update ledger_transfers set amount_units = amount_units + ${by} where id = ${transferId}`.execute(
      tx,
    );
  });
}

/** The balances of the programme and of one user, as this transaction sees them. */
export async function readBalances<T>(
  db: Kysely<T>,
  userId: bigint,
): Promise<readonly { account: string; balance: string }[]> {
  const { rows } = await sql<{ account: string; balance: string }>`
    select coalesce(code, id::text) || ' ' || asset as account, balance_units::text as balance from ledger_accounts
     where code is not null or (id >> 3) = ${userId} order by id`.execute(db);
  return rows;
}

/** Sets a floor as no program can. `db` is an administrator's. */
export async function setFloor<T>(
  db: Kysely<T>,
  accountId: LedgerAccountId,
  floorUnits: bigint,
): Promise<void> {
  await sql`update ledger_accounts set floor_units = ${floorUnits} where id = ${accountId}`.execute(
    db,
  );
}

export async function readFloor<T>(db: Kysely<T>, accountId: LedgerAccountId): Promise<string> {
  const { rows } = await sql<{ floor: string }>`
    select floor_units::text as floor from ledger_accounts where id = ${accountId}`.execute(db);
  return rows[0]?.floor ?? '';
}

/** The sum of the balances of the programme's own accounts in an asset. */
export async function sumProgramme<T>(db: Kysely<T>, asset: string): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select sum(balance_units)::text as sum from ledger_accounts where id < 0 and asset = ${asset}`.execute(
    db,
  );
  return BigInt(rows[0]?.sum ?? 0);
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Changes a column of the batch that a transfer ends, in a transaction that the caller undoes. */
export async function tamperBatch<T>(
  tx: Transaction<T>,
  { lastId, change }: { readonly lastId: bigint; readonly change: string },
): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(tx);
  await sql`
    update ledger_batches set ${sql.raw(change)}
     where first_id = (select max(first_id) from ledger_batches where first_id <= ${lastId})`.execute(
    tx,
  );
}

/** Changes the kind of a transfer and makes the chain right again, as an attacker with full rights over the database does. */
export async function rewriteChain<T>(db: Kysely<T>, transferId: bigint): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update ledger_transfers set kind = 5 where id = ${transferId}`.execute(tx);
    const { rows: batches } = await sql<{ first: bigint; texts: string[] }>`
      select b.first_id as first, array_agg(concat_ws('|', id, debit_account_id, credit_account_id, amount_units, debit_after,
               credit_after, debit_prev_id, credit_prev_id, (date_part('epoch', at) * 1000000)::bigint, key, line, kind)
               order by t.id) as texts
        from ledger_batches b join ledger_transfers t on t.id between b.first_id and b.first_id + b.transfer_count - 1
       group by b.first_id order by b.first_id`.execute(tx);
    let hash = sha256('ledger');
    for (const { first, texts } of batches) {
      const digests = Buffer.concat(texts.map((text) => sha256(text).subarray(0, 4)));
      hash = sha256(hash, digests, texts.join('\n'));
      await sql`update ledger_batches set row_digests = ${digests}, hash = ${hash} where first_id = ${first}`.execute(
        tx,
      );
    }
    await sql`update ledger_head set hash = ${hash}`.execute(tx);
  });
}
