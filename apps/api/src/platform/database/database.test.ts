import { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { copyTemplate, withProductLimits } from '../../../test/test-database.ts';
import { CONSOLE_POOL, isRetryableDatabaseError, openDatabase, type Database } from './database.ts';
import { executeEarly } from './early-commit.ts';
import { prepared } from './prepared.ts';

let template: Awaited<ReturnType<typeof copyTemplate>>;
let proxy: FreezableProxy;
let database: Database;
let recorded: ReturnType<typeof recordLog>;
beforeEach(async () => {
  template = await copyTemplate();
  proxy = await createFreezableProxy(withProductLimits(template.url));
  recorded = recordLog();
  database = openDatabase(proxy.url, recorded.log);
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
  await proxy.close();
  await template.drop();
});

const selectOne = sql`select 1`;

it('a database that stops responding in a transaction costs one timeout, not one per statement', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = Promise.withResolvers<undefined>();
  const silent = database.db.transaction().execute(async (tx) => {
    await selectOne.execute(tx);
    proxy.freeze();
    const unanswered = selectOne.execute(tx);
    asked.resolve(undefined);
    await unanswered;
  });
  const failed = silent.catch((reason: unknown) => reason);
  await asked.promise;
  await vi.advanceTimersByTimeAsync(4_000);
  // A rollback would wait for a timeout of its own, which never comes.
  expect(isRetryableDatabaseError(await failed)).toBe(true);
});

it('commits durably, whatever the default of the server', async () => {
  const admin = openDatabase(template.adminUrl, recorded.log);
  await sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
  end $$`.execute(admin.db);
  await admin.close();
  const fresh = openDatabase(template.url, recorded.log);
  const { rows } = await sql`show synchronous_commit`.execute(fresh.db);
  await fresh.close();
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
});

it('an early commit leaves in one write: its beginning, statement, commit and barrier', async () => {
  const near = openDatabase(withProductLimits(template.url), recorded.log);
  const commit = () => executeEarly(near.db, selectOne.compile(near.db));
  await commit();
  // Of all sockets: nothing else uses one meanwhile.
  const writes = (['_write', '_writev'] as const).map((name) => vi.spyOn(Socket.prototype, name));
  await commit();
  await near.close();
  // The second is the goodbye.
  expect(writes.flatMap(({ mock }) => mock.calls)).toHaveLength(2);
});

it('a connection is not used again after a timeout', { tags: 'long' }, async () => {
  await selectOne.execute(database.db);
  proxy.freeze();
  await expect(selectOne.execute(database.db)).rejects.toThrow('Query read timeout');
  await expect.poll(() => database.pool.totalCount).toBe(0);
  proxy.cutAndHeal();
  await selectOne.execute(database.db);
});

it('a connection that breaks between two statements fails only its own transaction', async () => {
  const broken = database.db.transaction().execute(async (tx) => {
    await selectOne.execute(tx);
    proxy.cutAndHeal();
    // Waits until the driver has noticed: an error event without a listener would end the process.
    await expect
      .poll(() =>
        selectOne.execute(tx).then(
          () => 'open',
          () => 'gone',
        ),
      )
      .toBe('gone');
    await selectOne.execute(tx);
  });
  const error: unknown = await broken.catch((reason: unknown) => reason);
  expect(isRetryableDatabaseError(error)).toBe(true);
  await selectOne.execute(database.db);
});

it('a lost connection is logged without the objects that the driver attaches to its error', async () => {
  await selectOne.execute(database.db);
  const other = new pg.Client({ connectionString: template.url });
  await other.connect();
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'athos-api %'`,
  );
  await expect.poll(() => recorded.lines.length).toBeGreaterThan(0);
  await other.end();
  const line = JSON.parse(recorded.lines[0] ?? '') as { msg: string; err: { errorCode: string } };
  expect(line.msg).toBe('an idle database connection was lost');
  expect(Object.keys(line.err).toSorted()).toEqual(['errorCode', 'message', 'stack', 'type']);
  // "admin_shutdown". The runbooks tell by this code why requests failed.
  expect(line.err.errorCode).toBe('57P01');
});

it('ends the statements of the console sooner than those of the wallet', async () => {
  const ofConsole = openDatabase(withProductLimits(template.url), recorded.log, CONSOLE_POOL);
  const limits = [database, ofConsole].map(({ db }) => sql`show statement_timeout`.execute(db));
  const shown = await Promise.all(limits);
  await ofConsole.close();
  expect(shown.map(({ rows }) => rows)).toEqual([
    [{ statement_timeout: '3s' }],
    [{ statement_timeout: '2s' }],
  ]);
});

it('prepares a named statement once per connection, and no other statement', async () => {
  const statements = await database.db.connection().execute(async (db) => {
    for (const count of [1, 2, 3]) {
      const { rows } = await prepared(
        'adding_one',
        sql<{ sum: number }>`select ${count}::integer + 1 as sum`,
      ).execute(db);
      expect(rows).toEqual([{ sum: count + 1 }]);
      await sql`select ${count}::integer`.execute(db);
    }
    const { rows } = await sql<{ name: string }>`
      select name, (generic_plans + custom_plans)::integer as uses from pg_prepared_statements`.execute(
      db,
    );
    return rows;
  });
  expect(statements).toEqual([{ name: 'adding_one', uses: 3 }]);
});
