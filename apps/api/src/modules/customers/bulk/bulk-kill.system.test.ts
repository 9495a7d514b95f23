/** The worker is killed with kill -9 in the middle of a bulk act. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startApiProcess } from '../../../../test/api-process.ts';
import { consoleAs } from '../../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { countOutcomes } from './bulk.sql.ts';

const ROWS = 1_500;
const NOTE = 'Asked to confirm the address';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** Frees the jobs of a worker that has died, as the job keeper does. */
async function freeJobs(): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array(
      select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`.execute(
    test.deps.db,
  );
}

it('a bulk act goes on after kill -9 of the worker, and does no row twice', async () => {
  const { db, config } = test.deps;
  const support = await consoleAs(test, ['support']);
  const { rows: created } = await sql<{ uuid: string }>`
    insert into users (email, password_hash)
    select 'bulk-' || n || '@athos.example', 'none' from generate_series(1, ${ROWS}::int) n
    returning uuid`.execute(db);
  const { body } = await support.call('previewBulk', {
    body: {
      act: { name: 'customer.note', text: NOTE },
      rows: { ids: created.map(({ uuid }) => uuid) },
      reason: 'Addresses of a leaked list',
    },
  });
  const params = { id: body.id };
  await support.prove();
  await support.call('startBulk', { params, body: { rows_total: body.rows_total } });
  const countDone = async () => (await countOutcomes(db, body.id)).done;
  const worker = await startApiProcess(config.databaseUrl, 'worker');
  await vi.waitFor(async () => expect(await countDone()).toBeGreaterThan(20), {
    timeout: 20_000,
    interval: 5,
  });
  await worker.kill();
  expect(await countDone()).toBeLessThan(ROWS);
  await freeJobs();
  await test.runJobs();
  expect((await support.call('bulkRun', { params })).body).toMatchObject({
    state: 'done',
    rows_done: ROWS,
  });
  const { rows: once } = await sql`
    select user_id from customer_notes where text = ${NOTE}
    group by user_id having count(*) = 1`.execute(db);
  expect(once).toHaveLength(ROWS);
  const { rows: entries } = await sql`
    select seq from audit_entries where request_id = ${`bulk ${body.id}`}`.execute(db);
  expect(entries).toHaveLength(ROWS);
});
