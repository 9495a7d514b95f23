/** The invariants that must hold after every test that moves value (docs/ledger.md, "Invariants"). */
import pg from 'pg';
import { expect } from 'vitest';
import { verifyLedger } from '../src/ledger/verify.ts';

/**
 * Fails the test if the ledger of this database breaks an invariant: sums, floors, running balances, links, chain, or the
 * uniqueness of (payer, key, line) in the journal.
 */
export async function expectBooksBalance(databaseUrl: string): Promise<void> {
  const { fault } = await verifyLedger({ databaseUrl });
  expect(fault, 'the books').toBeUndefined();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select key, debit_account_id >> 3, line, count(*) from ledger_transfers
        group by 1, 2, 3 having count(*) > 1`,
    );
    expect(rows, 'keys that moved value more than once').toEqual([]);
  } finally {
    await client.end();
  }
}
