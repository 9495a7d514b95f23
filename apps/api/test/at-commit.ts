/** Makes the server do something when a transaction commits, which it would do only in trouble. */
import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';

const TABLES = { purchases: 'purchases', transfers: 'ledger_transfers', scans: 'scans' };

/** Runs `statement` when a transaction that inserted into the table commits. Returns a function that ends this. */
export async function atCommit(
  { admin }: TestApp,
  table: keyof typeof TABLES,
  statement: string,
): Promise<() => Promise<void>> {
  await sql
    .raw(
      `create function at_commit() returns trigger language plpgsql security definer as $$ begin ${statement}; return null; end $$;
       create constraint trigger at_commit after insert on ${TABLES[table]} deferrable initially deferred
         for each row execute function at_commit()`,
    )
    .execute(admin);
  return async () => {
    await sql`drop function at_commit cascade`.execute(admin);
  };
}
