/**
 * The windows between "paid" and "credited", numbered as in docs/cards.md, "Windows".
 * Window 14 is about refunds.
 */
import { setImmediate } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import {
  balanceOf,
  beginOrder,
  countOrders,
  getPayment,
  payAndDeliver,
  postPayment,
  purchaseBody,
  readOrder,
} from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { userAccountId } from '../../../ledger/index.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { endOrder } from './intents.ts';
import { fetchAndSettle, settle } from './settle.ts';

const HUNDRED_ATH = microAth(100_000_000n);
const CREDITED = '100000000';
const MINUTE_MS = 60_000;

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;
const { log, lines: logLines } = recordLog();

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    log,
  }));
});
afterAll(() => close());
afterEach(async () => {
  provider.untap();
  await sandbox.control('/webhooks', { drop: 0, lose: 0, copies: 1, delay_ms: 0 });
  await sandbox.control('/faults', {}, 'DELETE');
  await expectBooksBalance(app.deps.config.databaseUrl);
});

const begin = (user: TestUser, amount = HUNDRED_ATH, key?: string) =>
  beginOrder(app, user, amount, key);

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

async function expectCreditedOnce(user: TestUser, orderId: string): Promise<void> {
  expect((await getPayment(app, user, orderId)).body).toEqual({ stripe_status: 1, error: null });
  expect(await balanceOf(app, user)).toBe(CREDITED);
}

async function expectInReview(user: TestUser, orderId: string, reason: RegExp): Promise<void> {
  expect(await readOrder(app, orderId)).toMatchObject({
    state: 'review',
    review_reason: expect.stringMatching(reason),
  });
  expect((await getPayment(app, user, orderId)).body).toEqual({ stripe_status: 0, error: null });
  expect(await balanceOf(app, user)).toBe('0');
  const alarms = logLines.filter((line) => line.includes('payment_review'));
  expect(alarms.some((line) => line.includes(orderId))).toBe(true);
}

describe('window 1: a crash after the intent was created, before its id was stored', () => {
  it('returns the same order and the same intent on retry', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    const made: string[] = [];
    provider.tap({
      async createIntent(request) {
        made.push((await provider.real.createIntent(request)).intentId);
        throw new Error('the process ended here');
      },
    });
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH), key)).status).toBe(500);
    provider.untap();
    const begun = await begin(user, HUNDRED_ATH, key);
    expect(made).toEqual([begun.intentId]);
    expect(await countOrders(app, user)).toBe(1);
    expect(await readOrder(app, begun.id)).toMatchObject({ state: 'open' });
  });

  it('leaves one intent if the connection breaks after the provider has created it', async () => {
    const user = await app.createUser();
    await sandbox.control('/faults', {
      match: 'POST /v1/payment_intents',
      action: 'drop',
      phase: 'after',
    });
    const begun = await begin(user);
    const { data } = await sandbox.call('GET', '/payment_intents?limit=100');
    const ofOrder = data.filter(
      (intent: { metadata: { order_id?: string } }) => intent.metadata.order_id === begun.id,
    );
    expect(ofOrder).toHaveLength(1);
  });

  it('cancels an order with an unknown intent when it expires', async () => {
    const user = await app.createUser();
    provider.tap({ createIntent: () => Promise.reject(new Error('the process ended here')) });
    const { status } = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    expect(status).toBe(500);
    provider.untap();
    app.clock.advance(16 * MINUTE_MS);
    await run('payment_cancel_expired');
    const [order] = await app.deps.db
      .selectFrom('card_orders')
      .selectAll()
      .where('user_id', '=', user.userId)
      .execute();
    expect(order).toMatchObject({ state: 'canceled', was_attempted: false });
  });
});

it('window 2: a webhook that overtakes the commit of the POST finds the order', async () => {
  const user = await app.createUser();
  provider.tap({
    async createIntent(request) {
      const intent = await provider.real.createIntent(request);
      await sandbox.pay(intent.clientSecret);
      const { status } = await sandbox.delivery('payment_intent.succeeded', intent.intentId);
      expect(status).toBe(200);
      await app.runJobs();
      expect(await balanceOf(app, user)).toBe(CREDITED);
      return intent;
    },
  });
  const begun = await begin(user);
  await expectCreditedOnce(user, begun.id);
});

describe('window 3: a browser that closes after paying', () => {
  it('[D-099] is credited by the webhook without a poll', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    await payAndDeliver(sandbox, begun);
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe(CREDITED);
    expect(await readOrder(app, begun.id)).toMatchObject({ state: 'credited' });
  });

  it('[D-099] is credited by the reconciliation of orders open for 2 min if no webhook arrives', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    await run('payment_reconcile');
    expect(await balanceOf(app, user)).toBe('0');
    app.clock.advance(2 * MINUTE_MS + 1000);
    await run('payment_reconcile');
    expect(await balanceOf(app, user)).toBe(CREDITED);
  });
});

