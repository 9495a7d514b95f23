/** Which server answers which reads, with a real standby beside the primary (decision 0056). */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeStandby, takeBackup, WITH_STANDBYS } from '@athos/postgres/backup';
import { deletePostgres, startPostgres, type Postgres } from '@athos/postgres/launch';
import { createFreezableProxy, type FreezableProxy } from '../apps/api/test/freezable-proxy.ts';
import { openSecondApp, type SecondApp } from '../apps/api/test/second-app.ts';
import { ath } from '../apps/api/test/shop.ts';
import { setup } from '../apps/api/test/template-database.ts';
import { createTestApp, type TestApp, type TestUser } from '../apps/api/test/test-app.ts';
import { withProductLimits } from '../apps/api/test/test-database.ts';

const WALK = /execute ledger_walk[\w]*: /;
const SETTINGS = { ...WITH_STANDBYS, log_statement: 'all' };

let folder: string;
let primary: Postgres;
let standby: Postgres;
/** The app without a replica. */
let test: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'athos-replica-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'primary');
  primary = await startPostgres({ dataDir, durable: false, settings: SETTINGS });
  // Tests run on a server of our own, which can have a standby.
  process.env['ATHOS_TEST_DATABASE_URL'] = primary.url;
  await setup();
  test = await createTestApp();
  const backup = await takeBackup({ url: primary.url, dataDir }, join(folder, 'backups'));
  const ofStandby = join(folder, 'standby');
  const made = await makeStandby(backup, { dataDir: ofStandby, primaryUrl: primary.url });
  standby = await startPostgres({
    dataDir: ofStandby,
    durable: false,
    settings: { ...SETTINGS, ...made },
  });
}, 120_000);

afterAll(async () => {
  await test.close();
  await standby.stop();
  await primary.stop();
  for (const name of ['standby', 'primary']) await deletePostgres(join(folder, name));
  await rm(folder, { recursive: true, force: true });
});

/** The database of the test on the standby. Its users have the passwords of the primary. */
function standbyUrl(): string {
  return onPort(test.deps.config.databaseUrl);
}

function onPort(databaseUrl: string): string {
  const url = new URL(withProductLimits(databaseUrl));
  url.port = String(standby.port);
  return url.href;
}

async function ask<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
  values: readonly string[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

const onStandby = (statement: string) => ask(onPort(test.adminUrl), statement);

/** Resolves when the standby has replayed everything that the primary has written. */
async function catchUp(): Promise<void> {
  const [now] = await ask<{ at: string }>(
    primary.url,
    'select pg_current_wal_insert_lsn()::text as at',
  );
  const hasReplayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
  await expect
    .poll(() => ask(standbyUrl(), hasReplayed, [now?.at ?? '']), { timeout: 20_000 })
    .toEqual([{ has: true }]);
}

const logOf = (name: 'primary' | 'standby'): string =>
  readFileSync(join(folder, name, 'postgres.log'), 'utf8');

/** The statements that the servers received while `act` ran. */
async function asked<T>(
  act: () => Promise<T>,
): Promise<{ answer: T; primary: string[]; standby: string[] }> {
  const before = { primary: logOf('primary').length, standby: logOf('standby').length };
  const answer = await act();
  const since = (name: 'primary' | 'standby'): string[] =>
    logOf(name)
      .slice(before[name])
      .split('\n')
      .filter((line) => / (execute|statement)[ :]/.test(line));
  return { answer, primary: since('primary'), standby: since('standby') };
}

const walksOf = (lines: readonly string[]): number =>
  lines.filter((line) => WALK.test(line)).length;

const send = (app: Pick<TestApp, 'request'>, from: TestUser, to: TestUser) =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key: randomUUID(),
    payload: { amount: '1000000', to_uuid: to.uuid },
  });

