/** kill -9 of whole processes in the middle of card money; afterwards the books balance and reconcile. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../../test/api-process.ts';
import { balanceOf } from '../../../test/card-purchase.ts';
import { buyTokens, readCardBooks, readRefund, refund } from '../../../test/card-refund.ts';
import type { CardSandbox } from '../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../test/cards-app.ts';
import { createStaffMember, signInStaff } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { holdPostings } from '../../../test/raw-ledger.ts';
import { ath } from '../../../test/shop.ts';
import type { TestAnswer, TestApp } from '../../../test/test-app.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const REASON = 'The customer asked for it by mail.';
/** The worker is killed long before the provider answers. */
const ANSWER_DELAY_MS = 60_000;

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
const running = new Set<ApiProcess>();

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
});
afterEach(async () => {
  for (const program of running) await program.kill();
  running.clear();
  await sandbox.control('/webhooks', { lose: 0 });
  await sandbox.control('/faults', {}, 'DELETE');
  await expectBooksBalance(app.deps.config.databaseUrl);
});
afterAll(() => close());

async function start(program: 'wallet-api' | 'worker'): Promise<ApiProcess> {
  const started = await startApiProcess(app.deps.config.databaseUrl, program, sandbox.env);
  running.add(started);
  return started;
}

/** Frees the jobs of the killed worker, as the keeper of another worker does, and runs them. */
async function goOn(): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker._private_jobs where locked_by is not null`.execute(app.deps.db);
  await app.runJobs();
}

async function expectReconciled(): Promise<void> {
  await enqueueJob(app.deps.db, 'card_reconcile_day', {});
  await app.runJobs();
  const day = await app.deps.db
    .selectFrom('card_days')
    .selectAll()
    .orderBy('checked_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(day).toMatchObject({ is_agreed: true });
}

/** Sends requests to a process instead of the app of this test. */
const requestsTo =
  ({ url }: ApiProcess): TestApp['request'] =>
  async ({ method = 'GET', url: path, headers = {}, payload }): Promise<TestAnswer> => {
    const answer = await fetch(`${url}${path as string}`, {
      method,
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const body: unknown = await answer.json();
    return { status: answer.status, headers: {}, text: '', body };
  };

it('the value of a request stays held between the request and the vote, and moves once', async () => {
  const ada = await app.createUser({ balance: ath(10) });
  const [support, owner] = [
    await createStaffMember(app, ['support']),
    await createStaffMember(app, ['provider_owner']),
  ];
  let api = await start('wallet-api');
  const signedIn = (person: typeof support) =>
    signInStaff({ deps: app.deps, request: requestsTo(api) }, person);
  const asked = await (
    await signedIn(support)
  ).call('debitCustomer', {
    params: { uuid: ada.uuid },
    body: { amount: ath(4).toString(), asset: 'ATH', reason: REASON },
  });
  expect(asked.body.outcome).toBe('requested');
  await api.kill();
  expect(await balanceOf(app, ada)).toBe(ath(6).toString());

  api = await start('wallet-api');
  const params = { id: asked.body.approval_id as string };
  const voter = await signedIn(owner);
  await app.admin.transaction().execute(async (tx) => {
    await holdPostings(tx);
    const vote = voter.call('approveRequest', { params }).catch(() => 'no answer');
    await waitForLock(app);
    await api.kill();
    expect(await vote).toBe('no answer');
  });
  expect(await balanceOf(app, ada)).toBe(ath(6).toString());

  api = await start('wallet-api');
  const again = await signedIn(owner);
  expect((await again.call('approveRequest', { params })).body).toEqual({
    state: 'executed',
    votes_given: 1,
  });
  await app.runJobs();
  expect(await balanceOf(app, ada)).toBe(ath(6).toString());
});

it('a refund is made once if the worker is killed between sending it and the answer', async () => {
  const order = await buyTokens(app, sandbox);
  const before: Record<string, bigint> = await readCardBooks(app);
  await sandbox.control('/webhooks', { lose: 100 });
  await sandbox.control('/faults', {
    match: 'POST /v1/refunds',
    action: 'delay',
    phase: 'after',
    delay_ms: ANSWER_DELAY_MS,
  });
  const refundId = await refund(app, order.id);
  const worker = await start('worker');
  const made = async () =>
    (await sandbox.call('GET', `/refunds?payment_intent=${order.intentId}`)).data as unknown[];
  await vi.waitUntil(async () => (await made()).length === 1, { timeout: 10_000, interval: 20 });
  await worker.kill();
  expect(await readRefund(app, refundId)).toMatchObject({ state: 'sending' });
  await sandbox.control('/faults', {}, 'DELETE');
  await goOn();
  expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
  expect(await made()).toHaveLength(1);
  expect(await balanceOf(app, order.user)).toBe('0');
  const after: Record<string, bigint> = await readCardBooks(app);
  expect((after['card_provider'] ?? 0n) - (before['card_provider'] ?? 0n)).toBe(1_868n);
  await expectReconciled();
});

it('a claw-back is whole or absent if the worker is killed in its middle', async () => {
  const order = await buyTokens(app, sandbox);
  const friend = await app.createUser();
  await app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '60000000', to_uuid: friend.uuid },
    user: order.user,
    key: randomUUID(),
  });
  await sandbox.control('/webhooks', { lose: 100 });
  const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
  const before = await readCardBooks(app);
  const worker = await start('worker');
  await app.admin.transaction().execute(async (tx) => {
    await holdPostings(tx);
    await enqueueJob(app.deps.db, 'dispute_look', { disputeId: id });
    // The process has written its bookings and its row, and waits for the ledger.
    await waitForLock(app);
    await worker.kill();
  });
  await vi.waitUntil(
    async () =>
      (
        await sql<{ count: number }>`
            select count(*)::int as count from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'`.execute(
          app.deps.db,
        )
      ).rows[0]?.count === 0,
    { timeout: 10_000, interval: 5 },
  );
  expect(await readCardBooks(app)).toEqual(before);
  expect(await balanceOf(app, order.user)).toBe('40000000');
  await goOn();
  expect(await balanceOf(app, order.user)).toBe('-60000000');
  expect(await readCardBooks(app)).toMatchObject({ disputed: -1_868n });
  await expectReconciled();
});
