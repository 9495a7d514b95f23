import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedgerBooks, send, type LedgerBooks } from '../../test/ledger-books.ts';
import type { LedgerAccountId } from './index.ts';
import { verifyLedger } from './verify.ts';

let books: LedgerBooks;
let from: LedgerAccountId;
let to: LedgerAccountId;
/** The ids of ten transfers in journal order. The last two share a batch; the others have one each. */
let ids: string[];

beforeEach(async () => {
  books = await createLedgerBooks();
  [from, to] = [await books.openUser(1n, 1_000n), await books.openUser(2n, 1_000n)];
  for (let index = 0; index < 6; index++) await books.ledger.transfer(send(from, to, 10n));
  await Promise.all([
    books.ledger.transfer(send(from, to, 20n)),
    books.ledger.transfer(send(to, from, 30n)),
  ]);
  const { rows } = await books.admin.query<{ id: string }>(
    'select id::text from ledger_transfers t order by t.id',
  );
  ids = rows.map(({ id }) => id);
});
afterEach(() => books.close());

const verify = () => verifyLedger({ databaseUrl: books.databaseUrl });

/** Tampers as an attacker with full rights over the database, without triggers. */
async function tamper(...statements: string[]): Promise<void> {
  const client = await books.admin.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release(true);
  }
}

