/** GET payment_intent, one and pending, through HTTP against the sandbox. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import {
  balanceOf,
  beginOrder,
  getPayment,
  postPayment,
  publishTestRate,
  purchaseBody,
  readOrder,
} from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { freeLooks, startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { createSealer } from '../../../../test/seals.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { systemAccountId, userAccountId } from '../../../ledger/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { fetchAndSettle, settle } from './settle.ts';

const HUNDRED_ATH = microAth(100_000_000n);
const LOOK_INTERVAL_MS = 1_500;

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
  }));
});
afterAll(() => close());
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

const begin = (user: TestUser, amount = HUNDRED_ATH) => beginOrder(app, user, amount);

/** Polls once, late enough after the last lookup for a new one. */
async function poll(user: TestUser, id: string) {
  app.clock.advance(LOOK_INTERVAL_MS);
  return (await getPayment(app, user, id)).body;
}

describe('the state of a payment', () => {
  it("[S7-027] [S3-019] [D-101] is stripe_status 0, then 1 once the ledger is credited, with 'error' null", async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    expect(await poll(user, id)).toEqual({ stripe_status: 0, error: null });
    await sandbox.pay(secret);
    expect(await balanceOf(app, user)).toBe('0');
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
    expect(await balanceOf(app, user)).toBe('100000000');
    // The state is final, so no more requests are made to the provider.
    const { retrieveIntent } = provider.counts;
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
    expect(provider.counts.retrieveIntent).toBe(retrieveIntent);
  });

  it("[D-115] [D-101] [S3-019] is 2 with the provider's message after a decline, and 1 if the same form succeeds later", async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret, 'visa_chargeDeclinedInsufficientFunds');
    expect(await poll(user, id)).toEqual({
      stripe_status: 2,
      error: 'Your card has insufficient funds.',
    });
    expect(await readOrder(app, id)).toMatchObject({ state: 'open' });
    await sandbox.pay(secret);
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
    expect(await balanceOf(app, user)).toBe('100000000');
  });

  it('is never a stored decline: between two lookups, a poll waits for the next one', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret, 'visa_chargeDeclined');
    expect(await poll(user, id)).toMatchObject({ stripe_status: 2 });
    // Polls again immediately after the form has been paid: the old 2 would be wrong.
    await sandbox.pay(secret);
    expect((await getPayment(app, user, id)).body).toEqual({ stripe_status: 1, error: null });
  });

  it('is never the old decline for a poll that arrives during the lookup of another', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret, 'visa_chargeDeclined');
    expect(await poll(user, id)).toMatchObject({ stripe_status: 2 });
    await sandbox.pay(secret);
    const gate = Promise.withResolvers<undefined>();
    provider.tap({
      async retrieveIntent(intentId) {
        provider.untap();
        await gate.promise;
        return provider.real.retrieveIntent(intentId);
      },
    });
    app.clock.advance(LOOK_INTERVAL_MS);
    const polls = [1, 2, 3].map(() => getPayment(app, user, id));
    const others = await Promise.race(polls);
    expect(others.body.stripe_status).not.toBe(2);
    gate.resolve(undefined);
    for (const { body } of await Promise.all(polls)) expect(body.stripe_status).not.toBe(2);
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
  });

  it.each([
    ['visa_chargeDeclined', 'Your card was declined.'],
    ['chargeDeclinedExpiredCard', 'Your card has expired.'],
    ['chargeDeclinedIncorrectCvc', "Your card's security code is incorrect."],
    ['visa_chargeDeclinedStolenCard', 'Your card was declined.'],
  ])('shows the message of the provider for %s, never the decline code', async (card, error) => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret, card);
    expect(await poll(user, id)).toEqual({ stripe_status: 2, error });
  });

  it('is 0 while 3-D Secure is pending, 2 if it fails, 1 if it passes', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret, 'threeDSecure2Required', 'leave');
    expect(await poll(user, id)).toEqual({ stripe_status: 0, error: null });
    await sandbox.pay(secret, 'threeDSecure2Required', 'fail');
    expect(await poll(user, id)).toMatchObject({ stripe_status: 2 });
    await sandbox.pay(secret, 'threeDSecure2Required', 'pass');
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
  });

  it('is not overwritten by a lookup that began earlier and ended later', async () => {
    const user = await app.createUser();
    const { id, secret, intentId } = await begin(user);
    await sandbox.pay(secret, 'visa_chargeDeclined');
    const earlier = new Date(app.clock.nowMs());
    const declined = await provider.real.retrieveIntent(intentId);
    app.clock.advance(1_000);
    await sandbox.pay(secret, 'threeDSecure2Required', 'leave');
    await fetchAndSettle(app.deps, intentId);
    await settle(app.deps, declined, earlier);
    expect(await readOrder(app, id)).toMatchObject({
      provider_status: 'requires_action',
      error_message: null,
    });
  });

  it('is visible to the owner only; anybody else gets not_found', async () => {
    const [owner, other] = [await app.createUser(), await app.createUser()];
    const { id } = await begin(owner);
    const foreign = await getPayment(app, other, id);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
    expect((await getPayment(app, other, 'pi_123')).status).toBe(400);
    const anybody = await app.request({ method: 'GET', url: `/api/payment_intent/${id}` });
    expect(anybody.status).toBe(401);
  });
});

