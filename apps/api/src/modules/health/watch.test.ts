/** Conditions that slow or falsify the ledger without an error: old transactions and clocks that jumped. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movePostedAt } from '../../../test/raw-ledger.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { selectOldTransactions } from './watch.sql.ts';

const { log, lines } = recordLog();
let test: TestApp;
let other: pg.Client;
beforeAll(async () => {
  test = await createTestApp({ log });
  other = new pg.Client({
    connectionString: test.deps.config.databaseUrl,
    application_name: 'forgotten',
  });
  await other.connect();
});
afterEach(async () => {
  await other.query('rollback');
  lines.length = 0;
});
afterAll(async () => {
  await other.end();
  await test.close();
});

async function alarms(): Promise<{ alarm: string }[]> {
  await enqueueJob(test.deps.db, 'health_watch', {});
  await test.runJobs();
  return lines.flatMap((line) => {
    const entry = JSON.parse(line) as { alarm?: string };
    return entry.alarm === undefined ? [] : [{ ...entry, alarm: entry.alarm }];
  });
}

describe('the watch', () => {
  it('raises no alarm on a healthy database', async () => {
    await test.createUser();
    expect(await alarms()).toEqual([]);
  });

  it('finds the transactions that keep old row versions, with their age and process', async () => {
    const found = async () =>
      (await selectOldTransactions(test.deps.db, 0)).filter(
        ({ program }) => program === 'forgotten',
      );
    await other.query('begin');
    expect(await found()).toEqual([]);
    await other.query('rollback');
    await other.query('begin isolation level repeatable read');
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(await found()).toEqual([
      {
        pid: rows[0]?.pid,
        user: expect.any(String),
        program: 'forgotten',
        state: 'idle in transaction',
        // `closeTo` with -2 accepts an age below 50.
        ageSeconds: expect.closeTo(0, -2),
      },
    ]);
  });

  it("raises an alarm if the journal's time is ahead of the database's clock", async () => {
    await movePostedAt(test.admin, 3_600);
    expect(await alarms()).toMatchObject([{ alarm: 'journal_ahead' }]);
    await movePostedAt(test.admin, 0);
  });

  it('raises an alarm if the clocks of database and worker differ', async () => {
    test.clock.advance(-10_000);
    expect(await alarms()).toMatchObject([{ alarm: 'clock_difference' }]);
    test.clock.advance(10_000);
  });
});

describe('/readyz', () => {
  const ready = async (app: TestApp) =>
    (await app.request({ method: 'GET', url: '/readyz' })).status;

  it('[P-052] is 503 until the newest known migration has been applied', async () => {
    const fresh = await createTestApp();
    const rename = (from: string, to: string) =>
      sql`update migrations set name = ${to} where name = ${from}`.execute(fresh.admin);
    await rename(fresh.deps.newestMigration, 'not_yet');
    expect(await ready(fresh)).toBe(503);
    await rename('not_yet', fresh.deps.newestMigration);
    expect(await ready(fresh)).toBe(200);
    await fresh.close();
  });

  it('is 503 once the process was asked to end, while requests are served and their connections closed', async () => {
    const fresh = await createTestApp();
    const healthz = () => fresh.request({ method: 'GET', url: '/healthz' });
    expect(await ready(fresh)).toBe(200);
    expect((await healthz()).headers['connection']).toBe('keep-alive');
    await fresh.deps.drain.begin();
    expect(await ready(fresh)).toBe(503);
    const { status, headers } = await healthz();
    expect([status, headers['connection']]).toEqual([200, 'close']);
    await fresh.close();
  });

  it('[P-051] stays 200 while the database cannot be reached', async () => {
    const fresh = await createTestApp();
    expect(await ready(fresh)).toBe(200);
    await fresh.deps.db.destroy();
    expect(await ready(fresh)).toBe(200);
    await fresh.close();
  });
});