describe('ledger:verify', () => {
  it('[D-093] follows the hash chain over the whole journal', async () => {
    const report = await verify();
    expect(report).toEqual({
      fault: undefined,
      accountCount: 43n,
      transferCount: 10n,
      batchCount: expect.any(BigInt),
      rowCount: 10n,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      checkpoint: undefined,
      stands: [expect.objectContaining({ transferId: BigInt(ids[9] ?? ''), hash: report.head })],
    });
    const { rows } = await books.admin.query("select encode(hash, 'hex') as head from ledger_head");
    expect(rows).toEqual([{ head: report.head }]);
  });

  it('finds the books correct while transfers are posted', { tags: 'long' }, async () => {
    let isOver = false;
    const traffic = (async () => {
      while (!isOver) await books.ledger.transfer(send(from, to, 1n));
    })();
    for (let round = 0; round < 5; round++) expect((await verify()).fault).toBeUndefined();
    isOver = true;
    await traffic;
  });

  it('reads the journal once for each share of the accounts', { tags: 'long' }, async () => {
    const report = await verifyLedger({ databaseUrl: books.databaseUrl, accountsPerPass: 1n });
    expect(report).toMatchObject({ fault: undefined, transferCount: 10n });
    await tamper(`update ledger_accounts set balance_units = balance_units + 1 where id = ${to}`);
    const { fault } = await verifyLedger({ databaseUrl: books.databaseUrl, accountsPerPass: 1n });
    expect(fault).toMatchObject({ row: `account ${to}` });
  });

  it('reads the journal in parts, which end with a batch', async () => {
    const whole = await verify();
    const inParts = () => verifyLedger({ databaseUrl: books.databaseUrl, rowsPerRead: 3 });
    expect(await inParts()).toEqual(whole);
    await tamper(`delete from ledger_transfers where id = ${ids[5]}`);
    expect((await inParts()).fault).toMatchObject({ row: `transfer ${ids[5]}` });
  });

  const columns = [
    ['amount_units', 'amount_units + 1'],
    ['debit_after', 'debit_after + 1'],
    ['credit_after', 'credit_after - 1'],
    ['debit_prev_id', '0'],
    ['credit_prev_id', '0'],
    ['debit_account_id', '24'],
    ['credit_account_id', '24'],
    ['at', "at - interval '1 microsecond'"],
    ['key', 'gen_random_uuid()'],
    ['line', 'line + 1'],
    ['kind', 'kind + 1'],
  ] as const;
  it.each(columns)('names the row whose %s was changed', async (column, value) => {
    // Changes the later of two rows of one batch, then an earlier row: the report must name the earlier one.
    await tamper(`update ledger_transfers set ${column} = ${value} where id = ${ids[9]}`);
    expect((await verify()).fault).toMatchObject({ row: `transfer ${ids[9]}` });
    await tamper(`update ledger_transfers set ${column} = ${value} where id = ${ids[4]}`);
    expect((await verify()).fault).toMatchObject({ row: `transfer ${ids[4]}` });
  });

  it('names a missing row', async () => {
    await tamper(`delete from ledger_transfers where id = ${ids[5]}`);
    expect((await verify()).fault).toMatchObject({
      row: `transfer ${ids[5]}`,
      reason: 'is missing',
    });
  });

  const copyWithId = (id: string): string =>
    `insert into ledger_transfers
       select ${id}, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
              debit_prev_id, credit_prev_id, at, gen_random_uuid(), line, kind
         from ledger_transfers where id = ${ids[4]}`;
  it.each([
    ['between batches', () => BigInt(ids[4] ?? '') + 500n],
    ['before all others', () => -7n],
    ['after all others', () => BigInt(ids[9] ?? '') + 99_999n],
  ])('names a row that was put %s', async (_, place) => {
    await tamper(copyWithId(place().toString()));
    expect((await verify()).fault).toMatchObject({
      row: `transfer ${place()}`,
      reason: 'belongs to no batch',
    });
  });

  it('names a row that was put before a last batch without transfers', async () => {
    const [before, last] = ids.slice(7);
    const place = BigInt(last ?? '') - 500n;
    await tamper(
      copyWithId(place.toString()),
      `delete from ledger_transfers where id >= ${last}`,
      `update ledger_batches b set transfer_count = 0, hash = sha256(earlier.hash || b.row_digests)
         from ledger_batches earlier where b.first_id = ${last} and earlier.first_id = ${before}`,
      `update ledger_head set hash = (select hash from ledger_batches where first_id = ${last})`,
    );
    expect((await verify()).fault).toMatchObject({
      row: `transfer ${place}`,
      reason: 'belongs to no batch',
    });
  });

  it('names the batch after a removed one', async () => {
    await tamper(
      `delete from ledger_transfers where id = ${ids[4]}`,
      `delete from ledger_batches where first_id = ${ids[4]}`,
    );
    expect((await verify()).fault).toMatchObject({ row: `batch ${ids[5]}` });
  });

  it.each(['hash', 'row_digests'])('names the batch whose %s was changed', async (column) => {
    await tamper(
      `update ledger_batches set ${column} = overlay(${column} placing '\\x00ff00ff' from 1) where first_id = ${ids[3]}`,
    );
    const named = column === 'hash' ? `batch ${ids[3]}` : `transfer ${ids[3]}`;
    expect((await verify()).fault).toMatchObject({ row: named });
  });

  it.each([2_147_483_647, 2, 0, -1])('names a batch that claims %i transfers', async (count) => {
    await tamper(`update ledger_batches set transfer_count = ${count} where first_id = ${ids[3]}`);
    const firstId = BigInt(ids[3] ?? '');
    const named = count > 1 ? `transfer ${firstId + 1n}` : `batch ${firstId}`;
    expect((await verify()).fault).toMatchObject({ row: named });
  });

  it('detects that the last batches are missing', async () => {
    const last = ids.slice(8).join(',');
    await tamper(
      `delete from ledger_batches where first_id in (${last})`,
      `delete from ledger_transfers where id in (${last})`,
    );
    expect((await verify()).fault).toMatchObject({ row: 'head' });
  });

  it.each([
    ['balance_units', 'balance_units + 1'],
    ['last_transfer_id', '1024'],
  ])('names the account whose %s was changed', async (column, value) => {
    await tamper(`update ledger_accounts set ${column} = ${value} where id = ${to}`);
    expect((await verify()).fault).toMatchObject({ row: `account ${to}` });
  });

  it('names an account that was given a balance, and a missing one', async () => {
    await tamper("insert into ledger_accounts (id, asset, balance_units) values (800, 'ATH', 5)");
    expect((await verify()).fault).toEqual({
      row: 'account 800',
      reason: 'holds 5, but the journal says 0',
    });
    await tamper(`delete from ledger_accounts where id in (800, ${to})`);
    expect((await verify()).fault).toEqual({ row: `account ${to}`, reason: 'is missing' });
  });

  it('detects a rewritten journal by a head that was stored elsewhere', async () => {
    const { head } = await verify();
    await books.ledger.transfer(send(from, to, 1n));
    const options = { databaseUrl: books.databaseUrl };
    expect((await verifyLedger({ ...options, knownHead: head })).fault).toBeUndefined();
    const other = head.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    expect((await verifyLedger({ ...options, knownHead: other })).fault).toMatchObject({
      row: 'head',
    });
  });
});
