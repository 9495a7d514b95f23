/**
 * The clock of the journal while the demo's past is created: the function `ledger_clock()` returns a time that the seed sets. In
 * production nothing replaces the function.
 */
import { sql, type QueryExecutorProvider } from 'kysely';

/** A sequence in milliseconds, because every connection sees its value at once, independent of transactions. */
const SEQUENCE = sql.table('demo_past_clock');

/** Makes `ledger_clock()` return the time that `setPastClock` has set. */
export async function replaceLedgerClock(db: QueryExecutorProvider): Promise<void> {
  await sql`create sequence if not exists ${SEQUENCE} minvalue 0`.execute(db);
  // Postings read the sequence as the ledger's owner, which may be another role than the one that creates the past.
  await sql`grant select on sequence ${SEQUENCE} to public`.execute(db);
  await sql`
    create or replace function ledger_clock() returns timestamptz language sql volatile
      as 'select to_timestamp(last_value / 1000.0) from demo_past_clock'`.execute(db);
}

export async function setPastClock(db: QueryExecutorProvider, atMs: number): Promise<void> {
  await sql`select setval('demo_past_clock', ${atMs}::bigint)`.execute(db);
}

/** Restores the clock of migration 0079, if it was replaced. */
export const RESTORE_LEDGER_CLOCK = `
  do $$ begin
    if to_regclass('demo_past_clock') is null then return; end if;
    create or replace function ledger_clock() returns timestamptz language sql volatile
      as 'select clock_timestamp()';
    drop sequence demo_past_clock;
  end $$`;

export async function restoreLedgerClock(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(RESTORE_LEDGER_CLOCK).execute(db);
}
