import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedgerBooks, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { createLog } from '../platform/log/log.ts';
import { createSigningKeys } from '../platform/keys/signing-keys.ts';
import {
  addTotals,
  deleteCheckpoints,
  insertCheckpoint,
  keepPieces,
  selectCheckpointPlaces,
  type LedgerAccountId,
} from './index.ts';
import { verifyLedger, type LedgerReport } from './verify.ts';

const seeds = [randomBytes(32), randomBytes(32)] as const;
const keys = createSigningKeys([seeds[0]]);
const log = createLog('silent');
const MADE_AT = new Date('2026-11-01T03:23:00Z');

let books: LedgerBooks;
let db: Kysely<unknown>;
let [ada, ben, quiet]: LedgerAccountId[] = [];

beforeEach(async () => {
  books = await createLedgerBooks();
  db = new Kysely({ dialect: new PostgresDialect({ pool: books.admin }) });
  [ada, ben] = [await books.openUser(1n, 1_000n), await books.openUser(2n, 1_000n)];
  quiet = await books.openUser(3n, 500n);
  await post(6);
});
afterEach(() => books.close());

async function post(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await books.ledger.transfer(send(ada as LedgerAccountId, ben as LedgerAccountId, 10n));
  }
}

const verify = (withKeys = keys) =>
  verifyLedger({ databaseUrl: books.databaseUrl, keys: withKeys });

/** Runs the nightly job. */
async function checkpoint(madeAt = MADE_AT): Promise<LedgerReport> {
  const report = await verify();
  expect(report.fault).toBeUndefined();
  for (const stand of report.stands) await insertCheckpoint(db, keys, { ...stand, madeAt });
  return report;
}

async function tamper(...statements: string[]): Promise<void> {
  const client = await books.admin.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statements) await client.query(statement);
  client.release(true);
}

const newest = async (): Promise<string> => {
  const { rows } = await books.admin.query<{ id: string }>(
    'select max(transfer_id)::text as id from ledger_checkpoints',
  );
  return rows[0]?.id ?? '';
};

