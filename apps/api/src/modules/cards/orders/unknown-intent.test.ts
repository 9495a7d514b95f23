/** Orders whose intent could not be created, or was lost: they block neither another purchase nor the deletion of the account. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import {
  balanceOf,
  countOrders,
  getPayment,
  intentIdOf,
  postPayment,
  publishTestRate,
  purchaseBody,
  readOrder,
} from '../../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { tapCardProvider, type TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const BODY = purchaseBody(microAth(100_000_000n));
const OTHER_BODY = purchaseBody(microAth(200_000_000n));
const MINUTE_MS = 60_000;

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startCardSandbox();
  provider = tapCardProvider(sandbox.url);
  app = await createTestApp({
    env: { ...sandbox.env, RATE_MAX_AGE_SECONDS: '86400' },
    standIns: { cardProvider: provider },
    log,
  });
  sandbox.deliverTo(app.app);
  await publishTestRate(app, '0.1683');
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});
afterEach(async () => {
  provider.untap();
  await sandbox.control('/faults', {}, 'DELETE');
  await expectBooksBalance(app.deps.config.databaseUrl);
});

/** Makes the provider answer the next order with a 500 that it stores under the order's key and repeats. */
const planStoredFailure = (phase: 'during' | 'torn' = 'during') =>
  sandbox.control('/faults', { match: 'POST /v1/payment_intents', phase });

const onlyOrderOf = (user: TestUser) =>
  app.deps.db
    .selectFrom('card_orders')
    .selectAll()
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow();

const deleteAccount = (user: TestUser) =>
  app.request({
    method: 'POST',
    url: '/api/account/delete',
    user,
    payload: { password: PASSWORD },
    key: randomUUID(),
  });

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
  await app.runJobs();
}

/** Deletes the jobs of earlier tests, so that none of them fails in this one. */
async function clearQueue(): Promise<void> {
  await sql`delete from graphile_worker._private_jobs`.execute(app.deps.db);
}

/** Events are left out: an event of an earlier test may arrive after the reset that deleted its intent. */
async function readFailedJobs(): Promise<unknown[]> {
  const { rows } = await sql`
    select id, task_identifier, last_error from graphile_worker.jobs
    where last_error is not null and task_identifier <> 'payment_event' order by id
  `.execute(app.deps.db);
  return rows;
}

/** Stores an order in the state left by a process that ends before the provider answers. */
async function crashWhileOrdering(user: TestUser, key: string = randomUUID()): Promise<void> {
  provider.tap({ createIntent: () => Promise.reject(new Error('the process ended here')) });
  expect((await postPayment(app, user, BODY, key)).status).toBe(500);
  provider.untap();
  expect(await onlyOrderOf(user)).toMatchObject({ state: 'creating', intent_id: null });
}

describe('an order whose creation failed for good at the provider', () => {
  it.each([
    ['the same request', BODY, true],
    ['another key', BODY, false],
    ['another amount', OTHER_BODY, false],
  ])('does not stop %s from creating one', async (_what, body, isSameKey) => {
    const user = await app.createUser();
    const key = randomUUID();
    await planStoredFailure();
    const failed = await postPayment(app, user, BODY, key);
    expect([failed.status, failed.body.code]).toEqual([503, 'provider_unavailable']);
    const next = await postPayment(app, user, body, isSameKey ? key : randomUUID());
    expect(next.status).toBe(200);
    expect(await countOrders(app, user)).toBe(2);
    await sandbox.pay(next.body.client_secret);
    expect((await getPayment(app, user, next.body.id)).body.stripe_status).toBe(1);
  });

  it('returns the new order to a replay of the request that made it', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    await planStoredFailure();
    await postPayment(app, user, BODY, key);
    const next = await postPayment(app, user, BODY, key);
    expect((await postPayment(app, user, BODY, key)).body).toEqual(next.body);
    expect((await postPayment(app, user, OTHER_BODY, key)).body.code).toBe(
      'idempotency_key_reused',
    );
  });

  it('does not stop the deletion of the account', async () => {
    const user = await openUser(app);
    await planStoredFailure();
    expect((await postPayment(app, user, BODY)).status).toBe(503);
    expect((await deleteAccount(user)).status).toBe(200);
  });

  it('is credited all the same if the intent exists and is paid', async () => {
    const user = await app.createUser();
    await planStoredFailure('torn');
    expect((await postPayment(app, user, BODY)).status).toBe(503);
    const order = await onlyOrderOf(user);
    expect(order).toMatchObject({ state: 'canceled', intent_id: null, history_id: null });
    const { data } = await sandbox.call('GET', '/payment_intents?limit=1');
    expect(data[0].metadata.order_id).toBe(order.id);
    await sandbox.pay(data[0].client_secret);
    await sandbox.delivery('payment_intent.succeeded', data[0].id);
    await app.runJobs();
    expect(await readOrder(app, order.id)).toMatchObject({ state: 'credited' });
    expect(await balanceOf(app, user)).toBe('100000000');
  });
});

