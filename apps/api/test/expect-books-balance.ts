/** The invariants that must hold after every test that moves value (docs/ledger.md, "Invariants"). */
import pg from 'pg';
import { expect } from 'vitest';
import { verifyLedgerOn } from '../src/ledger/verify.ts';

interface Connection {
  readonly databaseUrl: string;
  readonly client: pg.Client;
}

/** The connection of the last check. Opening one takes longer than a check, and most files check one database after every test. */
let last: Connection | undefined;

async function connectTo(databaseUrl: string): Promise<Connection> {
  if (last?.databaseUrl === databaseUrl) return last;
  const before = last;
  last = undefined;
  await before?.client.end();
  const client = new pg.Client({ connectionString: databaseUrl });
  const connection = { databaseUrl, client };
  // The file has dropped its database, or a test has ended all connections.
  client.on('error', () => {
    if (last === connection) last = undefined;
  });
  await client.connect();
  last = connection;
  return connection;
}

/**
 * Fails the test if the ledger of this database breaks an invariant: sums, floors, running balances, links, chain, or the
 * uniqueness of (payer, key, line) in the journal.
 */
export async function expectBooksBalance(databaseUrl: string): Promise<void> {
  const { client } = await connectTo(databaseUrl);
  const { fault } = await verifyLedgerOn(client);
  expect(fault, 'the books').toBeUndefined();
  const { rows } = await client.query(
    `select key, debit_account_id >> 3, line, count(*) from ledger_transfers
      group by 1, 2, 3 having count(*) > 1`,
  );
  expect(rows, 'keys that moved value more than once').toEqual([]);
}
