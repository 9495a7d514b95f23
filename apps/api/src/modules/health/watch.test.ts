/** Conditions that slow or falsify the ledger without an error: old transactions and clocks that jumped. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movePostedAt } from '../../../test/raw-ledger.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { asRole } from '../../../test/test-database.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { selectOldTransactions } from './watch.sql.ts';

const { log, lines } = recordLog();
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ log });
});
afterEach(() => {
  lines.length = 0;
});
afterAll(() => test.close());

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

  it.each([
    ['athos_worker', 'athos_api'],
    ['athos_api', 'athos_read'],
  ] as const)(
    'finds, as %s, a transaction of %s that keeps old row versions',
    async (own, role) => {
      const watching = openDatabase(asRole(test.adminUrl, own), test.deps.log);
      const other = new pg.Client({
        connectionString: asRole(test.adminUrl, role),
        application_name: 'forgotten',
      });
      await other.connect();
      const found = async () =>
        (await selectOldTransactions(watching.db, 0)).filter(
          ({ program }) => program === 'forgotten',
        );
      try {
        await other.query('begin');
        expect(await found()).toEqual([]);
        await other.query('rollback');
        await other.query('begin isolation level repeatable read');
        const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
        expect(await found()).toEqual([
          {
            pid: rows[0]?.pid,
            user: role,
            program: 'forgotten',
            state: 'idle in transaction',
            // `closeTo` with -2 accepts an age below 50.
            ageSeconds: expect.closeTo(0, -2),
          },
        ]);
      } finally {
        await other.end();
        await watching.close();
      }
    },
  );

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

  it(
    'is 503 once the process was asked to end, while requests are served and their connections closed',
    { tags: 'long' },
    async () => {
      const fresh = await createTestApp();
      const healthz = () => fresh.request({ method: 'GET', url: '/healthz' });
      expect(await ready(fresh)).toBe(200);
      expect((await healthz()).headers['connection']).toBe('keep-alive');
      await fresh.deps.drain.begin();
      expect(await ready(fresh)).toBe(503);
      const { status, headers } = await healthz();
      expect([status, headers['connection']]).toEqual([200, 'close']);
      await fresh.close();
    },
  );

  it('[P-051] stays 200 while the database cannot be reached', async () => {
    const fresh = await createTestApp();
    expect(await ready(fresh)).toBe(200);
    await fresh.deps.db.destroy();
    expect(await ready(fresh)).toBe(200);
    await fresh.close();
  });
});
