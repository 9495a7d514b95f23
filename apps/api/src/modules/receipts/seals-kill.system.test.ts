/** The worker is killed with kill -9 in the middle of a seal. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiProcess } from '../../../test/api-process.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { readJournal } from '../../../test/raw-ledger.ts';
import { createSealer } from '../../../test/seals.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, issueTo, type TestApp } from '../../../test/test-app.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { verifySeals } from './index.ts';

/** More than the worker puts into one seal. */
const MOVEMENTS = 4_200;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const verified = () =>
  verifySeals({
    db: test.deps.db,
    receiptKeys: test.deps.config.receiptKeys,
    keys: test.deps.keys,
  });
const sealCount = async () => (await verified()).sealCount;

it('[W-137] each movement is sealed once after kill -9 in the middle of a seal', async () => {
  const { databaseUrl } = test.deps.config;
  const { userId } = await test.createUser();
  await Promise.all(Array.from({ length: MOVEMENTS }, () => issueTo(test.deps, userId, ath(1))));
  const before = await sealCount();
  await test.admin.transaction().execute(async (tx) => {
    await sql`lock table journal_seals in share row exclusive mode`.execute(tx);
    const worker = await startApiProcess(databaseUrl, 'worker');
    // The process has signed the seal and waits for its insert.
    await waitForLock(test);
    await worker.kill();
  });
  expect(await sealCount()).toBe(before);
  const next = await startApiProcess(databaseUrl, 'worker');
  await expect.poll(sealCount, { timeout: 30_000 }).toBeGreaterThan(before);
  await next.kill();
  await createSealer(test).sealAll();
  expect(await verified()).toMatchObject({
    fault: undefined,
    transferCount: (await readJournal(test.deps.db)).length,
  });
  await expectBooksBalance(databaseUrl);
});
