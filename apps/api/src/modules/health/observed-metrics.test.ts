import { afterAll, beforeAll, expect, it } from 'vitest';
import { consoleAs } from '../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { watchObserved } from './index.ts';

/** `toBeCloseTo` with -2 accepts a difference below 50 s. */
const TO_A_MINUTE = -2;
const DAY_MS = 24 * 60 * 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  watchObserved(test.deps.metrics, test.deps.db);
});
afterAll(() => test.close());

async function lastWalkSeconds(): Promise<number> {
  const text = await test.deps.metrics.registry.metrics();
  const [, seconds] = /^athos_verify_whole_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  return Number(seconds);
}

it('tell when the whole ledger was last found right, and before the first walk, when the ledger was first verified', async () => {
  expect(await lastWalkSeconds()).toBeNaN();
  const begunSeconds = test.clock.nowMs() / 1_000;
  for (let night = 1; night <= 2; night += 1) {
    await enqueueJob(test.deps.db, 'bookkeeping_verify_nightly', {});
    await test.runJobs();
    expect(await lastWalkSeconds()).toBeCloseTo(begunSeconds, TO_A_MINUTE);
    test.clock.advance(DAY_MS);
  }
  const finance = await consoleAs(test, ['finance']);
  await finance.call('verifyLedger');
  await test.runJobs();
  const walkedSeconds = test.clock.nowMs() / 1_000;
  expect(await lastWalkSeconds()).toBeCloseTo(walkedSeconds, TO_A_MINUTE);
  // One that found nothing out changes nothing.
  test.clock.advance(DAY_MS / 24);
  await finance.call('verifyLedger');
  Object.assign(test.deps.config, {
    databaseUrl: test.deps.config.databaseUrl.replace(/\/[^/]+$/, '/nothing'),
  });
  await test.runJobs();
  expect(await lastWalkSeconds()).toBeCloseTo(walkedSeconds, TO_A_MINUTE);
});
