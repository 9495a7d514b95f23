import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const DAY_MS = 24 * 60 * 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

it('deletes rates that were replaced 90 days ago, and keeps the one that was in force then', async () => {
  for (const [rate, days] of [
    ['0.11', 300],
    ['0.12', 120],
    ['0.13', 91],
    ['0.14', 89],
    ['0.15', 1],
  ] as const) {
    await publishTestRate(test, rate, days * DAY_MS);
  }
  await enqueueJob(test.deps.db, 'rate_prune', {});
  await test.runJobs();
  const left = await test.deps.db
    .selectFrom('exchange_rates')
    .select('usd_per_ath')
    .orderBy('in_force_from')
    .execute();
  expect(left.map(({ usd_per_ath: rate }) => rate)).toEqual([
    '0.13000000',
    '0.14000000',
    '0.15000000',
  ]);
});
