/** Whole processes are killed with kill -9 between and during the two movements of a send that can be undone. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../../../test/api-process.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { holdPostings } from '../../../../test/raw-ledger.ts';
import { ath, balanceOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { postDue } from './post-due.ts';

/** The time to start two processes on a busy machine. */
const STARTED_WITHIN_MS = 180_000;
const AMOUNT = ath(4);

let test: TestApp;
const running = new Set<ApiProcess>();
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(async () => {
  for (const program of running) await program.kill();
  running.clear();
  await expectBooksBalance(test.deps.config.databaseUrl);
});
afterAll(() => test.close());

async function start(program: 'wallet-api' | 'worker'): Promise<ApiProcess> {
  const started = await startApiProcess(test.deps.config.databaseUrl, program);
  running.add(started);
  return started;
}

it(
  'a send is held once although the API is killed while it holds it, and arrives once although the worker is killed while it posts it',
  async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const payload = { amount: AMOUNT.toString(), to_uuid: ben.uuid, undo_seconds: 60 };
    const key = randomUUID();
    const api = await start('wallet-api');
    await test.admin.transaction().execute(async (tx) => {
      await holdPostings(tx);
      const sent = api
        .post('/api/account/transfer', { user: ada, key, payload })
        .catch(() => 'no answer');
      await waitForLock(test);
      await api.kill();
      expect(await sent).toBe('no answer');
    });
    expect(await balanceOf(test, ada)).toBe(ath(10).toString());

    const send = () =>
      test.request({ method: 'POST', url: '/api/account/transfer', user: ada, key, payload });
    const again = await send();
    expect(again.status).toBe(200);
    expect(await balanceOf(test, ada)).toBe(ath(6).toString());

    const worker = await start('worker');
    await test.admin.transaction().execute(async (tx) => {
      await holdPostings(tx);
      await sql`update send_holds set post_at = now()`.execute(test.deps.db);
      await waitForLock(test);
      await worker.kill();
    });
    expect([await balanceOf(test, ada), await balanceOf(test, ben)]).toEqual([
      ath(6).toString(),
      '0',
    ]);

    // Once the database has noticed that the worker is gone, its row locks are released.
    await expect.poll(() => postDue(test.deps)).toBe(1);
    expect(await postDue(test.deps)).toBe(0);
    // The hold has another due time, because the test has changed it.
    const { id, hold } = again.body;
    expect((await send()).body).toMatchObject({ id, hold: { id: hold.id } });
    expect(await balanceOf(test, ada)).toBe(ath(6).toString());
    expect(await balanceOf(test, ben)).toBe(AMOUNT.toString());
  },
  STARTED_WITHIN_MS,
);
