/** Refunds to the card, from the request to the books, against the provider's protocol. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import { microAth } from '@athos/domain/money';
import { createOffer } from '../../../../test/build-catalog.ts';
import { balanceOf, getPayment, readOrder, sendTokens } from '../../../../test/card-purchase.ts';
import {
  buyTokens,
  readRefund,
  refund,
  type PaidOrder,
  FEE,
  PAID,
  readMovements,
  watchCardBooks,
} from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { consoleAs } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { ath, buy as buyOffers, twenty } from '../../../../test/shop.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { issueTo, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { userAccountId } from '../../../ledger/index.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { AppError } from '../../../platform/errors.ts';
import { requireNoOpenMoney } from '../erase.sql.ts';
import { giveUpRefund } from './request-refund.ts';

const MINUTE_MS = 60_000;

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;
let gained: () => Promise<Record<string, bigint>>;
const { log, lines } = recordLog();

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    log,
    startsAtOne: true,
  }));
});
afterAll(() => close());
beforeEach(async () => {
  gained = await watchCardBooks(app);
});
afterEach(async () => {
  provider.untap();
  await sandbox.control('/webhooks', { lose: 0, copies: 1, order: 'as_made' });
  await sandbox.control('/faults', {}, 'DELETE');
  await expectBooksBalance(app.deps.config.databaseUrl);
});

const buy = (options: Parameters<typeof buyTokens>[2] = {}) => buyTokens(app, sandbox, options);

const send = (from: TestUser, to: TestUser, amount: bigint) =>
  sendTokens(app, { from, to, amount });

/** The provider's refunds of an order. */
async function madeRefunds({ intentId }: PaidOrder) {
  const { data } = await sandbox.call('GET', `/refunds?payment_intent=${intentId}`);
  return data as { id: string; amount: number; status: string }[];
}

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

/** Waits until the app has received this event of the order. */
async function delivered({ intentId }: PaidOrder, type: string): Promise<void> {
  await sandbox.delivery(type, intentId);
  await app.runJobs();
}

const history = (user: TestUser) => readMovements(app, user);

it('a payment books the fee of its transaction, once', async () => {
  const order = await buy();
  expect(await gained()).toEqual(PAID);
  await run('payment_reconcile');
  await enqueueJob(app.deps.db, 'payment_look', { orderId: order.id });
  await app.runJobs();
  expect(await gained()).toEqual(PAID);
});

describe('a refund of all that was bought', () => {
  it('[O-115] takes the tokens before the provider is asked', async () => {
    const order = await buy();
    const refundId = await refund(app, order.id, { isApproved: false });
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await madeRefunds(order)).toEqual([]);
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'requested' });
  });

  it('[O-123] reverses the payment, and the payment keeps its status 1', async () => {
    const order = await buy();
    const refundId = await refund(app, order.id);
    await app.runJobs();
    expect(await madeRefunds(order)).toMatchObject([{ amount: 1_868, status: 'succeeded' }]);
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
    // The provider keeps its fee.
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
    expect((await getPayment(app, order.user, order.id)).body.stripe_status).toBe(1);
  });

  it('[O-124] stands in the history with its reason', async () => {
    const order = await buy();
    await refund(app, order.id, { isApproved: false });
    expect(await history(order.user)).toEqual([
      ['Send', 'held', '100000000'],
      ['Payment', undefined, '100000000'],
    ]);
    const other = await buy({ user: order.user });
    await refund(app, other.id);
    await app.runJobs();
    expect((await history(order.user))[0]).toEqual(['Send', 'refund_to_card', '100000000']);
  });

  it('[O-103] stands behind its transfers in the journal, and its order behind the fee', async () => {
    const order = await buy();
    const refundId = await refund(app, order.id);
    await app.runJobs();
    const finance = await consoleAs(app, ['finance']);
    const objectsOf = async (query: ConsoleQueryOf<'ledgerTransfers'>) => {
      app.clock.advance(1_000);
      const { body } = await finance.call('ledgerTransfers', { query });
      return (body.items as { object: unknown }[]).map(({ object }) => object);
    };
    const ofRefund = await objectsOf({ key: refundId });
    expect(ofRefund.length).toBeGreaterThan(2);
    expect(new Set(ofRefund.map((object) => JSON.stringify(object)))).toEqual(
      new Set([JSON.stringify({ type: 'card_refund', id: refundId })]),
    );
    expect((await objectsOf({ kind: 'provider_fee' }))[0]).toEqual({
      type: 'card_order',
      id: order.id,
    });
  });

  it('is booked once, however often and in whatever order its events come', async () => {
    const order = await buy();
    await sandbox.control('/webhooks', { copies: 3, order: 'random' });
    await refund(app, order.id);
    await app.runJobs();
    await delivered(order, 'refund.created');
    await delivered(order, 'charge.refunded');
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
    const bookings = await app.deps.db
      .selectFrom('card_bookings')
      .select(['what', 'amount_usd_cents'])
      .where('order_id', '=', order.id)
      .orderBy('booked_at')
      .execute();
    expect(bookings).toEqual([
      { what: 'payment', amount_usd_cents: 1_868n },
      { what: 'refund', amount_usd_cents: -1_868n },
    ]);
  });
});

