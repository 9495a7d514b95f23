/** Direct access to the ledger's tables, for operations that its door does not offer. */
import { sql, type Kysely } from 'kysely';
import type { Units } from '@athos/domain/money';
import type { LedgerAccountId } from '../src/ledger/index.ts';

/** Lowers the floor of an account, as an operator does before a clawback. */
export async function lowerFloor<T>(
  db: Kysely<T>,
  accountId: LedgerAccountId,
  floorUnits: Units,
): Promise<void> {
  await sql`update ledger_accounts set floor_units = ${floorUnits} where id = ${accountId}`.execute(
    db,
  );
}

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