describe('a provider that does not respond', () => {
  const unreachable = (): Promise<never> =>
    Promise.reject(new AppError('provider_unavailable', { retryAfterSeconds: 2 }));

  it('leaves the order in its last known state, and never causes a 2', async () => {
    const [untried, declined] = [await app.createUser(), await app.createUser()];
    const first = await begin(untried);
    const second = await begin(declined);
    await sandbox.pay(second.secret, 'visa_chargeDeclined');
    expect(await poll(declined, second.id)).toMatchObject({ stripe_status: 2 });
    await sandbox.pay(first.secret, 'visa_chargeDeclined');
    provider.tap({ retrieveIntent: unreachable });
    expect(await poll(untried, first.id)).toEqual({ stripe_status: 0, error: null });
    // The form may have succeeded by now, so the decline is not repeated without a lookup.
    expect(await poll(declined, second.id)).toEqual({ stripe_status: 0, error: null });
    provider.untap();
    expect(await poll(declined, second.id)).toMatchObject({ stripe_status: 2 });
  });

  it('causes 503 provider_unavailable for a new order; the same key succeeds when it is back', async () => {
    const user = await app.createUser();
    const key = crypto.randomUUID();
    provider.tap({ createIntent: unreachable });
    const { status, body, headers } = await postPayment(app, user, purchaseBody(HUNDRED_ATH), key);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'provider_unavailable', '2']);
    provider.untap();
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH), key)).status).toBe(200);
  });

  it('is unavailable if nothing listens at its address', { tags: 'long' }, async () => {
    const own = await createTestApp();
    try {
      await publishTestRate(own, '0.1683');
      const user = await own.createUser();
      const { status, body } = await postPayment(own, user, purchaseBody(HUNDRED_ATH));
      expect([status, body.code]).toEqual([503, 'provider_unavailable']);
    } finally {
      await own.close();
    }
  });

  it('is retried by the SDK after a single 500', async () => {
    const user = await app.createUser();
    await sandbox.control('/faults', { match: 'POST /v1/payment_intents', status: 500 });
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH))).status).toBe(200);
  });

  it(
    "times out after 4 s, and the poll still completes within the client's 10 s",
    { tags: 'long' },
    async () => {
      const user = await app.createUser();
      const { id, secret } = await begin(user);
      await sandbox.pay(secret);
      await sandbox.control('/faults', {
        match: 'GET /v1/payment_intents/*',
        action: 'delay',
        delay_ms: 20_000,
        count: 2,
      });
      const begunAt = performance.now();
      expect(await poll(user, id)).toEqual({ stripe_status: 0, error: null });
      expect(performance.now() - begunAt).toBeLessThan(10_000);
      await sandbox.control('/faults', {}, 'DELETE');
      expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
    },
  );
});

it(
  '20 users who poll 50 times each cause one provider call per user and 1.5 s',
  { tags: 'long' },
  async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => app.createUser()));
    const begun = await Promise.all(users.map((user) => begin(user)));
    const before = provider.counts.retrieveIntent;
    const beganAtMs = app.clock.nowMs();
    for (let round = 0; round < 50; round += 1) {
      const answers = await Promise.all(
        users.map((user, index) => getPayment(app, user, begun[index]?.id ?? '')),
      );
      for (const { status, body } of answers) {
        expect([status, body]).toEqual([200, { stripe_status: 0, error: null }]);
      }
    }
    const turnCount = 1 + Math.floor((app.clock.nowMs() - beganAtMs) / LOOK_INTERVAL_MS);
    expect(provider.counts.retrieveIntent - before).toBeLessThanOrEqual(20 * turnCount);
  },
);

