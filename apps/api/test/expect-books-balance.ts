/** The invariants that must hold after every test that moves value (docs/ledger.md, "Invariants"). */
import { expect } from 'vitest';
import { verifyLedgerOn } from '../src/ledger/verify.ts';
import { createKeptConnection } from './kept-connection.ts';

/** Opening a connection takes longer than a check, and most files check one database after every test. */
const books = createKeptConnection();

/**
 * Fails the test if the ledger of this database breaks an invariant: sums, floors, running balances, links, chain, or the
 * uniqueness of (payer, key, line) in the journal.
 */
export async function expectBooksBalance(databaseUrl: string): Promise<void> {
  const client = await books.to(databaseUrl);
  const { fault } = await verifyLedgerOn(client);
  expect(fault, 'the books').toBeUndefined();
  const { rows } = await client.query(
    `select key, debit_account_id >> 3, line, count(*) from ledger_transfers
      group by 1, 2, 3 having count(*) > 1`,
  );
  expect(rows, 'keys that moved value more than once').toEqual([]);
}