describe('window 4: webhook, poll and job at once', () => {
  it('[D-100] credit once', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    await payAndDeliver(sandbox, begun);
    app.clock.advance(3 * MINUTE_MS);
    await enqueueJob(app.deps.db, 'payment_reconcile', {});
    const polls = Array.from({ length: 10 }, () => getPayment(app, user, begun.id));
    await Promise.all([app.runJobs(), app.runJobs(), ...polls]);
    await expectCreditedOnce(user, begun.id);
  });

  it('[D-100] ten identical webhooks at once credit once', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    const { body, headers } = await sandbox.delivery('payment_intent.succeeded', begun.intentId);
    const send = () =>
      app.request({
        method: 'POST',
        url: '/api/webhooks/stripe',
        payload: body,
        headers: {
          'content-type': 'application/json',
          'stripe-signature': String(headers['stripe-signature']),
        },
      });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await app.runJobs();
    await expectCreditedOnce(user, begun.id);
  });

  it('[D-100] ten settlements at once credit once, even without an event', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    await Promise.all(Array.from({ length: 10 }, () => fetchAndSettle(app.deps, begun.intentId)));
    await expectCreditedOnce(user, begun.id);
  });
});

it('window 5: an event redelivered after a crash between the credit and the 200 credits nothing more', async () => {
  const user = await app.createUser();
  const begun = await begin(user);
  await payAndDeliver(sandbox, begun);
  await app.runJobs();
  expect(await balanceOf(app, user)).toBe(CREDITED);
  // The state after the crash: the job was never marked as done, and the provider sends the event again.
  await app.deps.db
    .updateTable('card_events')
    .set({ processed_at: null })
    .where('intent_id', '=', begun.intentId)
    .execute();
  const events = await app.deps.db
    .selectFrom('card_events')
    .select('id')
    .where('intent_id', '=', begun.intentId)
    .execute();
  for (const { id } of events) await enqueueJob(app.deps.db, 'payment_event', { eventId: id });
  await app.runJobs();
  await expectCreditedOnce(user, begun.id);
});

it('window 6: a crash after the 200, before the credit, is resumed by the job', async () => {
  const user = await app.createUser();
  const begun = await begin(user);
  await sandbox.pay(begun.secret);
  const { status } = await sandbox.delivery('payment_intent.succeeded', begun.intentId);
  expect(status).toBe(200);
  // Only the rows that the 200 acknowledged exist: the event and its job.
  expect(await balanceOf(app, user)).toBe('0');
  expect(await readOrder(app, begun.id)).toMatchObject({ state: 'open' });
  await app.runJobs();
  expect(await balanceOf(app, user)).toBe(CREDITED);
});

describe('window 7: an endpoint that is down for days, a wrong secret, or no event at all', () => {
  it('is compensated by the hourly list of events', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { drop: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    await run('payment_list_events');
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe(CREDITED);
  });

  it('is compensated by the daily list of intents', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    await run('payment_compare');
    expect(await balanceOf(app, user)).toBe(CREDITED);
    expect(await readOrder(app, begun.id)).toMatchObject({ state: 'credited' });
  });
});

it('window 8: a late payment_failed after success changes nothing', async () => {
  const user = await app.createUser();
  await sandbox.control('/webhooks', { drop: -1 });
  const begun = await begin(user);
  await sandbox.pay(begun.secret, 'visa_chargeDeclined');
  await sandbox.pay(begun.secret);
  await expectCreditedOnce(user, begun.id);
  await sandbox.control('/webhooks', { drop: 0 });
  const { data } = await sandbox.call('GET', '/events?type=payment_intent.payment_failed');
  const failed = data.find(
    (event: { data: { object: { id: string } } }) => event.data.object.id === begun.intentId,
  );
  await sandbox.control('/webhooks/resend', { event: failed.id });
  expect((await sandbox.delivery('payment_intent.payment_failed', begun.intentId)).status).toBe(
    200,
  );
  await app.runJobs();
  await expectCreditedOnce(user, begun.id);
});