describe('the lookups of all processes together', () => {
  let second: SecondApp;
  beforeAll(async () => {
    second = await openSecondApp(app);
    await sql`delete from card_look_slots where slot > 15`.execute(app.deps.db);
  });
  afterAll(async () => {
    await freeLooks(app);
    await second.close();
  });
  const setSlots = (takenAt: string) =>
    sql`update card_look_slots set taken_at = ${takenAt}`.execute(app.deps.db);

  it('[P-002] are at most 15 a second', { tags: 'long' }, async () => {
    const users = await Promise.all(Array.from({ length: 40 }, () => app.createUser()));
    const begun = await Promise.all(users.map((user) => begin(user)));
    // Earlier tests may have used up the lookups of this second.
    await setSlots('-infinity');
    const before = provider.counts.retrieveIntent;
    const beganAtMs = performance.now();
    const answers = await Promise.all(
      users.map((user, index) =>
        getPayment(index % 2 === 0 ? app : second, user, begun[index]?.id ?? ''),
      ),
    );
    const secondCount = 1 + Math.floor((performance.now() - beganAtMs) / 1000);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, { stripe_status: 0, error: null }]);
    }
    const lookCount = provider.counts.retrieveIntent - before;
    expect(lookCount).toBeGreaterThan(0);
    expect(lookCount).toBeLessThanOrEqual(15 * secondCount);
  });

  it('leave a poll that gets none without news, and the order free for the next one', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret);
    const before = provider.counts.retrieveIntent;
    await setSlots('infinity');
    expect((await getPayment(app, user, id)).body).toEqual({ stripe_status: 0, error: null });
    expect(provider.counts.retrieveIntent).toBe(before);
    await setSlots('-infinity');
    expect((await getPayment(second, user, id)).body).toEqual({ stripe_status: 1, error: null });
  });
});

describe('the books of a credited order', () => {
  it('contain the price and both fees in USD and the tokens in ATH, as one group keyed by the order', async () => {
    const names = ['card_provider', 'token_sales', 'programme_fee', 'processing_fee'] as const;
    const ids = names.map((name) => systemAccountId(name, 'USD'));
    const read = async () => {
      const found = await app.deps.ledger.balances(ids);
      return ids.map((id) => found.get(id) ?? 0n);
    };
    const before = await read();
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret);
    await poll(user, id);
    const after = await read();
    expect(after.map((balance, index) => balance - (before[index] ?? 0n))).toEqual([
      -1_868n,
      1_683n,
      84n,
      101n,
    ]);
    const { history_id: historyId } = await readOrder(app, id);
    expect(await app.deps.ledger.transferById(historyId ?? 0n)).toMatchObject({
      amountUnits: 100_000_000n,
      creditAccountId: userAccountId(user.userId, 'ATH'),
      key: id,
    });
  });

  it(
    "contain the provider's fee from charge.updated, about a second later",
    { tags: 'long' },
    async () => {
      const user = await app.createUser();
      const { id, secret, intentId } = await begin(user);
      await sandbox.pay(secret);
      await poll(user, id);
      await sandbox.delivery('charge.updated', intentId);
      await app.runJobs();
      // The sandbox's fee is 2.9 % + 30 cents of 1868 cents.
      expect(await readOrder(app, id)).toMatchObject({ provider_fee_usd_cents: 84n });
    },
  );

  it('are followed by one receipt by mail, from a job of the same transaction', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret);
    await poll(user, id);
    await app.runJobs();
    const receipts = app.mails.filter(({ to }) => to === user.email);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.subject).toBe('Your receipt: 100.00 ATH');
    expect(receipts[0]?.text).toContain('Price: $16.83\nFees: $1.85\nTotal: $18.68');
    expect(receipts[0]?.text).toContain(id);
  });

  it('are followed by a receipt that tells the newest published head of the books, where there is one', async () => {
    const user = await app.createUser();
    const pay = async (): Promise<string | undefined> => {
      const { id, secret } = await begin(user);
      await sandbox.pay(secret);
      await poll(user, id);
      await app.runJobs();
      return app.mails.findLast(({ text }) => text.includes(id))?.text;
    };
    expect(await pay()).not.toContain('Head of the books');
    await createSealer(app).endDay();
    const [head] = (await app.request({ method: 'GET', url: '/api/ledger/heads' })).body.heads;
    const url = `${app.deps.config.publicUrl}/api/ledger/heads?limit=1&until=${head.day}`;
    expect(await pay()).toContain(
      `Head of the books, ${head.day}: ${head.hash.slice(0, 32)}\nWhere to check it: ${url}`,
    );
  });

  it('change together with a notification to every process', async () => {
    const user = await app.createUser();
    const heard: string[] = [];
    app.deps.notifications.on('payment_changed', (payload) => heard.push(payload));
    const { id, secret } = await begin(user);
    await sandbox.pay(secret);
    await poll(user, id);
    await expect.poll(() => heard).toContain(`${user.userId} ${id}`);
  });
});

