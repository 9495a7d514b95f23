import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** As graphile-worker does (`scheduleCronJobs`): only who changes the row makes the job. Returns whether a worker may make it. */
async function mayMake(task: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
    values (${task}, ${at}, ${at}) on conflict (identifier) do update set last_execution = excluded.last_execution
     where known.last_execution is null or known.last_execution < excluded.last_execution
    returning identifier`.execute(test.deps.db);
  return rows.length === 1;
}

const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

it('a worker whose clock is ahead makes no scheduled job, and keeps none of the others from it', async () => {
  expect(await mayMake('prune', inMinutes(-1))).toBe(true);
  expect(await mayMake('prune', inMinutes(60))).toBe(false);
  expect(await mayMake('first_seen_ahead', inMinutes(60))).toBe(false);
  expect(await mayMake('prune', inMinutes(0))).toBe(true);
  expect(await mayMake('first_seen_ahead', inMinutes(0))).toBe(true);
});