describe('window 9: the cancel job races the confirm', () => {
  it('and loses: the order is credited', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    app.clock.advance(16 * MINUTE_MS);
    provider.tap({
      async cancelIntent(intentId) {
        await sandbox.pay(begun.secret);
        return provider.real.cancelIntent(intentId);
      },
    });
    await run('payment_cancel_expired');
    await app.runJobs();
    await expectCreditedOnce(user, begun.id);
  });

  it('and wins: the intent can no longer be paid', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    app.clock.advance(16 * MINUTE_MS);
    await run('payment_cancel_expired');
    await app.runJobs();
    await expect(sandbox.pay(begun.secret)).rejects.toThrow(/status of canceled/);
    expect((await getPayment(app, user, begun.id)).body).toEqual({
      stripe_status: 2,
      error: 'This payment was canceled.',
    });
    expect(await balanceOf(app, user)).toBe('0');
  });

  it(
    '100 times: each order ends as its intent does, credited or canceled',
    { tags: 'long' },
    async () => {
      const ROUNDS = 100;
      const AT_ONCE = 10;
      const HEAD_START_TURNS = 5;
      for (let round = 0; round < ROUNDS; round += AT_ONCE) {
        await Promise.all(
          Array.from({ length: AT_ONCE }, async (_, index) => {
            const user = await app.createUser();
            const begun = await begin(user);
            const order = await readOrder(app, begun.id);
            const pay = sandbox.pay(begun.secret).catch(() => undefined);
            // Varies the head start, so that the two interleave at different points.
            for (let turn = 0; turn < index * HEAD_START_TURNS; turn++) await setImmediate();
            await endOrder(app.deps, order);
            await pay;
            await endOrder(app.deps, order);
            const { status } = await provider.real.retrieveIntent(begun.intentId);
            const { state } = await readOrder(app, begun.id);
            expect(`${status} ${state}`).toMatch(/^(succeeded credited|canceled canceled)$/);
            expect(await balanceOf(app, user)).toBe(state === 'credited' ? CREDITED : '0');
          }),
        );
      }
    },
  );
});

describe('window 10: a timeout at the confirm although the charge went through', () => {
  it('is credited by the poll', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.control('/faults', {
      match: `POST /v1/payment_intents/${begun.intentId}/confirm`,
      action: 'drop',
      phase: 'after',
      count: 10,
    });
    await expect(
      sandbox.call('POST', `/payment_intents/${begun.intentId}/confirm`, {
        payment_method: 'pm_card_visa',
      }),
    ).rejects.toThrow();
    await expectCreditedOnce(user, begun.id);
  });

  it('returns the paid order for an identical request and creates no second intent', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    const again = await begin(user);
    expect(again).toEqual(begun);
    await expectCreditedOnce(user, begun.id);
  });

  it('is known before another order gets its intent', async () => {
    const user = await app.createUser();
    await sandbox.control('/webhooks', { lose: -1 });
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    provider.tap({
      async createIntent(request) {
        expect(await readOrder(app, begun.id)).toMatchObject({ state: 'credited' });
        return provider.real.createIntent(request);
      },
    });
    await begin(user, microAth(200_000_000n));
    await expectCreditedOnce(user, begun.id);
  });
});