describe('pending payments', () => {
  const pending = async (user: TestUser) =>
    (await app.request({ method: 'GET', url: '/api/payment_intent', user })).body.pending;

  it('are the open orders of the caller, with the total in cents and the time of their end', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()];
    const { id, secret } = await begin(user);
    const order = await readOrder(app, id);
    expect(await pending(user)).toEqual([
      {
        id,
        token_amount: '100000000',
        total: 1868,
        exchange_rate: 0.1683,
        created_at: order.created_at.toISOString(),
        expires_at: new Date(order.created_at.getTime() + 15 * 60_000).toISOString(),
        state: 'open',
      },
    ]);
    expect(await pending(other)).toEqual([]);
    await sandbox.pay(secret);
    await poll(user, id);
    expect(await pending(user)).toEqual([]);
  });

  it('are processing while the bank decides', { tags: 'long' }, async () => {
    const user = await app.createUser();
    const { id, intentId } = await begin(user);
    await sandbox.call('POST', `/payment_intents/${intentId}/confirm`, {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4000000000092009',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': '123',
    });
    expect(await poll(user, id)).toEqual({ stripe_status: 0, error: null });
    expect(await pending(user)).toMatchObject([{ id, state: 'processing' }]);
    await sandbox.delivery('payment_intent.succeeded', intentId);
    expect(await poll(user, id)).toEqual({ stripe_status: 1, error: null });
  });
});

describe('history', () => {
  const payments = async (user: TestUser) =>
    (await app.request({ method: 'GET', url: '/api/all_history?type=Payment', user })).body.history;

  it(
    '[D-126] [S3-035] [S3-036] lists credited payments as 1 and canceled ones with an attempt as 2, nothing else',
    { tags: 'long' },
    async () => {
      const user = await app.createUser();
      const credited = await begin(user);
      await sandbox.pay(credited.secret);
      await poll(user, credited.id);
      // Canceled by the next order before any attempt, so it is not listed.
      await begin(user, microAth(110_000_000n));
      const declined = await begin(user, microAth(120_000_000n));
      await sandbox.pay(declined.secret, 'visa_chargeDeclined');
      await poll(user, declined.id);
      expect(await payments(user)).toHaveLength(1);
      app.clock.advance(16 * 60_000);
      await enqueueJob(app.deps.db, 'payment_cancel_expired', {});
      await app.runJobs();
      expect(await poll(user, declined.id)).toEqual({
        stripe_status: 2,
        error: 'This payment was canceled.',
      });
      expect(await payments(user)).toMatchObject([
        { type: 'Payment', data: { token_amount: '120000000', stripe_status: 2 } },
        {
          type: 'Payment',
          data: {
            token_amount: '100000000',
            amount_paid: 1868,
            tx_fee: 101,
            athos_fee: 84,
            stripe_status: 1,
          },
        },
      ]);
    },
  );
});

describe('five declines within an hour', () => {
  const declineFiveTimes = async (user: TestUser) => {
    const begun = await begin(user);
    for (let count = 0; count < 5; count += 1) {
      await sandbox.pay(begun.secret, 'visa_chargeDeclined');
      await poll(user, begun.id);
    }
    return begun;
  };

  it('pause buying for an hour: 429 buying_paused', async () => {
    const user = await app.createUser();
    await declineFiveTimes(user);
    const { status, body, headers } = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    expect([status, body.code]).toEqual([429, 'buying_paused']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
    app.clock.advance(3_600_000);
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH))).status).toBe(200);
  });

  it('also cancel the open order, whose form could try more cards', async () => {
    const user = await app.createUser();
    const { id, secret } = await declineFiveTimes(user);
    await app.runJobs();
    expect(await readOrder(app, id)).toMatchObject({ state: 'canceled' });
    await expect(sandbox.pay(secret)).rejects.toThrow(/canceled/);
  });

  it('are counted from the events if no poll saw them all', async () => {
    const user = await app.createUser();
    const { secret, intentId } = await begin(user);
    for (let count = 0; count < 5; count += 1) await sandbox.pay(secret, 'visa_chargeDeclined');
    await expect
      .poll(
        () =>
          sandbox.deliveries.filter(
            (delivery) =>
              delivery.intentId === intentId && delivery.type === 'payment_intent.payment_failed',
          ).length,
      )
      .toBe(5);
    await app.runJobs();
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH))).body.code).toBe(
      'buying_paused',
    );
  });

  it('are the limit: four do not pause buying', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    for (let count = 0; count < 4; count += 1) {
      await sandbox.pay(secret, 'visa_chargeDeclined');
      await poll(user, id);
    }
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH))).status).toBe(200);
  });
});
