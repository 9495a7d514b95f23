import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '@athos/domain/uuid';
import { createLedgerBooks, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { setPostedAt } from '../../test/raw-ledger.ts';
import { asRole } from '../../test/test-database.ts';
import { recordLog } from '../../test/recorded-log.ts';
import { createLog } from '../platform/log/log.ts';
import { encodeBatch, POST_BATCH_SQL } from './post-batch.ts';
import {
  addTotals,
  keepPieces,
  readJournal,
  selectBalancesBefore,
  selectFlowsAfter,
  selectTransfersByKeys,
  skipLostIds,
  type LedgerAccountId,
  type PieceLimits,
} from './index.ts';

const log = createLog('silent');
const DAY_MS = 86_400_000;
const GIGABYTE = 2 ** 30;
const LIMITS: PieceLimits = { daysMax: 30, bytesMax: GIGABYTE };
/** Limits with which every piece is due as soon as it has a row. */
const DUE: PieceLimits = { daysMax: -1, bytesMax: GIGABYTE };

let books: LedgerBooks;
let db: Kysely<unknown>;
let admin: Kysely<unknown>;
let asMigrate: Kysely<unknown>;
let [ada, ben]: LedgerAccountId[] = [];

beforeEach(async () => {
  books = await createLedgerBooks();
  db = books.db;
  admin = new Kysely({ dialect: new PostgresDialect({ pool: books.admin }) });
  const connectionString = asRole(books.databaseUrl, 'athos_migrate');
  asMigrate = new Kysely({
    dialect: new PostgresDialect({
      // Its connections may still be closing when the database is dropped.
      pool: new pg.Pool({ connectionString }).on('error', () => undefined),
    }),
  });
  [ada, ben] = [await books.openUser(1n, 1_000n), await books.openUser(2n, 1_000n)];
});
afterEach(async () => {
  await books.expectBooksBalance();
  await asMigrate.destroy();
  await books.close();
});

const keyNow = (aheadMs = 0): string =>
  uuidv7(Date.now() + aheadMs, (bytes) => crypto.getRandomValues(bytes));
const pay = (key: string, amount = 1n) =>
  books.ledger.transfer(send(ada as LedgerAccountId, ben as LedgerAccountId, amount, key));

/** Makes the next posting begin another piece. */
async function turn(): Promise<void> {
  await keepPieces(db, log, DUE);
  await keepPieces(db, log, DUE);
}

async function pieces(): Promise<{ name: string; count: number }[]> {
  const { rows } = await books.admin.query<{ name: string; count: number }>(
    `select relid::text as name,
            (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %s', relid), false, true, '')))[1]::text::int as count
       from pg_partition_tree('ledger_transfers') where isleaf order by relid::text`,
  );
  return rows;
}

describe('the pieces of the journal', () => {
  it('[P-042] are ranges of ids; the next stands from the first look on, and a failure within 2 days of the need raises an alarm', async () => {
    expect(await pieces()).toEqual([{ name: 'ledger_transfers_0', count: 2 }]);
    // Twenty workers at once make one piece.
    await Promise.all(Array.from({ length: 20 }, () => keepPieces(db, log, LIMITS)));
    expect((await pieces()).map(({ name }) => name)).toEqual([
      'ledger_transfers_0',
      'ledger_transfers_1',
    ]);
    await setPostedAt(admin, new Date(Date.now() + 29 * DAY_MS));
    await keepPieces(db, log, LIMITS);
    await pay(randomUUID());
    expect(await pieces()).toEqual([
      { name: 'ledger_transfers_0', count: 3 },
      { name: 'ledger_transfers_1', count: 0 },
    ]);
    await setPostedAt(admin, new Date(Date.now() + 31 * DAY_MS));
    await keepPieces(db, log, LIMITS);
    await pay(randomUUID());
    await keepPieces(db, log, LIMITS);
    expect(await pieces()).toEqual([
      { name: 'ledger_transfers_0', count: 3 },
      { name: 'ledger_transfers_1', count: 1 },
      { name: 'ledger_transfers_2', count: 0 },
    ]);
  });

  it('[P-042] say so when the next one cannot be made 2 days before it is needed, by its age or by its growth', async () => {
    await books.admin.query(
      'alter function ledger_add_piece() rename to ledger_add_piece_of_others',
    );
    const { log: recorded, lines } = recordLog();
    const missing = () => lines.filter((line) => line.includes('journal_piece_missing')).length;
    await setPostedAt(admin, new Date(Date.now() + 27 * DAY_MS));
    await expect(keepPieces(db, recorded, LIMITS)).rejects.toThrow('ledger_add_piece');
    expect(missing()).toBe(0);
    // After 27 days the piece is nearly full.
    const { rows } = await books.admin.query<{ bytes: string }>(
      `select pg_total_relation_size('ledger_transfers_0')::text as bytes`,
    );
    const bytesMax = Number(rows[0]?.bytes) * (28.5 / 27);
    await expect(keepPieces(db, recorded, { daysMax: 365, bytesMax })).rejects.toThrow();
    expect(missing()).toBe(1);
    await setPostedAt(admin, new Date(Date.now() + 28.5 * DAY_MS));
    await expect(keepPieces(db, recorded, LIMITS)).rejects.toThrow();
    expect(missing()).toBe(2);
    // If the next piece is missing, the current one is written to.
    await setPostedAt(admin, new Date(Date.now() + 99 * DAY_MS));
    await expect(keepPieces(db, recorded, LIMITS)).rejects.toThrow();
    expect((await pay(randomUUID())).outcome).toBe('done');
    expect((await pieces()).length).toBe(1);
  });

  it('are made up to the ids that follow a restore to the past, which no program may skip', async () => {
    const anchored = 2n ** 45n + 5_000n;
    const skip = () => asMigrate.transaction().execute((tx) => skipLostIds(tx, anchored));
    const first = await skip();
    expect(first).toBeGreaterThan(anchored);
    expect((await pieces()).map(({ name }) => name)).toEqual([
      'ledger_transfers_0',
      'ledger_transfers_1',
      'ledger_transfers_2',
    ]);
    const { rows: owners } = await books.admin.query(
      `select distinct pg_get_userbyid(relowner) as owner from pg_class where relname ~ '^ledger_transfers'`,
    );
    expect(owners).toEqual([{ owner: 'athos_ledger' }]);
    expect(await pay(keyNow())).toMatchObject({ outcome: 'done', transferId: first });
    // After a transfer, the call is repeated: ids never go back.
    expect(await skip()).toBeGreaterThanOrEqual(first);
    const second = await pay(keyNow());
    expect(second).toMatchObject({ outcome: 'done', transferId: first + 1_024n });
    await turn();
    expect((await pieces()).at(-1)).toEqual({ name: 'ledger_transfers_3', count: 0 });
    await expect(
      books.inTx((tx) => sql`select ledger_skip_lost_ids(1)`.execute(tx)),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      books.inTx((tx) => sql`select setval('ledger_transfer_blocks', 1)`.execute(tx)),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('[P-044] give the first answer to the repeat of a key from an older piece, whatever its version, twenty at once included', async () => {
    const keys = [randomUUID(), keyNow(), keyNow(DAY_MS - 1_000), keyNow(-DAY_MS)];
    const first = await Promise.all(keys.map((key) => pay(key)));
    for (let piece = 1; piece <= 3; piece++) {
      await turn();
      await pay(randomUUID());
    }
    expect((await pieces()).slice(0, 4).map(({ count }) => count)).toEqual([6, 1, 1, 1]);
    for (const [index, key] of keys.entries()) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay(key)));
      for (const answer of answers)
        expect(answer).toEqual({ ...first[index], outcome: 'replayed' });
      expect((await pay(key, 2n)).outcome).toBe('key_reused');
      const { transferId } = first[index] as { transferId: bigint };
      expect(await books.ledger.isKeyUsed(1n, key)).toBe(true);
      expect((await selectTransfersByKeys(db, [key])).map((found) => found.transferId)).toEqual([
        transferId,
      ]);
      const group = [{ ...send(ada as LedgerAccountId, ben as LedgerAccountId, 1n, key), line: 0 }];
      expect(await books.inTx((tx) => books.ledger.transferInTx(tx, group))).toMatchObject({
        outcome: 'replayed',
        transfers: [{ transferId }],
      });
    }
    expect((await pieces()).slice(0, 4).map(({ count }) => count)).toEqual([6, 1, 1, 1]);
  });

  it('take a new key once, of any time and version, in every piece', async () => {
    for (let piece = 0; piece < 3; piece++) {
      const keys = [randomUUID(), keyNow(), keyNow(2 * DAY_MS), keyNow(-40 * DAY_MS)];
      const asked = keys.flatMap((key) => [key, key]);
      const answers = await Promise.all(asked.map((key) => pay(key)));
      expect(answers.filter(({ outcome }) => outcome === 'done').length).toBe(4);
      expect(answers.filter(({ outcome }) => outcome === 'replayed').length).toBe(4);
      await turn();
    }
  });

  it('are one journal to whoever reads it', async () => {
    const times: Date[] = [];
    for (let piece = 0; piece < 3; piece++) {
      times.push(new Date());
      await pay(keyNow());
      await pay(keyNow(), 2n);
      await turn();
    }
    expect((await pieces()).map(({ count }) => count).slice(0, 3)).toEqual([4, 2, 2]);
    const history = await books.ledger.walkHistory({
      accountIds: [ada as LedgerAccountId],
      limit: 4,
    });
    expect(history.transfers.map(({ amountUnits }) => amountUnits)).toEqual([2n, 1n, 2n, 1n]);
    const rest = await books.ledger.walkHistory({
      accountIds: [ada as LedgerAccountId],
      limit: 4,
      cursor: history.next as string,
    });
    expect(rest.transfers.map(({ amountUnits }) => amountUnits)).toEqual([2n, 1n, 1_000n]);
    const from = times[1] as Date;
    const { transfers } = await readJournal(db, { from }, 10);
    expect(transfers.map(({ amountUnits }) => amountUnits)).toEqual([2n, 1n, 2n, 1n]);
    const { flows } = await selectFlowsAfter(db, {
      afterId: 0n,
      rowCountMax: 100,
      timeZone: 'UTC',
    });
    expect(flows.reduce((sum, { count }) => sum + count, 0n)).toBe(8n);
    await addTotals(db, 3);
    const before = await selectBalancesBefore(db, 'end');
    expect(before?.customers.get('ATH')).toBe(2_000n);
  });

  /** How often a statement scans each piece, once it is planned. */
  async function looksOf(text: string, values: unknown[]): Promise<Record<string, number>> {
    const client = await books.admin.connect();
    const counted = async () =>
      (
        await client.query<{ name: string; looks: number }>(
          `select relid::text as name, (pg_stat_get_xact_numscans(relid) + coalesce(
                    (select sum(pg_stat_get_xact_numscans(indexrelid)) from pg_index where indrelid = relid), 0))::int as looks
             from pg_partition_tree('ledger_transfers') where isleaf`,
        )
      ).rows;
    await client.query('set plan_cache_mode = force_generic_plan');
    const looks: Record<string, number> = {};
    for (const isPlanned of [false, true]) {
      await client.query('begin');
      const before = await counted();
      await client.query({ name: 'looked', text, values });
      const after = await counted();
      await client.query('rollback');
      for (const [index, { name, looks: count }] of after.entries()) {
        const more = count - (before[index]?.looks ?? 0);
        if (isPlanned && more > 0) looks[name] = more;
      }
    }
    client.release(true);
    return looks;
  }

  it(
    'are looked into by nobody without need, so that 24 of them cost little (bench/measure-pieces.ts)',
    { tags: 'long' },
    async () => {
      const transferIds: bigint[] = [];
      for (let piece = 1; piece <= 24; piece++) {
        const sent = await pay(keyNow());
        if (sent.outcome === 'done') transferIds.push(sent.transferId);
        if (piece < 24) await turn();
      }
      const batch = (keys: readonly string[]) =>
        encodeBatch(
          keys.map((key) => ({
            ...send(ada as LedgerAccountId, ben as LedgerAccountId, 1n, key),
            line: 0,
          })),
          false,
        );
      // For new keys no piece is scanned. A group, whose check is exact from the start, scans only the newest piece.
      expect(await looksOf(POST_BATCH_SQL, batch([keyNow(1_000), keyNow(1_000)]))).toEqual({});
      const group = await looksOf(POST_BATCH_SQL, [...batch([keyNow(1_000)]).slice(0, -1), true]);
      expect(group).toEqual({ ledger_transfers_23: 1 });
      expect(Object.keys(await looksOf(POST_BATCH_SQL, batch([randomUUID()]))).length).toBe(24);
      // The walk scans one piece for each entry, and the last one for the end of the journal.
      const walk = 'select from ledger_walk($1, null, $2, 500, null, null, null, null)';
      const walked = await looksOf(walk, [`{${ada}}`, 5]);
      expect(walked).toEqual(
        Object.fromEntries([23, 22, 21, 20, 19].map((piece) => [`ledger_transfers_${piece}`, 1])),
      );
      const tail = `select id from ledger_transfers where id > $1::bigint order by id limit 100`;
      const looked = Object.keys(await looksOf(tail, [transferIds.at(-2)]));
      expect(looked.toSorted()).toEqual(['ledger_transfers_22', 'ledger_transfers_23']);
    },
  );

  it('refuse every change, and every row that does not come through the journal, also those of the future', async () => {
    await turn();
    await pay(keyNow());
    await keepPieces(db, log, LIMITS);
    for (const { name } of await pieces()) {
      const attempts = [
        `update ${name} set amount_units = 1`,
        `delete from ${name}`,
        `truncate ${name}`,
        `insert into ${name} select * from ledger_transfers limit 0`,
      ];
      for (const attempt of attempts) {
        await expect(books.admin.query(attempt), attempt).rejects.toThrow('the ledger only grows');
      }
      const { rows } = await books.admin.query<{ acl: string }>(
        `select coalesce(relacl::text, 'default') as acl from pg_class where oid = '${name}'::regclass`,
      );
      // The owner may only read, reference, attach triggers and maintain (r, x, t, m), never insert, update or delete (a, w, d, D). Others
      // may only read.
      expect(rows[0]?.acl).toMatch(/^\{\w+=[rxtm]+\/\w+(,\w+=r\/\w+)*\}$/);
    }
    await expect(books.admin.query('truncate ledger_transfers')).rejects.toThrow(
      'the ledger only grows',
    );
  });
});