const history = (app: Pick<TestApp, 'request'>, user: TestUser, cursor?: string) =>
  app.request({
    method: 'GET',
    url: `/api/all_history?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    user,
  });

/** Ada has sent five times; the cursor is that of the second of her pages of two. */
async function adaWithHistory(app: Pick<TestApp, 'request'>) {
  const ada = await test.createUser({ balance: ath(100) });
  const ben = await test.createUser();
  for (let count = 1; count <= 5; count++) await send(test, ada, ben);
  const { body } = await history(app, ada);
  return { ada, ben, cursor: body.next_cursor as string };
}

describe('a replica', () => {
  let proxy: FreezableProxy;
  let app: SecondApp;
  beforeEach(async () => {
    proxy = await createFreezableProxy(standbyUrl());
    app = await openSecondApp(test, { env: { DATABASE_REPLICA_URL: proxy.url } });
    return async () => {
      await app.close();
      await proxy.close();
    };
  });

  it('[P-047] answers a page with a cursor, and the primary everything else', async () => {
    const { ada, ben, cursor } = await adaWithHistory(app);
    await catchUp();
    const page = await asked(() => history(app, ada, cursor));
    expect(page.answer.body).toEqual((await history(test, ada, cursor)).body);
    expect(page.answer.body.history).toHaveLength(2);
    expect([walksOf(page.primary), walksOf(page.standby)]).toEqual([0, 1]);
    const rest = await asked(() =>
      Promise.all([
        history(app, ada),
        send(app, ada, ben),
        ...[
          'account/balance',
          'account/profile',
          'my_purchases',
          'categories',
          'programme',
          `all_history/${page.answer.body.history[0].data.id}`,
        ].map((path) => app.request({ method: 'GET', url: `/api/${path}`, user: ada })),
      ]),
    );
    expect(rest.answer.map(({ status }) => status)).toEqual(rest.answer.map(() => 200));
    expect(rest.standby).toEqual([]);
    expect(walksOf(rest.primary)).toBe(1);
  });

  it('[P-047] that has not replayed what the cursor names leaves the page to the primary', async () => {
    await onStandby('select pg_wal_replay_pause()');
    try {
      const { ada, cursor } = await adaWithHistory(app);
      const page = await asked(() => history(app, ada, cursor));
      expect(page.answer.body).toEqual((await history(test, ada, cursor)).body);
      expect(page.answer.body.history).toHaveLength(2);
      expect([walksOf(page.primary), walksOf(page.standby)]).toEqual([1, 1]);
      expect(await app.deps.metrics.registry.metrics()).toMatch(
        /replica_reads_total\{outcome="behind"\} 1$/m,
      );
    } finally {
      await onStandby('select pg_wal_replay_resume()');
    }
  });

  it('[P-047] that falls silent costs one page less than a second, and the next ones nothing', async () => {
    const { ada, cursor } = await adaWithHistory(app);
    await catchUp();
    const before = (await history(app, ada, cursor)).body;
    proxy.freeze();
    const first = await history(app, ada, cursor);
    expect([first.status, first.body]).toEqual([200, before]);
    // Only whether the standby is queried matters; a frozen one would not log the query.
    const page = await asked(() => history(app, ada, cursor));
    expect([page.answer.status, page.answer.body]).toEqual([200, before]);
    expect(walksOf(page.primary)).toBe(1);
    expect(await app.deps.metrics.registry.metrics()).toMatch(
      /replica_reads_total\{outcome="failed"\} 1\n.*\{outcome="resting"\} 1$/m,
    );
  });

  it('[P-047] is not asked after the primary was lost, since it may have what the new one has not', async () => {
    const { ada, cursor } = await adaWithHistory(app);
    await catchUp();
    const readBalance = () =>
      app.request({ method: 'GET', url: '/api/account/balance', user: ada });
    await readBalance();
    await ask(
      primary.url,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name like 'athos-ledger-reads %'`,
    );
    // The response comes over a new connection.
    expect((await readBalance()).status).toBe(200);
    const page = await asked(() => history(app, ada, cursor));
    expect(page.answer.status).toBe(200);
    expect([walksOf(page.primary), walksOf(page.standby)]).toEqual([1, 0]);
  });

  it('[P-047] that is killed, or promoted, fails no request', async () => {
    const { ada, cursor } = await adaWithHistory(app);
    await catchUp();
    const before = (await history(app, ada, cursor)).body;
    await onStandby('select pg_promote(true)');
    const promoted = await asked(() => history(app, ada, cursor));
    expect([promoted.answer.status, promoted.answer.body]).toEqual([200, before]);
    expect(walksOf(promoted.primary)).toBe(1);
    const pages = Array.from({ length: 10 }, () => history(app, ada, cursor));
    process.kill(standby.pid, 'SIGKILL');
    const answers = await Promise.all(pages);
    await standby.exited;
    answers.push(await history(app, ada, cursor));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => before));
  });
});
