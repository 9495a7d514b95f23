/** The number of connections that a process opens, and their names on the server. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdJournal } from '../test/hold-journal.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';
import { createDeps, type Deps } from './deps.ts';

const CALLS_AT_ONCE = 12;
let test: TestApp;
let worker: Deps & { close(): Promise<void> };

beforeAll(async () => {
  const env = {
    DATABASE_POOL_SIZE: '5',
    DATABASE_CONSOLE_POOL_SIZE: '2',
    DATABASE_HISTORY_POOL_SIZE: '2',
  };
  test = await createTestApp({ env });
  worker = createDeps(test.deps.config, test.deps.log, { role: 'worker' });
});
afterAll(async () => {
  await worker.close();
  await test.close();
});

/** The number of connections of this process by the beginning of their name. */
async function connections(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select application_name as name, count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name like ${`% ${process.pid}@%`}
     group by 1`.execute(test.admin);
  return Object.fromEntries(rows.map(({ name, count }) => [name.split(' ')[0], count]));
}

const together = (work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));

it(
  'opens no more connections than its settings say, each named after the program',
  { tags: 'long' },
  async () => {
    const user = await test.createUser();
    await together(() => sql`select pg_sleep(0.3)`.execute(test.deps.db));
    await together(() => sql`select pg_sleep(0.3)`.execute(test.deps.consoleDb));
    await together(() => sql`select pg_sleep(0.3)`.execute(worker.db));
    const { asked } = await holdJournal(test, () => ({
      asked: together(() => test.deps.ledger.isKeyUsed(user.userId, user.uuid)),
    }));
    await asked;
    expect(await connections()).toMatchObject({
      'athos-api': 5,
      'athos-for-console': 2,
      'athos-ledger': 4,
      'athos-ledger-history': 2,
      'athos-worker': 5,
    });
  },
);
