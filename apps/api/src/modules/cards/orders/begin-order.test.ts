/** POST payment_intent through HTTP, against the sandbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
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
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import {
  createTestApp,
  stopClock,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { userAccountId } from '../../../ledger/index.ts';
import { lockOrdersOfUser } from './orders.sql.ts';

const HUNDRED_ATH = microAth(100_000_000n);

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp());
});
afterAll(() => close());
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

async function expectNothingCreated(user: TestUser): Promise<void> {
  expect(await countOrders(app, user)).toBe(0);
  const requests = await app.deps.db
    .selectFrom('card_quotes')
    .select('key')
    .where('user_id', '=', user.userId)
    .execute();
  expect(requests).toEqual([]);
}

describe('a new order', () => {
  it("[S7-026] [D-005] [D-015] takes rate, subtotal, 'athosFee', 'processingFee', total, description and tokenAmount, money as dollars in numbers; returns client_secret and id", async () => {
    const user = await app.createUser();
    const { status, body, headers } = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['client_secret', 'id']);
    expect(body.client_secret).toMatch(/^pi_\w+_secret_\w+$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(await readOrder(app, body.id)).toMatchObject({
      state: 'open',
      amount_micro_ath: 100_000_000n,
      usd_per_ath: '0.16830000',
      price_usd_cents: 1_683n,
      product_fee_usd_cents: 84n,
      processing_fee_usd_cents: 101n,
      total_usd_cents: 1_868n,
      intent_id: intentIdOf(body.client_secret),
    });
  });

  it("[D-165] [S3-023] asks the provider for the total in US cents by card, described as '16.83 USD into $ATH'", async () => {
    const user = await app.createUser();
    const { body } = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    const intent = await sandbox.call('GET', `/payment_intents/${intentIdOf(body.client_secret)}`);
    expect(intent).toMatchObject({
      amount: 1868,
      currency: 'usd',
      payment_method_types: ['card'],
      description: '16.83 USD into $ATH',
      receipt_email: user.email,
      metadata: { order_id: body.id, user_uuid: user.uuid, env: 'development' },
    });
  });

  it('never forwards the description of the request', async () => {
    const user = await app.createUser();
    const description = '<script>alert(1)</script> for a prize';
    const { body } = await postPayment(app, user, { ...purchaseBody(HUNDRED_ATH), description });
    const intent = await sandbox.call('GET', `/payment_intents/${intentIdOf(body.client_secret)}`);
    expect(intent.description).toBe('16.83 USD into $ATH');
  });

  it('needs a session', async () => {
    const { status, body } = await app.request({
      method: 'POST',
      url: '/api/payment_intent',
      payload: purchaseBody(HUNDRED_ATH),
    });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  it('is refused for a restricted account', async () => {
    const user = await app.createUser();
    await app.deps.db
      .transaction()
      .execute((tx) =>
        app.deps.ledger.setAccountState(tx, userAccountId(user.userId, 'ATH'), 'restricted'),
      );
    const { status, body } = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    expect([status, body.code]).toEqual([422, 'account_restricted']);
    await expectNothingCreated(user);
  });
});

describe('the price', () => {
  it.each([
    ['a total that is a cent too low', { total: 18.67 }],
    ['a total in cents instead of dollars', { total: 1868 }],
    ['one fee of 11 percent', { athosFee: 1.85, processingFee: 0 }],
    ['swapped fees', { athosFee: 1.01, processingFee: 0.84 }],
    ['a subtotal that is a cent too low', { subtotal: 16.82 }],
    ['a fraction of a cent', { total: 18.681 }],
    ['one token more', { tokenAmount: '101000000' }],
  ])('[D-094] [D-097] refuses %s with 422 and creates nothing', async (_fault, change) => {
    const user = await app.createUser();
    const { status, body } = await postPayment(app, user, {
      ...purchaseBody(HUNDRED_ATH),
      ...change,
    });
    expect([status, body.code]).toEqual([422, 'price_mismatch']);
    await expectNothingCreated(user);
  });

  it.each([
    ['NaN', '{"exchangeRate":NaN}'],
    ['1e21', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), total: 1e21 })],
    ['1e999', JSON.stringify(purchaseBody(HUNDRED_ATH)).replace('18.68', '1e999')],
    ['text', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), total: '18.68' })],
    ['a negative total', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), total: -18.68 })],
    ['a zero rate', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), exchangeRate: 0 })],
    ['fractional units', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), tokenAmount: '1.5' })],
    ['no subtotal', JSON.stringify({ ...purchaseBody(HUNDRED_ATH), subtotal: undefined })],
  ])('refuses %s with 400 and creates nothing', async (_fault, payload) => {
    const user = await app.createUser();
    const { status } = await app.request({
      method: 'POST',
      url: '/api/payment_intent',
      user,
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
    await expectNothingCreated(user);
  });

  it('[D-096] takes 1010 cents with fees of 51 and 61 and a total of 1122, and refuses 1121', async () => {
    const user = await app.createUser();
    await publishTestRate(app, '0.1');
    const body = purchaseBody(microAth(101_000_000n), '0.1');
    expect(body).toMatchObject({
      subtotal: 10.1,
      athosFee: 0.51,
      processingFee: 0.61,
      total: 11.22,
    });
    const refused = await postPayment(app, user, { ...body, athosFee: 0.5, total: 11.21 });
    expect(refused.status).toBe(422);
    expect((await postPayment(app, user, body)).status).toBe(200);
  });

  it('[D-114] is limited to 10 to 95000 USD without the fees', async () => {
    await publishTestRate(app, '0.1');
    const statusOf = async (units: bigint): Promise<(number | string)[]> => {
      const user = await app.createUser();
      const { status, body } = await postPayment(app, user, purchaseBody(microAth(units), '0.1'));
      if (status !== 200) await expectNothingCreated(user);
      return [status, body.code];
    };
    expect(await statusOf(99_900_000n)).toEqual([422, 'amount_below_minimum']);
    expect(await statusOf(100_000_000n)).toEqual([200, undefined]);
    expect(await statusOf(950_000_000_000n)).toEqual([200, undefined]);
    expect(await statusOf(950_000_100_000n)).toEqual([422, 'amount_above_maximum']);
  });

  it('[D-112] computes in integers: 450 ATH at 0.1683 cost 7574 cents, where floats yield 7573', async () => {
    const user = await app.createUser();
    await publishTestRate(app, '0.1683');
    const { body } = await postPayment(app, user, purchaseBody(microAth(450_000_000n)));
    expect(await readOrder(app, body.id)).toMatchObject({ price_usd_cents: 7_574n });
  });

  it('[D-098] [D-166] credits tokenAmount, and subtotal / rate to the nearest 0.01 ATH without it', async () => {
    const user = await app.createUser();
    const { tokenAmount: _without, ...body } = purchaseBody(HUNDRED_ATH);
    const { body: without } = await postPayment(app, user, body);
    await sandbox.pay(without.client_secret);
    await getPayment(app, user, without.id);
    expect(await balanceOf(app, user)).toBe('100000000');
    // 0.01 ATH more has the same price to the cent: the amount in the request is credited.
    const carried = { ...body, tokenAmount: '100010000' };
    const { body: begun } = await postPayment(app, user, carried);
    await sandbox.pay(begun.client_secret);
    await getPayment(app, user, begun.id);
    expect(await balanceOf(app, user)).toBe('200010000');
  });

  it('[D-168] refuses a tokenAmount that does not agree with subtotal and rate to the cent with 422', async () => {
    const user = await app.createUser();
    const ask = (tokenAmount: string) =>
      postPayment(app, user, { ...purchaseBody(HUNDRED_ATH), tokenAmount });
    expect((await ask('100040000')).body.code).toBe('price_mismatch');
    await expectNothingCreated(user);
    expect((await ask('100010000')).status).toBe(200);
  });

  it('refuses more tokens than one transfer can move, even if they are cheap', async () => {
    const user = await app.createUser();
    await publishTestRate(app, '0.00000001');
    const body = purchaseBody(microAth(1_000_000_100_000_000n), '0.00000001');
    const { status, body: problem } = await postPayment(app, user, body);
    expect([status, problem.code]).toEqual([422, 'amount_above_maximum']);
    await expectNothingCreated(user);
    await publishTestRate(app, '0.1683');
  });
});

describe('the rate', () => {
  it('[D-095] is accepted if it was in force within 300 s; otherwise 409 rate_expired names the current one', async () => {
    const own = await createTestApp({ env: { ...sandbox.env, RATE_MAX_AGE_SECONDS: '1000' } });
    try {
      await publishTestRate(own, '0.17', 900_000);
      await publishTestRate(own, '0.18', 301_000);
      await publishTestRate(own, '0.19', 100_000);
      const statusAt = async (rate: string) =>
        postPayment(own, await own.createUser(), purchaseBody(HUNDRED_ATH, rate));
      // These rates were in force until 301 s ago, until 100 s ago, now and never.
      expect(await statusAt('0.17')).toMatchObject({
        status: 409,
        body: { code: 'rate_expired', exchange_rate: 0.19 },
      });
      expect((await statusAt('0.18')).status).toBe(200);
      expect((await statusAt('0.19')).status).toBe(200);
      expect((await statusAt('0.2')).body.code).toBe('rate_expired');
      own.clock.advance(201_000);
      expect((await statusAt('0.18')).body.code).toBe('rate_expired');
    } finally {
      await own.close();
    }
  });

  it('is held by an open order, for the same user and amount, as long as the order can be paid', async () => {
    const own = await createTestApp({ env: { ...sandbox.env, RATE_MAX_AGE_SECONDS: '10000' } });
    try {
      await publishTestRate(own, '0.18');
      const [user, other] = [await own.createUser(), await own.createUser()];
      const at = (who: TestUser, amount = HUNDRED_ATH) =>
        postPayment(own, who, purchaseBody(amount, '0.18'));
      const begun = await at(user);
      own.clock.advance(1_000);
      await publishTestRate(own, '0.19');
      own.clock.advance(898_000);
      expect((await at(other)).body.code).toBe('rate_expired');
      expect((await at(user, microAth(100_010_000n))).body.code).toBe('rate_expired');
      expect(await at(user)).toMatchObject({ status: 200, body: begun.body });
      own.clock.advance(1_000);
      expect((await at(user)).body.code).toBe('rate_expired');
    } finally {
      await own.close();
    }
  });

  it('held by an order expires if the order ends while another device requests it', async () => {
    const own = await createTestApp({ env: { ...sandbox.env, RATE_MAX_AGE_SECONDS: '10000' } });
    try {
      await publishTestRate(own, '0.18');
      const user = await own.createUser();
      const ask = () => postPayment(own, user, purchaseBody(HUNDRED_ATH, '0.18'));
      const { body: first } = await ask();
      own.clock.advance(301_000);
      await publishTestRate(own, '0.19', 300_500);
      const { db } = own.deps;
      const locked = await db.startTransaction().execute();
      await lockOrdersOfUser(locked, user.userId);
      const asked = ask();
      await waitForLock(own);
      await locked
        .updateTable('card_orders')
        .set({ state: 'canceled', closed_at: new Date(own.clock.nowMs()) })
        .where('id', '=', first.id)
        .execute();
      await locked.commit().execute();
      expect(await asked).toMatchObject({
        status: 409,
        body: { code: 'rate_expired', exchange_rate: 0.19 },
      });
      expect(await countOrders(own, user)).toBe(1);
    } finally {
      await own.close();
    }
  });

  it('[D-149] is refused with 409 if the server never published it', async () => {
    const user = await app.createUser();
    await publishTestRate(app, '0.1683');
    const answer = await postPayment(app, user, purchaseBody(HUNDRED_ATH, '0.1684'));
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'rate_expired', title: 'The exchange rate is no longer in force.' },
    });
    await expectNothingCreated(user);
  });

  it('causes 503 rate_unavailable if its source has been silent for too long', async () => {
    const own = await createTestApp({ env: { ...sandbox.env, RATE_MAX_AGE_SECONDS: '60' } });
    try {
      const user = await own.createUser();
      const ask = () => postPayment(own, user, purchaseBody(HUNDRED_ATH));
      expect(await ask()).toMatchObject({ status: 503, body: { code: 'rate_unavailable' } });
      await publishTestRate(own, '0.1683', 59_000);
      expect((await ask()).status).toBe(200);
      own.clock.advance(2_000);
      expect(await ask()).toMatchObject({ status: 503, body: { code: 'rate_unavailable' } });
    } finally {
      await own.close();
    }
  });
});

describe('idempotency', () => {
  it('returns the same order for the same key and body, even after it was paid', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    const first = await postPayment(app, user, purchaseBody(HUNDRED_ATH), key);
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH), key)).body).toEqual(first.body);
    await sandbox.pay(first.body.client_secret);
    expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH), key)).body).toEqual(first.body);
    expect(await countOrders(app, user)).toBe(1);
    expect(await balanceOf(app, user)).toBe('100000000');
  });

  it('refuses the same key with another body with 409 idempotency_key_reused', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    await postPayment(app, user, purchaseBody(HUNDRED_ATH), key);
    const other = await postPayment(app, user, purchaseBody(microAth(200_000_000n)), key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await countOrders(app, user)).toBe(1);
  });

  it('[D-170] does not use up the key of a refused request', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    const body = purchaseBody(HUNDRED_ATH);
    expect((await postPayment(app, user, { ...body, total: 1 }, key)).status).toBe(422);
    expect((await postPayment(app, user, body, key)).status).toBe(200);
  });

  it('[D-171] refuses a key that is not a UUID with 400, and separates the keys of two callers', async () => {
    const [one, two] = [await app.createUser(), await app.createUser()];
    const key = randomUUID();
    expect((await postPayment(app, one, purchaseBody(HUNDRED_ATH), 'order-1')).status).toBe(400);
    const first = await postPayment(app, one, purchaseBody(HUNDRED_ATH), key);
    const second = await postPayment(app, two, purchaseBody(HUNDRED_ATH), key);
    expect(second.status).toBe(200);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('creates one order and one intent from ten identical concurrent requests', async () => {
    const user = await app.createUser();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postPayment(app, user, purchaseBody(HUNDRED_ATH), key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.client_secret)).size).toBe(1);
    expect(await countOrders(app, user)).toBe(1);
  });
});

describe('a second order of the same user', () => {
  it('requested ten times at once under ten keys is one order', async () => {
    const user = await app.createUser();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        postPayment(app, user, purchaseBody(HUNDRED_ATH), randomUUID()),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.client_secret)).size).toBe(1);
    expect(await countOrders(app, user)).toBe(1);
  });

  it('for the same tokens at the same rate is the open one, with the same client secret', async () => {
    const user = await app.createUser();
    const first = await postPayment(app, user, purchaseBody(HUNDRED_ATH), randomUUID());
    const second = await postPayment(app, user, purchaseBody(HUNDRED_ATH), randomUUID());
    expect(second.body).toEqual(first.body);
  });

  it('for another amount cancels the open one if nobody has tried to pay it', async () => {
    const user = await app.createUser();
    const first = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    const second = await postPayment(app, user, purchaseBody(microAth(200_000_000n)));
    expect(second.status).toBe(200);
    const intentId = intentIdOf(first.body.client_secret);
    expect((await sandbox.call('GET', `/payment_intents/${intentId}`)).status).toBe('canceled');
    expect(await readOrder(app, first.body.id)).toMatchObject({
      state: 'canceled',
      was_attempted: false,
      history_id: null,
    });
    expect((await getPayment(app, user, first.body.id)).body).toEqual({
      stripe_status: 2,
      error: 'This payment was canceled.',
    });
  });

  it('does not cancel one with a running attempt', async () => {
    const user = await app.createUser();
    const first = await postPayment(app, user, purchaseBody(HUNDRED_ATH));
    await sandbox.pay(first.body.client_secret, 'threeDSecure2Required', 'leave');
    const second = await postPayment(app, user, purchaseBody(microAth(200_000_000n)));
    expect(second.status).toBe(200);
    expect(await readOrder(app, first.body.id)).toMatchObject({
      state: 'open',
      provider_status: 'requires_action',
    });
  });
});

describe('limits', () => {
  it('accept 20 calls in a minute and refuse the next one with 429 and the time to wait', async () => {
    stopClock(app);
    const user = await app.createUser();
    const ask = () => postPayment(app, user, { ...purchaseBody(HUNDRED_ATH), total: 1 });
    for (let count = 1; count <= 20; count += 1) expect((await ask()).status).toBe(422);
    const { status, body, headers } = await ask();
    expect([status, body.code]).toEqual([429, 'too_many_requests']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    await expectNothingCreated(user);
  });

  it(
    'keep no finished call from its answer, which may be asked for 20 times in a minute itself',
    { tags: 'long' },
    async () => {
      stopClock(app);
      const user = await app.createUser();
      const key = randomUUID();
      const first = await postPayment(app, user, purchaseBody(HUNDRED_ATH), key);
      expect(first.status).toBe(200);
      const ask = () => postPayment(app, user, { ...purchaseBody(HUNDRED_ATH), total: 1 });
      for (let count = 1; count <= 20; count += 1) await ask();
      expect((await ask()).status).toBe(429);
      for (let count = 1; count <= 20; count += 1) {
        const { status, body } = await postPayment(app, user, purchaseBody(HUNDRED_ATH), key);
        expect([status, body]).toEqual([200, first.body]);
      }
      expect((await postPayment(app, user, purchaseBody(HUNDRED_ATH), key)).status).toBe(429);
    },
  );

  it('accept 100 calls in an hour, whatever the limit per minute', { tags: 'long' }, async () => {
    const own = await createTestApp({ env: { ...sandbox.env, PAYMENTS_PER_MINUTE: '1000' } });
    try {
      const user = await own.createUser();
      const ask = () => postPayment(own, user, { ...purchaseBody(HUNDRED_ATH), total: 1 });
      for (let count = 1; count <= 100; count += 1) expect((await ask()).status).toBe(503);
      own.clock.advance(61_000);
      expect((await ask()).body.code).toBe('too_many_requests');
      own.clock.advance(3_600_000);
      expect((await ask()).status).toBe(503);
    } finally {
      await own.close();
    }
  });

  it('[D-174] do not affect a new user who buys for 10 and for 500 USD and sends at once', async () => {
    const [user, friend] = [await app.createUser(), await app.createUser()];
    for (const units of [60_000_000n, 2_970_000_000n]) {
      const { body } = await postPayment(app, user, purchaseBody(microAth(units)));
      await sandbox.pay(body.client_secret);
      expect((await getPayment(app, user, body.id)).body.stripe_status).toBe(1);
    }
    const sent = await app.request({
      method: 'POST',
      url: '/api/account/transfer',
      user,
      payload: { amount: '3030000000', to_uuid: friend.uuid },
    });
    expect(sent.status).toBe(200);
  });
});