describe('what is refundable', () => {
  it('[O-112] is what is left of the order', async () => {
    const order = await buy();
    const friend = await app.createUser();
    expect((await send(order.user, friend, 60_000_000n)).status).toBe(200);
    const tooMuch = refund(app, order.id, { amount: microAth(40_000_001n) });
    expect(await refusalOf(tooMuch)).toBe('not_refundable');
    const refundId = await refund(app, order.id);
    expect(await readRefund(app, refundId)).toMatchObject({
      taken_micro_ath: 40_000_000n,
      total_usd_cents: 747n,
    });
    expect(await refusalOf(refund(app, order.id))).toBe('not_refundable');
  });

  it('[O-113] does not grow by rewards and gifts that came after the order', async () => {
    const order = await buy();
    const friend = await app.createUser({ balance: ath(500) });
    await send(order.user, friend, 100_000_000n);
    await issueTo(app.deps, order.user.userId, ath(1_000));
    await send(friend, order.user, 500_000_000n);
    expect(await refusalOf(refund(app, order.id))).toBe('not_refundable');
  });

  it('counts what was held and given back as never gone', async () => {
    const order = await buy();
    const refundId = await refund(app, order.id, { isApproved: false });
    await app.deps.db
      .transaction()
      .execute((tx) => giveUpRefund(app.deps, tx, refundId, 'rejected'));
    expect(await balanceOf(app, order.user)).toBe('100000000');
    await refund(app, order.id);
    await app.runJobs();
    expect(await madeRefunds(order)).toMatchObject([{ amount: 1_868 }]);
    expect(await history(order.user)).toEqual([
      ['Send', 'refund_to_card', '100000000'],
      ['Receive', 'released', '100000000'],
      ['Send', 'held', '100000000'],
      ['Payment', undefined, '100000000'],
    ]);
  });

  it('is nothing of what was spent in the shop', async () => {
    const order = await buy();
    const offer = await createOffer(app);
    expect((await buyOffers(app, order.user, [[offer.id, 10]])).status).toBe(200);
    expect(await refusalOf(refund(app, order.id))).toBe('not_refundable');
  });

  it('covers the part that the programme bears, without tokens', async () => {
    const order = await buy();
    await send(order.user, await app.createUser(), 100_000_000n);
    await refund(app, order.id, { isAtCost: true });
    await app.runJobs();
    expect(await madeRefunds(order)).toMatchObject([{ amount: 1_868 }]);
    expect(await gained()).toEqual({ ...PAID, card_provider: FEE, refund_cost: -1_868n });
  });
});

