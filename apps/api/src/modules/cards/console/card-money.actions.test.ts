/** Card money under four-eyes: refunds, reviews, debts and bookings by hand. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf, beginOrder, readOrder } from '../../../../test/card-purchase.ts';
import { refreshDispute } from '../../../../test/card-disputes.ts';
import { buyTokens, readCardBooks, readRefund, refund } from '../../../../test/card-refund.ts';
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

/** Both have just given a proof of presence. */
async function prove(): Promise<void> {
  await finance.prove();
  await owner.prove();
}

const approve = (id: string, by: ConsoleCaller = owner) =>
  by.call('approveRequest', { params: { id } });

const look = (disputeId: string) => refreshDispute(app, disputeId);

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

  it('in parts needs a vote once they are above the limit together', async () => {
    const order = await buyTokens(app, sandbox, { amount: ath(1_000) });
    await prove();
    const ask = () =>
      finance.call('refundPayment', {
        params: { id: order.id },
        body: { token_amount: ath(400).toString(), reason: REASON },
      });
    expect((await ask()).body.outcome).toBe('done');
    expect((await ask()).body.outcome).toBe('requested');
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

describe('a refund by bank', () => {
  const REFERENCE = 'ATHOS REFUND 2026-1';
  const askByBank = (orderId: string) =>
    finance.call('refundByBank', {
      params: { id: orderId },
      body: { bank_reference: REFERENCE, reason: REASON },
    });

  /** Creates a payment whose card returned a refund. */
  async function failedOnce() {
    const order = await buyTokens(app, sandbox, { card: 'refundFail' });
    await refund(app, order.id);
    await app.runJobs();
    await sandbox.control('/clock', { advance_ms: 60_000 });
    await sandbox.delivery('refund.failed', order.intentId);
    await app.runJobs();
    return order;
  }

  it('is refused while the card has not failed', async () => {
    const order = await buyTokens(app, sandbox);
    await prove();
    expect(refusalOf(await askByBank(order.id)).code).toBe('not_refundable');
    const { body } = await finance.call('refundable', { params: { id: order.id } });
    expect(body.has_card_failed).toBe(false);
  });

  it('holds the tokens, and after a vote pays from the bank what the card would have got', async () => {
    const order = await failedOnce();
    const before: Record<string, bigint> = await readCardBooks(app);
    await prove();
    const { body } = await askByBank(order.id);
    expect(body.outcome).toBe('requested');
    expect(await balanceOf(app, order.user)).toBe('0');
    await prove();
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    await app.runJobs();
    expect(await readRefund(app, body.approval_id)).toMatchObject({
      state: 'succeeded',
      method: 'bank',
      reference: REFERENCE,
      provider_refund_id: null,
    });
    const after: Record<string, bigint> = await readCardBooks(app);
    const gained = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
    expect([gained('bank'), gained('token_sales'), gained('card_provider')]).toEqual([
      1_868n,
      -1_683n,
      0n,
    ]);
    const { body: history } = await app.request({
      method: 'GET',
      url: '/api/all_history',
      user: order.user,
    });
    expect(history.history[0].data).toMatchObject({ reason: 'refund_by_bank' });
    // It is not a refund at the provider, so the comparison with the provider finds no difference.
    await enqueueJob(app.deps.db, 'payment_compare', {});
    await app.runJobs();
    expect((await readOrder(app, order.id)).difference).toBeNull();
    expect(refusalOf(await askByBank(order.id)).code).toBe('not_refundable');
  });

  it('that is rejected gives the tokens back', async () => {
    const order = await failedOnce();
    await prove();
    const { body } = await askByBank(order.id);
    await owner.call('rejectRequest', {
      params: { id: body.approval_id },
      body: { reason: 'Not what was agreed.' },
    });
    await app.runJobs();
    expect(await balanceOf(app, order.user)).toBe('100000000');
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
  const ask = async () =>
    (
      await finance.call('resolveReview', {
        params: { id: order.id },
        body: { outcome: 'credit', reason: REASON },
      })
    ).body;
  const body = await ask();
  expect(body.outcome).toBe('requested');
  expect(await balanceOf(app, user)).toBe('0');
  const [overtaken, unwanted] = [await ask(), await ask()];
  await prove();
  const votes = await twenty(() => approve(body.approval_id));
  expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await balanceOf(app, user)).toBe('100000000');
  await prove();
  // The twenty votes used up the calls that one person may make in a second.
  app.clock.advance(1_000);
  expect((await ask()).code).toBe('state_changed');
  expect((await approve(overtaken.approval_id)).body.state).toBe('failed');
  const params = { id: unwanted.approval_id };
  const rejected = await owner.call('rejectRequest', { params, body: { reason: REASON } });
  expect(rejected.body.state).toBe('rejected');
  expect(await balanceOf(app, user)).toBe('100000000');
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

describe('a booking by hand', () => {
  const book = (body: object) =>
    finance.ask({ method: 'POST', path: '/admin/ledger/bookings' }, { body });

  it('moves money out of suspense by a vote, and the journal names its request', async () => {
    const before = await readCardBooks(app);
    await prove();
    const { body } = await book({
      debit: 'suspense',
      credit: 'bank',
      amount_cents: 1_250,
      reason: REASON,
    });
    expect(body.outcome).toBe('requested');
    await prove();
    expect(refusalOf(await approve(body.approval_id, finance))).toEqual({
      status: 403,
      code: 'own_request',
    });
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    const after = await readCardBooks(app);
    expect((after.bank ?? 0n) - (before.bank ?? 0n)).toBe(1_250n);
    expect((after.suspense ?? 0n) - (before.suspense ?? 0n)).toBe(-1_250n);
    const { body: journal } = await finance.call('ledgerTransfers', {
      query: { key: body.approval_id },
    });
    expect(journal.items).toMatchObject([{ object: { type: 'approval', id: body.approval_id } }]);
  });

  it.each([
    { debit: 'card_provider', credit: 'suspense' },
    { debit: 'bank', credit: 'card_provider' },
    { debit: 'bank', credit: 'bank' },
  ])('never reaches what reconciliation compares: %j', async (accounts) => {
    await prove();
    const answer = await book({ ...accounts, amount_cents: 1, reason: REASON });
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('takes two votes once a person’s bookings of a day, or those about a customer, pass 1,000 USD', async () => {
    const order = await buyTokens(app, sandbox);
    const people = ['finance', 'finance', 'finance'].map((role) => createStaffMember(app, [role]));
    const [ada, ben, eve] = await Promise.all(
      (await Promise.all(people)).map((person) => signInStaff(app, person)),
    );
    const votes = async (by: ConsoleCaller | undefined, cents: number, paymentId?: string) => {
      await by?.prove();
      const answer = await by?.call('bookByHand', {
        body: {
          debit: 'suspense',
          credit: 'bank',
          amount_cents: cents,
          ...(paymentId !== undefined && { payment_id: paymentId }),
          reason: REASON,
        },
      });
      return answer?.body.votes_needed;
    };
    expect(await votes(ada, 90_000)).toBe(1);
    expect(await votes(ada, 10_000)).toBe(1);
    expect(await votes(ada, 1)).toBe(2);
    expect(await votes(ben, 60_000, order.id)).toBe(1);
    expect(await votes(eve, 60_000, order.id)).toBe(2);
  });

  it('names the payment that it is about, which must not be one’s own', async () => {
    const order = await buyTokens(app, sandbox);
    const own = await createStaffMember(app, ['finance'], { walletUuid: order.user.uuid });
    const body = {
      debit: 'suspense',
      credit: 'bank',
      amount_cents: 1,
      payment_id: order.id,
      reason: REASON,
    } as const;
    const self = await signInStaff(app, own);
    expect(refusalOf(await self.call('bookByHand', { body })).code).toBe('own_account');
    await prove();
    const asked = await finance.call('bookByHand', { body });
    expect(asked.body.outcome).toBe('requested');
    const unknown = await finance.call('bookByHand', {
      body: { ...body, payment_id: randomUUID() },
    });
    expect(refusalOf(unknown).code).toBe('not_found');
  });
});