describe('an order that a crash left without an intent', () => {
  it('is ended within a minute although the provider repeats a stored failure, and its job ends with it', async () => {
    await clearQueue();
    const user = await app.createUser();
    await crashWhileOrdering(user);
    // The answer that was lost in the crash.
    const order = await onlyOrderOf(user);
    await planStoredFailure();
    await expect(
      provider.real.createIntent({
        orderId: order.id,
        amountUsdCents: order.total_usd_cents as never,
        description: '',
        receiptEmail: user.email,
        metadata: {},
      }),
    ).rejects.toThrow();
    await run('payment_cancel_expired');
    expect(await readOrder(app, order.id)).toMatchObject({ state: 'creating' });
    app.clock.advance(MINUTE_MS);
    await run('payment_cancel_expired');
    expect(await readOrder(app, order.id)).toMatchObject({
      state: 'canceled',
      was_attempted: false,
    });
    expect(await readFailedJobs()).toEqual([]);
  });

  it('does not stop the deletion of the account, which closes it', async () => {
    const user = await openUser(app);
    await crashWhileOrdering(user);
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await onlyOrderOf(user)).toMatchObject({ state: 'canceled' });
  });

  it('is closed by an order for another amount', async () => {
    const user = await app.createUser();
    await crashWhileOrdering(user);
    const first = await onlyOrderOf(user);
    expect((await postPayment(app, user, OTHER_BODY)).status).toBe(200);
    expect(await readOrder(app, first.id)).toMatchObject({ state: 'canceled', intent_id: null });
  });
});

it('tells nobody the secret of an order that was closed while its intent was created', async () => {
  const user = await app.createUser();
  const key = randomUUID();
  provider.tap({
    async createIntent(request) {
      const intent = await provider.real.createIntent(request);
      app.clock.advance(MINUTE_MS);
      await run('payment_cancel_expired');
      return intent;
    },
  });
  const refused = await postPayment(app, user, BODY, key);
  expect([refused.status, refused.body.code]).toEqual([503, 'provider_unavailable']);
  provider.untap();
  const closed = await onlyOrderOf(user);
  expect(closed).toMatchObject({ state: 'canceled', intent_id: null });
  const next = await postPayment(app, user, BODY, key);
  expect(next.status).toBe(200);
  expect(next.body.id).not.toBe(closed.id);
});

describe('an open order whose intent the provider does not know', () => {
  it('is closed with an alarm, and then blocks nobody', async () => {
    const user = await app.createUser();
    const { body } = await postPayment(app, user, BODY);
    await sandbox.control('/reset');
    expect((await postPayment(app, user, OTHER_BODY)).status).toBe(503);
    expect((await postPayment(app, user, OTHER_BODY)).status).toBe(200);
    expect(await readOrder(app, body.id)).toMatchObject({ state: 'canceled' });
    const alarm = lines.find((line) => line.includes('payment_not_found'));
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({
      orderId: body.id,
      intentId: intentIdOf(body.client_secret),
    });
  });

  it('ends the job that cancels it', async () => {
    await clearQueue();
    const user = await app.createUser();
    const { body } = await postPayment(app, user, BODY);
    await sandbox.control('/reset');
    app.clock.advance(16 * MINUTE_MS);
    await run('payment_cancel_expired');
    expect(await readOrder(app, body.id)).toMatchObject({ state: 'canceled' });
    expect(await readFailedJobs()).toEqual([]);
  });
});