it('[O-119] parts of a refund add up to the total of the order to the cent', async () => {
  const order = await buy();
  for (const amount of [33_333_333n, 11_111_111n, 7_777_777n]) {
    await refund(app, order.id, { amount: microAth(amount) });
  }
  await refund(app, order.id);
  await app.runJobs();
  const made = await madeRefunds(order);
  expect(made.map(({ amount }) => amount).toReversed()).toEqual([622, 208, 145, 893]);
  expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
});

it('twenty refunds at once refund what is there, once', async () => {
  const order = await buy();
  const outcomes = await twenty(() => refusalOf(refund(app, order.id)));
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'not_refundable')).toHaveLength(19);
  await app.runJobs();
  expect(await madeRefunds(order)).toMatchObject([{ amount: 1_868 }]);
});

describe('a refund that does not work out', () => {
  it('[O-116] gives the tokens back when the provider refuses', async () => {
    const order = await buy();
    // The event of this refund never arrives, so ours requests more than the provider has left.
    await sandbox.control('/webhooks', { lose: 2 });
    await sandbox.call('POST', '/refunds', { payment_intent: order.intentId, amount: '1000' });
    const refundId = await refund(app, order.id);
    expect(await balanceOf(app, order.user)).toBe('0');
    await app.runJobs();
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'refused' });
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual(PAID);
    expect(lines.some((line) => line.includes('refund_refused') && line.includes(refundId))).toBe(
      true,
    );
  });

  it('[O-117] [O-118] gives tokens and money back when it fails after success', async () => {
    const order = await buy({ card: 'refundFail' });
    const refundId = await refund(app, order.id);
    await app.runJobs();
    expect(await balanceOf(app, order.user)).toBe('0');
    await sandbox.control('/clock', { advance_ms: MINUTE_MS });
    await delivered(order, 'refund.failed');
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'failed' });
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual(PAID);
    expect((await history(order.user))[0]).toEqual(['Receive', 'refund_returned', '100000000']);
    // The returned part can be refunded again.
    await refund(app, order.id);
    await app.runJobs();
    expect(await madeRefunds(order)).toHaveLength(2);
  });

  it('stays pending until the provider says more, and is asked for if no event ever comes', async () => {
    const order = await buy({ card: 'pendingRefund' });
    const refundId = await refund(app, order.id);
    await app.runJobs();
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'pending' });
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
    await sandbox.control('/webhooks', { lose: 10 });
    await sandbox.control('/clock', { advance_ms: MINUTE_MS });
    app.clock.advance(6 * MINUTE_MS);
    await run('refund_resume');
    await app.runJobs();
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
  });
});

describe('one refund is made', () => {
  it.each(['before', 'after'])(
    '[O-120] if the connection breaks %s the provider made it',
    async (phase) => {
      const order = await buy();
      const refundId = await refund(app, order.id);
      // The SDK repeats a call once by itself; all answers are lost, and so are the events.
      await sandbox.control('/webhooks', { lose: 10 });
      await sandbox.control('/faults', {
        match: 'POST /v1/refunds',
        action: 'drop',
        phase,
        count: 5,
      });
      await app.runJobs();
      expect(await readRefund(app, refundId)).toMatchObject({ state: 'sending' });
      expect(await balanceOf(app, order.user)).toBe('0');
      await sandbox.control('/faults', {}, 'DELETE');
      app.clock.advance(6 * MINUTE_MS);
      await run('refund_resume');
      await app.runJobs();
      expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
      expect(await madeRefunds(order)).toHaveLength(1);
      expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
    },
  );

  it('[O-120] if the process ends between the answer and its booking', async () => {
    const order = await buy();
    const refundId = await refund(app, order.id);
    provider.tap({
      async createRefund(request) {
        await provider.real.createRefund(request);
        throw new Error('the process ended here');
      },
    });
    await app.runJobs();
    provider.untap();
    // The event finds the refund only by our id in its metadata.
    await delivered(order, 'refund.created');
    expect(await readRefund(app, refundId)).toMatchObject({ state: 'succeeded' });
    await run('refund_resume');
    await app.runJobs();
    expect(await madeRefunds(order)).toHaveLength(1);
  });
});