describe('a checkpoint', () => {
  it('[P-046] is where the next verification begins, which names it and reads only what followed', async () => {
    const first = await checkpoint();
    expect(first).toMatchObject({ checkpoint: undefined, rowCount: 9n });
    await addTotals(db, 2);
    await post(4);
    await addTotals(db, 2);
    await books.openUser(4n);
    await books.openUser(5n, 7n);
    const second = await verify();
    expect(second).toMatchObject({
      fault: undefined,
      checkpoint: { transferId: BigInt(await newest()), hash: first.head, madeAt: MADE_AT },
      rowCount: 5n,
      transferCount: 14n,
    });
    const whole = await verifyLedger({ databaseUrl: books.databaseUrl });
    expect(whole).toMatchObject({ fault: undefined, checkpoint: undefined, rowCount: 14n });
    // The result of a run does not depend on where the run began.
    expect([second.head, second.batchCount, second.stands]).toEqual([
      whole.head,
      whole.batchCount,
      whole.stands,
    ]);
    await checkpoint();
    expect(await verify()).toMatchObject({ fault: undefined, rowCount: 0n, stands: [] });
  });

  /** Ends the current piece, after which the next posting begins another one. */
  async function endPiece(): Promise<void> {
    await keepPieces(db, log, { daysMax: -1, bytesMax: 2 ** 40 });
    await keepPieces(db, log, { daysMax: -1, bytesMax: 2 ** 40 });
  }

  const countsOf = ({ stands }: LedgerReport): readonly bigint[] =>
    stands.map(({ transferCount }) => transferCount);

  it('[P-046] is made of the end of each piece of the journal that was passed', async () => {
    await checkpoint();
    await post(1);
    const made = [];
    for (let piece = 1; piece <= 2; piece++) {
      await endPiece();
      await post(2);
      made.push(...(await checkpoint()).stands);
    }
    expect(made.map(({ transferCount }) => transferCount)).toEqual([10n, 12n, 14n]);
    // A verification can begin at any of these checkpoints.
    for (const { transferId } of made.toReversed()) {
      expect(await verify()).toMatchObject({ fault: undefined, checkpoint: { transferId } });
      await books.admin.query(`delete from ledger_checkpoints where transfer_id = ${transferId}`);
    }
  });

  it('is made of the newest end of a piece alone if a run passes several, and of none that has one', async () => {
    for (let piece = 1; piece <= 3; piece++) {
      await endPiece();
      await post(1);
    }
    const { databaseUrl } = books;
    const walk = async () =>
      verifyLedger({ databaseUrl, places: await selectCheckpointPlaces(db) });
    const whole = await walk();
    expect(whole).toMatchObject({ fault: undefined });
    expect(countsOf(whole)).toEqual([11n, 12n]);
    // From a checkpoint at the end of the piece, the state at the end is the same.
    for (const stand of whole.stands.slice(0, 1)) {
      await insertCheckpoint(db, keys, { ...stand, madeAt: MADE_AT });
    }
    const [end] = (await verify()).stands;
    expect(whole.stands[1]).toEqual(end);
    expect(countsOf(await walk())).toEqual([10n, 12n]);
    // A state that needs more accounts than may be in memory is given up.
    await books.admin.query('delete from ledger_checkpoints');
    expect(countsOf(await verifyLedger({ databaseUrl, accountsPerPass: 1n }))).toEqual([12n]);
  });

  it.each([
    ['hash', 'set_byte(hash, 0, 255 - get_byte(hash, 0))'],
    ['accounts_digest', 'set_byte(accounts_digest, 0, 255 - get_byte(accounts_digest, 0))'],
    ['totals', `totals || ',-9999:1'`],
    ['transfer_count', 'transfer_count + 1'],
    ['batch_count', 'batch_count + 1'],
    ['batch_id', 'batch_id - 1024'],
    ['transfer_id', 'transfer_id + 1'],
    ['made_at', `made_at + interval '1 day'`],
    ['signature', `reverse(signature)`],
  ])(
    '[P-046] is refused and named if its %s was altered, and the run begins with the one before',
    async (column, value) => {
      await checkpoint();
      const before = BigInt(await newest());
      await post(1);
      await checkpoint();
      await tamper(
        `update ledger_checkpoints set ${column} = ${value} where transfer_id > ${before}`,
      );
      expect(await verify()).toMatchObject({
        fault: { row: `checkpoint ${await newest()}`, reason: 'is not as it was signed' },
        checkpoint: { transferId: before },
        rowCount: 1n,
      });
    },
  );

  it('[P-046] of a key that is not known counts for nothing, and one of a retired key counts', async () => {
    await checkpoint();
    const strangers = createSigningKeys([seeds[1]]);
    expect(await verify(strangers)).toMatchObject({ fault: undefined, checkpoint: undefined });
    expect((await verify(createSigningKeys([seeds[1], seeds[0]]))).checkpoint).toBeDefined();
    // A forged checkpoint can name our key, but not carry its signature.
    const [stand] = (await verifyLedger({ databaseUrl: books.databaseUrl })).stands;
    await tamper('delete from ledger_checkpoints');
    if (stand === undefined) throw new Error('nothing was posted');
    await insertCheckpoint(
      db,
      { ...strangers, current: { ...strangers.current, kid: keys.current.kid } },
      { ...stand, madeAt: MADE_AT },
    );
    expect(await verify()).toMatchObject({
      fault: { row: `checkpoint ${stand.transferId}` },
      checkpoint: undefined,
    });
  });

  it.each([
    [
      'a balance that has not moved since',
      () => `update ledger_accounts set balance_units = balance_units + 1 where id = ${quiet}`,
      'checkpoint',
    ],
    [
      'the last transfer of a quiet account',
      () => `update ledger_accounts set last_transfer_id = 1024 where id = ${quiet}`,
      'checkpoint',
    ],
    [
      'a quiet account that is gone',
      () => `delete from ledger_accounts where id = ${quiet}`,
      'checkpoint',
    ],
    [
      'an account that was given a balance',
      () => `insert into ledger_accounts (id, asset, balance_units) values (800, 'ATH', 5)`,
      'checkpoint',
    ],
    [
      'a balance that has moved',
      () => `update ledger_accounts set balance_units = balance_units + 1 where id = ${ben}`,
      'account',
    ],
    [
      'a row since',
      () =>
        `update ledger_transfers set amount_units = 11 where id = (select max(id) from ledger_transfers)`,
      'transfer',
    ],
    [
      'a batch before the next row',
      () =>
        `delete from ledger_batches where first_id = (select max(first_id) from ledger_batches)`,
      'transfer',
    ],
  ])('shows %s', async (_, statement, row) => {
    await checkpoint();
    await post(2);
    await tamper(statement());
    const { fault } = await verify();
    expect(fault?.row).toMatch(new RegExp(`^${row} `));
  });

  it('does not hide what was changed before it from a run over everything', async () => {
    await checkpoint();
    await tamper(
      'update ledger_transfers set amount_units = 11 where id = (select max(id) from ledger_transfers)',
    );
    expect((await verify()).fault).toBeUndefined();
    expect((await verifyLedger({ databaseUrl: books.databaseUrl })).fault?.row).toMatch(
      /^transfer /,
    );
  });

  it('is deleted once it is old, unless it is the last of its piece', async () => {
    await checkpoint();
    await post(1);
    await checkpoint();
    const kept = await newest();
    await deleteCheckpoints(db, new Date(MADE_AT.getTime() + 1));
    const { rows } = await books.admin.query(
      'select transfer_id::text as id from ledger_checkpoints',
    );
    expect(rows).toEqual([{ id: kept }]);
  });
});
