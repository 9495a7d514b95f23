/** Direct access to the ledger's tables, for operations that its door does not offer. */
import { sql, type Kysely } from 'kysely';

/** Moves the time of the last batch ahead of the clock, as a clock that jumped does. `0` sets it back. */
export async function movePostedAt<T>(db: Kysely<T>, aheadSeconds: number): Promise<void> {
  await sql`update ledger_head set posted_at = clock_timestamp() + make_interval(secs => ${aheadSeconds})`.execute(
    db,
  );
}

/** Every row of the journal, oldest first. */
export async function readJournal<T>(db: Kysely<T>): Promise<unknown[]> {
  const { rows } = await sql`select * from ledger_transfers order by id`.execute(db);
  return rows;
}
