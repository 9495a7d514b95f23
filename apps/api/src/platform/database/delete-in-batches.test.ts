import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { deleteInBatches } from './delete-in-batches.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

it('deletes the rows that meet the condition and no others, at most 5,000 in a statement', async () => {
  const { db } = test.deps;
  await sql`
    insert into attempt_counters (subject, attempt_count, last_attempt_at, window_ends_at)
    select int4send(n), n, now(), now() from generate_series(1, 10001) n`.execute(db);
  const asked = vi.spyOn(db.getExecutor(), 'executeQuery');
  await deleteInBatches(db, 'attempt_counters', sql`attempt_count > 1`);
  const counts = await Promise.all(
    asked.mock.results.map(async ({ value }) => (await value).numAffectedRows),
  );
  asked.mockRestore();
  expect(counts).toEqual([5_000n, 5_000n, 0n]);
  const left = await db.selectFrom('attempt_counters').select('attempt_count').execute();
  expect(left).toEqual([{ attempt_count: 1 }]);
});
