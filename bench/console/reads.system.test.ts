/** The cost of the console's reads as the data grows, measured by the rows that PostgreSQL reads. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startPostgres, type Postgres } from '@athos/postgres/launch';
import { buildApp } from '../../apps/api/src/app.ts';
import { createDeps } from '../../apps/api/src/deps.ts';
import { verifyLedger } from '../../apps/api/src/ledger/verify.ts';
import { migrate } from '../../apps/api/src/migrate.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { configFor } from '../programs.ts';
import type { ConsoleScale } from '../scale.ts';
import { readExamples } from './examples.sql.ts';
import { fillConsoleData, openConsole } from './fill.ts';
import { MEASURED_READS } from './reads.ts';
import { takeTurn } from './turns.ts';

const SCALE: ConsoleScale = {
  customers: 50_000,
  journalRows: 250_000,
  auditEntries: 50_000,
  turnCount: 1,
};
/** A list counts up to 10,001 rows, may first look them up in an index, and shows some. The tables have at least 50,000 rows. */
const ROWS_READ_MAX = 21_000;
/** Without a suitable index, a list scans 20,000 rows, and again as many to count; a trial balance reads twice as many. */
const ROWS_LOOKED_AT_MAX = 41_000;
const LOOKED_THROUGH = new Set([
  'ledger_transfers_0',
  'redemptions',
  // Holds figures per day. Regardless of the number of customers, a quarter and the previous one are most of its rows.
  'stat_days',
]);

const log = createLog('silent');
let dataDir: string;
let postgres: Postgres;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'athos-console-reads-'));
  postgres = await startPostgres({ dataDir, durable: false });
  await migrate(postgres.url, log);
  await fillConsoleData(postgres.url, SCALE);
});
afterAll(async () => {
  await postgres?.stop();
  await rm(dataDir, { recursive: true });
});

/** The connections that are open during a test. A closed connection has reported its reads. */
function watchConnections(): ReadonlySet<pg.Client> {
  const clients = new Set<pg.Client>();
  const { connect } = pg.Client.prototype; // oxlint-disable-line typescript/unbound-method -- applied to its client below
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(function (this: pg.Client, ...given) {
    clients.add(this);
    for (const event of ['error', 'end'] as const) this.once(event, () => clients.delete(this));
    return connect.apply(this, given);
  });
  return clients;
}

/** The rows and index entries read so far by these connections, by table. Connections report them from time to time, or when told to. */
async function rowsRead(clients: ReadonlySet<pg.Client>): Promise<ReadonlyMap<string, number>> {
  const open = [...clients];
  await Promise.all(open.map((client) => client.query('select pg_stat_force_next_flush()')));
  const { rows } = (await open[0]?.query<{ name: string; count: string }>(
    `select relname as name, seq_tup_read + greatest(coalesce(idx_tup_fetch, 0), coalesce(
              (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0)) as count
       from pg_stat_user_tables t`,
  )) ?? { rows: [] };
  return new Map(rows.map(({ name, count }) => [name, parseInt(count, 10)]));
}

it('loads a ledger that verifies', async () => {
  expect(await verifyLedger({ databaseUrl: postgres.url })).toMatchObject({ fault: undefined });
});

it('[O-166] reads a bounded number of rows for each list and detail of the console, however many there are', async () => {
  const cookies = await openConsole(postgres.url);
  const examples = await readExamples(postgres.url, SCALE);
  const clients = watchConnections();
  const deps = createDeps(configFor(postgres.url), log);
  const app = await buildApp(deps);
  const asked = new Set<string>();
  const tooMany: Record<string, unknown> = {};
  await takeTurn(examples, cookies, async (name, path, cookie) => {
    asked.add(name);
    const before = await rowsRead(clients);
    const answer = await app.inject({ url: path, headers: { cookie } });
    const after = await rowsRead(clients);
    if (answer.statusCode !== 200) tooMany[name] = answer.body;
    for (const [table, count] of after) {
      const read = count - (before.get(table) ?? 0);
      const max = LOOKED_THROUGH.has(table) ? ROWS_LOOKED_AT_MAX : ROWS_READ_MAX;
      if (read > max) tooMany[`${name}: ${table}`] = read;
    }
    return answer.body;
  });
  await app.close();
  await deps.close();
  expect(tooMany).toEqual({});
  expect([...asked]).toEqual(expect.arrayContaining(MEASURED_READS.map(({ name }) => name)));
});