describe('window 11: a payment that differs from its order', () => {
  it.each([
    ['another amount', { amountReceivedUsdCents: usdCents(1_867n) }, /received 1867 cents/],
    ['another currency', { currency: 'eur' }, /paid in eur/],
    ['no charge', { charge: undefined }, /without a charge/],
  ])('goes to review and is never credited: %s', async (_fault, lie, reason) => {
    const user = await app.createUser();
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    provider.tap({
      retrieveIntent: async (id) => ({ ...(await provider.real.retrieveIntent(id)), ...lie }),
    });
    await getPayment(app, user, begun.id);
    await expectInReview(user, begun.id, reason);
    // A later correct report does not end the review.
    provider.untap();
    await sandbox.delivery('payment_intent.succeeded', begun.intentId);
    await app.runJobs();
    expect(await balanceOf(app, user)).toBe('0');
  });

  it.each([
    ['refunded', { refundedUsdCents: usdCents(500n) }, /refunded/],
    ['disputed', { isDisputed: true }, /disputed/],
  ])('goes to review and is never credited: a charge that is %s', async (_state, lie, reason) => {
    const user = await app.createUser();
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    provider.tap({
      async retrieveIntent(id) {
        const intent = await provider.real.retrieveIntent(id);
        return intent.charge === undefined
          ? intent
          : { ...intent, charge: { ...intent.charge, ...lie } };
      },
    });
    await getPayment(app, user, begun.id);
    await expectInReview(user, begun.id, reason);
  });

  it('goes to review and is never credited: another intent that claims the order', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    const foreign = await sandbox.call('POST', '/payment_intents', {
      amount: '1868',
      currency: 'usd',
      'metadata[order_id]': begun.id,
      'metadata[env]': 'development',
    });
    await sandbox.pay(foreign.client_secret);
    await sandbox.delivery('payment_intent.succeeded', foreign.id);
    await app.runJobs();
    await expectInReview(user, begun.id, /another intent/);
  });

  it('goes to review and is never credited: an order that was made under another environment', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    const inProduction = { 'metadata[env]': 'production' };
    await sandbox.call('POST', `/payment_intents/${begun.intentId}`, inProduction);
    await payAndDeliver(sandbox, begun);
    await app.runJobs();
    await expectInReview(user, begun.id, /the environment production/);
  });

  it.each([
    ['16 min after it had expired is not credited', 16, 'review'],
    ['14 min after it had expired is credited', 14, 'credited'],
  ])('paid %s', async (_title, lateMinutes, state) => {
    const user = await app.createUser();
    const begun = await begin(user);
    await app.deps.db
      .updateTable('card_orders')
      // Set by the provider's clock, which tests do not advance.
      .set({ expires_at: new Date(Date.now() - lateMinutes * MINUTE_MS) })
      .where('id', '=', begun.id)
      .execute();
    await payAndDeliver(sandbox, begun);
    await app.runJobs();
    if (state === 'review') await expectInReview(user, begun.id, /paid 16 min after/);
    else await expectCreditedOnce(user, begun.id);
  });

  it('raises an alarm if it has no order at all', async () => {
    const nameless = await sandbox.call('POST', '/payment_intents', {
      amount: '1868',
      currency: 'usd',
      'metadata[env]': 'development',
    });
    await sandbox.pay(nameless.client_secret);
    await sandbox.delivery('payment_intent.succeeded', nameless.id);
    await app.runJobs();
    const alarms = logLines.filter((line) => line.includes('payment_unknown'));
    expect(alarms.some((line) => line.includes(nameless.id))).toBe(true);
  });

  it('is ignored if it is of another system on the same account', async () => {
    const foreign = await sandbox.call('POST', '/payment_intents', {
      amount: '1868',
      currency: 'usd',
      'metadata[order_id]': randomUUID(),
      'metadata[env]': 'production',
    });
    await sandbox.pay(foreign.client_secret);
    const intent = await provider.real.retrieveIntent(foreign.id);
    await settle(app.deps, intent, new Date(app.clock.nowMs()));
    expect(logLines.filter((line) => line.includes(foreign.id))).toEqual([]);
  });

  it('credits nothing if another system was paid for the order, and raises an alarm', async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    const foreign = await sandbox.call('POST', '/payment_intents', {
      amount: '1868',
      currency: 'usd',
      'metadata[order_id]': begun.id,
      'metadata[env]': 'production',
    });
    await sandbox.pay(foreign.client_secret);
    await sandbox.delivery('payment_intent.succeeded', foreign.id);
    await app.runJobs();
    await settle(
      app.deps,
      await provider.real.retrieveIntent(foreign.id),
      new Date(app.clock.nowMs()),
    );
    expect(await readOrder(app, begun.id)).toMatchObject({ state: 'open' });
    expect(await balanceOf(app, user)).toBe('0');
    const alarms = logLines.filter((line) => line.includes('payment_foreign'));
    expect(alarms.some((line) => line.includes(begun.id) && line.includes(foreign.id))).toBe(true);
  });
});

it('window 12: an account closed between payment and credit gets no credit, and the order goes to review', async () => {
  const user = await app.createUser();
  const begun = await begin(user);
  await app.deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('users')
      .set({ email: null, password_hash: null, closed_at: new Date() })
      .where('id', '=', user.userId)
      .execute();
    await app.deps.ledger.setAccountState(tx, userAccountId(user.userId, 'ATH'), 'closed');
  });
  await payAndDeliver(sandbox, begun);
  await app.runJobs();
  expect(await readOrder(app, begun.id)).toMatchObject({
    state: 'review',
    review_reason: 'the account was closed',
    history_id: null,
  });
});

it(
  'window 13: a database restored from an old backup recovers its payments from the daily list, once',
  { tags: 'long' },
  async () => {
    const user = await app.createUser();
    const begun = await begin(user);
    await sandbox.pay(begun.secret);
    // The old backup contains the user, but neither the order nor the credit.
    const old = await createTestApp({
      env: { ...sandbox.env },
      standIns: { cardProvider: provider },
    });
    try {
      const same = await old.createUser({ email: user.email });
      await old.deps.db
        .updateTable('users')
        .set({ uuid: user.uuid })
        .where('id', '=', same.userId)
        .execute();
      for (const _day of [1, 2]) {
        await enqueueJob(old.deps.db, 'payment_compare', {});
        await old.runJobs();
        old.clock.advance(24 * 60 * MINUTE_MS);
      }
      expect(await readOrder(old, begun.id)).toMatchObject({
        state: 'credited',
        user_id: same.userId,
        amount_micro_ath: 100_000_000n,
        total_usd_cents: 1_868n,
      });
      const balances = await old.deps.ledger.balances([userAccountId(same.userId, 'ATH')]);
      expect([...balances.values()]).toEqual([100_000_000n]);
      await expectBooksBalance(old.deps.config.databaseUrl);
    } finally {
      await old.close();
    }
  },
);
