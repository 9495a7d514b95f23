import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { deleteInBatches } from './delete-in-batches.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

it('deletes all that the condition holds of and nothing else, 5,000 rows a statement at most', async () => {
  const { db } = test.deps;
  await sql`
    insert into reward_guesses (subject, guess_count, counted_since)
    select int4send(n), n, now() from generate_series(1, 10001) n`.execute(db);
  const asked = vi.spyOn(db.getExecutor(), 'executeQuery');
  await deleteInBatches(db, 'reward_guesses', sql`guess_count > 1`);
  const counts = await Promise.all(
    asked.mock.results.map(async ({ value }) => (await value).numAffectedRows),
  );
  asked.mockRestore();
  expect(counts).toEqual([5_000n, 5_000n, 0n]);
  const left = await db.selectFrom('reward_guesses').select('guess_count').execute();
  expect(left).toEqual([{ guess_count: 1 }]);
});