describe('a refund made in the dashboard of the provider is adopted once', () => {
  const madeThere = (order: PaidOrder, cents: number) =>
    sandbox.call('POST', '/refunds', {
      payment_intent: order.intentId,
      amount: cents.toString(),
    });

  it('[O-122] with the tokens that it stands for', async () => {
    const order = await buy();
    await madeThere(order, 934);
    await delivered(order, 'refund.created');
    await delivered(order, 'charge.refunded');
    expect(await balanceOf(app, order.user)).toBe('50000000');
    expect(await gained()).toEqual({
      card_provider: -1_868n + 934n + FEE,
      token_sales: 1_683n - 842n,
      programme_fee: 42n,
      processing_fee: 101n - 50n,
      provider_fees: -FEE,
    });
    expect((await history(order.user))[0]).toEqual(['Send', 'refund_to_card', '50000000']);
    expect(await readOrder(app, order.id)).toMatchObject({ returned_micro_ath: 50_000_000n });
  });

  it('from an account that pays nothing else', async () => {
    const { ledger, db } = app.deps;
    const order = await buy();
    const accountId = userAccountId(order.user.userId, 'ATH');
    await db.transaction().execute((tx) => ledger.setAccountState(tx, accountId, 'frozen'));
    await madeThere(order, 1_868);
    await delivered(order, 'refund.created');
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
  });

  it('[O-122] at the cost of the programme as far as the tokens are gone, with an alarm', async () => {
    const order = await buy();
    await send(order.user, await app.createUser(), 75_000_000n);
    await madeThere(order, 1_868);
    await delivered(order, 'refund.created');
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await gained()).toMatchObject({ card_provider: FEE, refund_cost: -1_402n });
    expect(lines.some((line) => line.includes('refund_uncovered') && line.includes(order.id))).toBe(
      true,
    );
  });
});

describe('a refund made in the dashboard while ours waits', () => {
  it.each([{ isApproved: false }, { isApproved: true }])(
    'is paid by the tokens that ours held, and ours ends: %j',
    async (options) => {
      const order = await buy();
      const refundId = await refund(app, order.id, options);
      await sandbox.call('POST', '/refunds', { payment_intent: order.intentId, amount: '1868' });
      await sandbox.delivery('refund.created', order.intentId);
      await app.runJobs();
      await app.runJobs();
      expect(await readRefund(app, refundId)).toMatchObject({ state: 'refused' });
      expect(await madeRefunds(order)).toHaveLength(1);
      expect(await balanceOf(app, order.user)).toBe('0');
      expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
      // The refund's request may still be decided, and then ends like any other.
      await app.deps.db
        .transaction()
        .execute((tx) => giveUpRefund(app.deps, tx, refundId, 'rejected'));
      expect(await balanceOf(app, order.user)).toBe('0');
    },
  );

  it('costs the programme what is more than what was left of the order', async () => {
    const order = await buy();
    await app.deps.db
      .updateTable('card_orders')
      .set({
        returned_micro_ath: 100_000_000n,
        returned_price_usd_cents: 1_683n,
        returned_product_fee_usd_cents: 84n,
        returned_processing_fee_usd_cents: 101n,
      })
      .where('id', '=', order.id)
      .execute();
    await sandbox.call('POST', '/refunds', { payment_intent: order.intentId, amount: '1868' });
    await delivered(order, 'refund.created');
    expect(await gained()).toMatchObject({ card_provider: FEE, refund_cost: -1_868n });
    expect(lines.some((line) => line.includes('refund_uncovered') && line.includes(order.id))).toBe(
      true,
    );
  });
});

it('an account with tokens held for a refund is not deleted', async () => {
  const order = await buy();
  await refund(app, order.id, { isApproved: false });
  const guard = app.deps.db
    .transaction()
    .execute((tx) => requireNoOpenMoney(tx, order.user.userId));
  expect(await refusalOf(guard)).toBe('value_held');
});
