/** The three outcomes of a review, as the functions that the console calls under four-eyes. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { balanceOf, beginOrder, getPayment, readOrder } from '../../../../test/card-purchase.ts';
import { type PaidOrder, watchCardBooks } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { twenty } from '../../../../test/shop.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { requireNoOpenMoney } from '../erase.sql.ts';
import { closeReviewed, creditReviewed, refundReviewed } from './review.ts';

const LATE_MS = 40 * 60_000;
const FEE = 84n;

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
let gained: () => Promise<Record<string, bigint>>;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    startsAtOne: true,
  }));
});
afterAll(() => close());
beforeEach(async () => {
  gained = await watchCardBooks(app);
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

/** Creates an order that was paid so late that its rate had expired. */
async function inReview(card = 'visa'): Promise<PaidOrder> {
  const user = await app.createUser();
  const order = await beginOrder(app, user, microAth(100_000_000n));
  await sandbox.control('/clock', { advance_ms: LATE_MS });
  app.clock.advance(LATE_MS);
  await sandbox.pay(order.secret, card);
  await sandbox.control('/clock', { advance_ms: 2_000 });
  await enqueueJob(app.deps.db, 'payment_look', { orderId: order.id });
  await app.runJobs();
  // Books the provider's fee, which arrives a moment after the payment.
  await enqueueJob(app.deps.db, 'card_transactions_list', {});
  await app.runJobs();
  expect((await readOrder(app, order.id)).state).toBe('review');
  return { id: order.id, intentId: order.intentId, user };
}

const inTx = (work: (tx: Tx) => Promise<void>): Promise<string> =>
  app.deps.db
    .transaction()
    .execute(work)
    .then(
      () => 'done',
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );

it('a payment in review lies in suspense', async () => {
  await inReview();
  expect(await gained()).toEqual({
    card_provider: -1_868n + FEE,
    suspense: 1_868n,
    provider_fees: -FEE,
  });
});

describe('a payment in review', () => {
  it('is credited as ordered, once', async () => {
    const order = await inReview();
    const outcomes = await twenty(() => inTx((tx) => creditReviewed(app.deps, tx, order.id)));
    expect(outcomes.toSorted()).toEqual(['done', ...Array(19).fill('state_changed')]);
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual({
      card_provider: -1_868n + FEE,
      token_sales: 1_683n,
      programme_fee: 84n,
      processing_fee: 101n,
      provider_fees: -FEE,
    });
    expect((await getPayment(app, order.user, order.id)).body.stripe_status).toBe(1);
    expect(await readOrder(app, order.id)).toMatchObject({ resolution: 'credited' });
  });

  it('is refunded in full, and ends when the provider has accepted that', async () => {
    const order = await inReview();
    const request = {
      orderId: order.id,
      refundId: randomUUID(),
      reason: 'Paid too late',
      requestedBy: null,
    };
    expect(await inTx((tx) => refundReviewed(app.deps, tx, request))).toBe('done');
    expect(await inTx((tx) => creditReviewed(app.deps, tx, order.id))).toBe('state_changed');
    await app.runJobs();
    expect(await readOrder(app, order.id)).toMatchObject({
      state: 'canceled',
      resolution: 'refunded',
    });
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
    expect((await getPayment(app, order.user, order.id)).body.stripe_status).toBe(2);
  });

  it('stays in review after a part was refunded in the dashboard, and the rest can be refunded', async () => {
    const order = await inReview();
    const part = await sandbox.call('POST', '/refunds', {
      payment_intent: order.intentId,
      amount: '500',
    });
    await sandbox.delivery('refund.created', part.id);
    await app.runJobs();
    expect(await readOrder(app, order.id)).toMatchObject({ state: 'review', resolution: null });
    expect(await inTx((tx) => creditReviewed(app.deps, tx, order.id))).toBe('state_changed');
    const request = { orderId: order.id, refundId: randomUUID(), reason: 'x', requestedBy: null };
    expect(await inTx((tx) => refundReviewed(app.deps, tx, request))).toBe('done');
    await app.runJobs();
    expect(await readOrder(app, order.id)).toMatchObject({ resolution: 'refunded' });
    expect(await gained()).toEqual({ card_provider: FEE, provider_fees: -FEE });
  });

  it('counts as settled elsewhere when its refund comes back, and its money lies in suspense', async () => {
    const order = await inReview('refundFail');
    const request = { orderId: order.id, refundId: randomUUID(), reason: 'x', requestedBy: null };
    expect(await inTx((tx) => refundReviewed(app.deps, tx, request))).toBe('done');
    await app.runJobs();
    await sandbox.control('/clock', { advance_ms: 60_000 });
    await sandbox.delivery('refund.failed', order.intentId);
    await app.runJobs();
    expect(await readOrder(app, order.id)).toMatchObject({
      state: 'canceled',
      resolution: 'settled_elsewhere',
    });
    expect(await gained()).toMatchObject({ suspense: 1_868n });
  });

  it('is closed as settled elsewhere, and its money stays in suspense', async () => {
    const order = await inReview();
    expect(await inTx((tx) => closeReviewed(app.deps, tx, order.id))).toBe('done');
    expect(await inTx((tx) => closeReviewed(app.deps, tx, order.id))).toBe('state_changed');
    expect(await readOrder(app, order.id)).toMatchObject({ resolution: 'settled_elsewhere' });
    expect(await gained()).toMatchObject({ suspense: 1_868n });
  });

  it('is not credited while it is disputed; a lost dispute takes what lies in suspense', async () => {
    const order = await inReview();
    const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
    const look = async () => {
      await enqueueJob(app.deps.db, 'dispute_look', { disputeId: id });
      await app.runJobs();
    };
    await look();
    expect(await inTx((tx) => creditReviewed(app.deps, tx, order.id))).toBe('state_changed');
    await sandbox.control('/disputes/decide', { dispute: id, outcome: 'lost' });
    await look();
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await gained()).toEqual({
      card_provider: FEE + 1_500n,
      provider_fees: -FEE,
      dispute_fees: -1_500n,
    });
    // Nothing is left to credit or to refund, but the review can end.
    expect(await inTx((tx) => creditReviewed(app.deps, tx, order.id))).toBe('state_changed');
    expect(await inTx((tx) => closeReviewed(app.deps, tx, order.id))).toBe('done');
    expect(await inTx((tx) => requireNoOpenMoney(tx, order.user.userId))).toBe('done');
  });
});
