/** Card money under four-eyes: refunds, reviews, debts and bookings by hand. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, beginOrder, readOrder } from '../../../../test/card-purchase.ts';
import { buyTokens, readCardBooks, readRefund } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { createStaffMember, signInStaff, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, refusalOf, twenty } from '../../../../test/shop.ts';
import type { TestApp, TestUser } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const LATE_MS = 40 * 60_000;
const REASON = 'The customer asked for it by mail.';

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
let finance: ConsoleCaller;
let owner: ConsoleCaller;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
  finance = await signInStaff(app, await createStaffMember(app, ['finance']));
  owner = await signInStaff(app, await createStaffMember(app, ['provider_owner']));
});
afterAll(() => close());
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

/** Both have just proved that they are there. */
async function prove(): Promise<void> {
  await finance.prove();
  await owner.prove();
}

const approve = (id: string) => owner.call('approveRequest', { params: { id } });

async function look(disputeId: string): Promise<void> {
  await enqueueJob(app.deps.db, 'dispute_look', { disputeId });
  await app.runJobs();
}

const send = (from: TestUser, to: TestUser, amount: string) =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount, to_uuid: to.uuid },
    user: from,
    key: randomUUID(),
  });

describe('a refund', () => {
  it('within the limit is sent at once, under the key of the request', async () => {
    const order = await buyTokens(app, sandbox);
    await prove();
    const key = randomUUID();
    const ask = () =>
      finance.call('refundPayment', { params: { id: order.id }, body: { reason: REASON }, key });
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ body }) => body)).toEqual([{ outcome: 'done' }, { outcome: 'done' }]);
    await app.runJobs();
    expect(await readRefund(app, key)).toMatchObject({ state: 'succeeded', reason: REASON });
    expect(await balanceOf(app, order.user)).toBe('0');
  });

  it('above the limit holds the tokens until another has approved it', async () => {
    const order = await buyTokens(app, sandbox, { amount: ath(1_000) });
    await prove();
    const { body } = await finance.call('refundPayment', {
      params: { id: order.id },
      body: { reason: REASON },
    });
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await readRefund(app, body.approval_id)).toMatchObject({ state: 'requested' });
    const again = await finance.call('refundPayment', {
      params: { id: order.id },
      body: { reason: REASON },
    });
    expect(refusalOf(again)).toEqual({ status: 409, code: 'not_refundable' });
    await prove();
    expect((await approve(body.approval_id)).status).toBe(200);
    await app.runJobs();
    expect(await readRefund(app, body.approval_id)).toMatchObject({ state: 'succeeded' });
  });

  it('that is rejected gives the tokens back', async () => {
    const order = await buyTokens(app, sandbox, { amount: ath(1_000) });
    await prove();
    const { body } = await finance.call('refundPayment', {
      params: { id: order.id },
      body: { reason: REASON },
    });
    await owner.call('rejectRequest', {
      params: { id: body.approval_id },
      body: { reason: 'Not what was agreed.' },
    });
    await app.runJobs();
    expect(await readRefund(app, body.approval_id)).toMatchObject({ state: 'rejected' });
    expect(await balanceOf(app, order.user)).toBe('1000000000');
  });

  it('at the cost of the programme always needs a vote', async () => {
    const order = await buyTokens(app, sandbox);
    await prove();
    const { body } = await finance.call('refundPayment', {
      params: { id: order.id },
      body: { reason: REASON, is_at_cost: true },
    });
    expect(body.outcome).toBe('requested');
    await prove();
    expect((await approve(body.approval_id)).status).toBe(200);
    await app.runJobs();
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await readCardBooks(app)).toMatchObject({ refund_cost: -1_868n });
  });
});

it('[O-102] a payment in review is credited as ordered, once, after approval', async () => {
  const user = await app.createUser();
  const order = await beginOrder(app, user, ath(100));
  await sandbox.control('/clock', { advance_ms: LATE_MS });
  app.clock.advance(LATE_MS);
  await sandbox.pay(order.secret);
  await enqueueJob(app.deps.db, 'payment_look', { orderId: order.id });
  await app.runJobs();
  expect((await readOrder(app, order.id)).state).toBe('review');
  finance = await signInStaff(app, finance);
  owner = await signInStaff(app, owner);
  await prove();
  const { body } = await finance.call('resolveReview', {
    params: { id: order.id },
    body: { outcome: 'credit', reason: REASON },
  });
  expect(body.outcome).toBe('requested');
  expect(await balanceOf(app, user)).toBe('0');
  await prove();
  const votes = await twenty(() => approve(body.approval_id));
  expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await balanceOf(app, user)).toBe('100000000');
  await prove();
  const again = await finance.call('resolveReview', {
    params: { id: order.id },
    body: { outcome: 'credit', reason: REASON },
  });
  expect(refusalOf(again).code).toBe('state_changed');
});

it('[O-137] a debt is written off by approval only', async () => {
  const order = await buyTokens(app, sandbox);
  await send(order.user, await app.createUser(), '60000000');
  const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
  await look(id);
  await sandbox.control('/disputes/decide', { dispute: id, outcome: 'lost' });
  await look(id);
  expect(await balanceOf(app, order.user)).toBe('-60000000');
  const { id: debtId } = await app.deps.db
    .selectFrom('card_debts')
    .select('id')
    .where('user_id', '=', order.user.userId)
    .executeTakeFirstOrThrow();
  await prove();
  const { body } = await finance.call('writeOffDebt', {
    params: { id: debtId },
    body: { reason: REASON },
  });
  expect(body.outcome).toBe('requested');
  expect(await balanceOf(app, order.user)).toBe('-60000000');
  await prove();
  expect(await approve(body.approval_id)).toMatchObject({
    status: 200,
    body: { state: 'executed' },
  });
  expect(await balanceOf(app, order.user)).toBe('0');
});

it('a transaction that nothing stands for is booked against an account, by approval', async () => {
  await sandbox.call('POST', '/payment_intents', {
    amount: '5000',
    currency: 'usd',
    confirm: 'true',
    payment_method: 'pm_card_visa',
  });
  await sandbox.control('/clock', { advance_ms: 2_000 });
  await enqueueJob(app.deps.db, 'card_transactions_list', {});
  await app.runJobs();
  const { id: transactionId } = await app.deps.db
    .selectFrom('card_transactions')
    .select('id')
    .where('booking_id', 'is', null)
    .executeTakeFirstOrThrow();
  const before = (await readCardBooks(app)).suspense ?? 0n;
  await prove();
  const { body } = await finance.call('bookMoney', {
    body: { transaction_id: transactionId, account: 'suspense', reason: REASON },
  });
  expect(body.outcome).toBe('requested');
  await prove();
  expect((await approve(body.approval_id)).status).toBe(200);
  expect((await readCardBooks(app)).suspense).toBe(before + 5_000n);
});
