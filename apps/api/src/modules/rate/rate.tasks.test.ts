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

async function prune(): Promise<string[]> {
  await enqueueJob(test.deps.db, 'rate_prune', {});
  await test.runJobs();
  const left = await test.deps.db
    .selectFrom('exchange_rates')
    .select('usd_per_ath')
    .orderBy('in_force_from')
    .execute();
  return left.map(({ usd_per_ath: rate }) => Number(rate).toFixed(2));
}

it('[P-048] rates older than 400 days are thinned to the last one of each day, and the newest is never removed', async () => {
  const noonMs = Math.floor(test.clock.nowMs() / DAY_MS) * DAY_MS + DAY_MS / 2;
  const agoMs = (days: number): number => test.clock.nowMs() - noonMs + days * DAY_MS;
  for (const [rate, days] of [
    ['0.11', 500.2],
    ['0.12', 500.1],
    ['0.13', 500],
    ['0.14', 403.1],
    ['0.15', 402.1],
    ['0.16', 402],
    // These rates are younger than 400 days.
    ['0.17', 398.1],
    ['0.18', 398],
  ] as const) {
    await publishTestRate(test, rate, agoMs(days));
  }
  const thinned = ['0.13', '0.14', '0.16', '0.17', '0.18'];
  expect(await prune()).toEqual(thinned);
  expect(await prune()).toEqual(thinned);
  // No rate is published for two years.
  test.clock.advance(730 * DAY_MS);
  expect(await prune()).toEqual(['0.13', '0.14', '0.16', '0.18']);
});
