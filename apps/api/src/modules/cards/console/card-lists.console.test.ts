/** The console's lists of card money: the provider's transactions and their bookings, days, debts and fraud warnings. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { publishTestRate } from '../../../../test/card-purchase.ts';
import { buyTokens, refund } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { consoleAs, signInStaff, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, refusalOf } from '../../../../test/shop.ts';
import { issueTo, type TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

let sandbox: CardSandbox;
let app: TestApp;
let close: () => Promise<void>;
let reader: ConsoleCaller;

beforeAll(async () => {
  ({ app, sandbox, close } = await startCardsApp({ env: { RATE_MAX_AGE_SECONDS: '86400' } }));
  reader = await consoleAs(app, ['support']);
});
afterAll(() => close());
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

const DAY_MS = 24 * 60 * 60_000;

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

it('lists transactions by what they are about, each with its booking, page by page', async () => {
  const [first, second] = [await buyTokens(app, sandbox), await buyTokens(app, sandbox)];
  await sandbox.control('/clock', { advance_ms: 3 * DAY_MS });
  await sandbox.control('/payouts');
  app.clock.advance(3 * DAY_MS);
  await publishTestRate(app, '0.1683');
  await run('card_transactions_list');
  reader = await signInStaff(app, reader);
  const { body: payouts } = await reader.call('cardTransactions', { query: { group: 'payouts' } });
  expect(payouts.items).toMatchObject([{ type: 'payout', explanation: null }]);
  const { body: page } = await reader.call('cardTransactions', {
    query: { group: 'payments', limit: 1 },
  });
  const { body: next } = await reader.call('cardTransactions', {
    query: { group: 'payments', limit: 1, cursor: page.next_cursor },
  });
  const ids = [...page.items, ...next.items].map(({ booking_id: id }) => id as string);
  expect(new Set(ids)).toEqual(new Set([first.id, second.id]));
  expect(page.count).toEqual({ value: 2, is_at_least: false });

  const [transaction] = page.items;
  const { body: one } = await reader.call('cardTransaction', { params: { id: transaction.id } });
  expect(one).toMatchObject({ booking: { what: 'payment', is_matched: true }, candidates: [] });
  const { body: booking } = await reader.call('cardBooking', {
    params: { id: transaction.booking_id },
  });
  expect(booking).toMatchObject({ transaction: { id: transaction.id }, candidates: [] });
  const unknown = await reader.call('cardTransaction', { params: { id: 'txn_unknown' } });
  expect(refusalOf(unknown).code).toBe('not_found');
});

it('offers what has the same amount on the other side, and nothing else', async () => {
  const order = await buyTokens(app, sandbox);
  const { id: transactionId } = await app.deps.db
    .selectFrom('card_transactions')
    .select('id')
    .where('booking_id', '=', order.id)
    .executeTakeFirstOrThrow();
  const pair = async (bookingId: string | null) => {
    const matchedAt = bookingId === null ? null : new Date(app.clock.nowMs());
    await app.deps.db
      .updateTable('card_transactions')
      .set({ booking_id: bookingId })
      .where('id', '=', transactionId)
      .execute();
    await app.deps.db
      .updateTable('card_bookings')
      .set({ matched_at: matchedAt })
      .where('id', '=', order.id)
      .execute();
  };
  await pair(null);
  const { body: one } = await reader.call('cardTransaction', { params: { id: transactionId } });
  expect(one).toMatchObject({ booking: null, candidates: [{ id: order.id }] });
  const { body: booking } = await reader.call('cardBooking', { params: { id: order.id } });
  expect(booking).toMatchObject({ transaction: null, candidates: [{ id: transactionId }] });
  await pair(order.id);
});

it('shows the totals of a day with what the balance moved on it', async () => {
  await run('card_reconcile_day');
  const { body: days } = await reader.call('reconciliationDays');
  const [today] = days.items;
  const { body: shown } = await reader.call('reconciliationDay', { params: { day: today.day } });
  expect(shown).toMatchObject(today);
  await buyTokens(app, sandbox);
  await run('card_transactions_list');
  const { body: later } = await reader.call('reconciliationDay', { params: { day: today.day } });
  const countOf = (day: { types: { type: string; count: number }[] }) =>
    day.types.find(({ type }) => type === 'charge')?.count ?? 0;
  expect(countOf(later)).toBe(countOf(shown) + 1);
  const never = await reader.call('reconciliationDay', { params: { day: '2001-01-01' } });
  expect(refusalOf(never).code).toBe('not_found');
});

it('lists debts while they are owed, and afterwards, with how much came back', async () => {
  const order = await buyTokens(app, sandbox);
  const friend = await app.createUser();
  await app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '60000000', to_uuid: friend.uuid },
    user: order.user,
    key: randomUUID(),
  });
  const { id: theirId } = await sandbox.control('/disputes/open', {
    payment_intent: order.intentId,
  });
  await enqueueJob(app.deps.db, 'dispute_look', { disputeId: theirId });
  await app.runJobs();
  const listed = async (state: 'open' | 'closed') =>
    (
      await reader.call('consoleDebts', {
        query: { state, customer_uuid: order.user.uuid },
      })
    ).body.items;
  const [debt] = await listed('open');
  expect(debt).toMatchObject({
    payment_id: order.id,
    token_amount: '60000000',
    repaid_token_amount: '0',
    owed_token_amount: '60000000',
  });
  await issueTo(app.deps, order.user.userId, ath(45));
  await run('debt_collect');
  const { body: one } = await reader.call('consoleDebt', { params: { id: debt.id } });
  expect(one).toMatchObject({ repaid_token_amount: '45000000', owed_token_amount: '15000000' });
  await issueTo(app.deps, order.user.userId, ath(15));
  await run('debt_collect');
  expect(await listed('open')).toEqual([]);
  expect(await listed('closed')).toMatchObject([{ id: debt.id, owed_token_amount: '0' }]);
});

it('lists fraud warnings until a refund cannot prevent a dispute any more', async () => {
  const order = await buyTokens(app, sandbox);
  const warning = await sandbox.control('/warnings', { payment_intent: order.intentId });
  await sandbox.delivery('radar.early_fraud_warning.created', order.intentId);
  await app.runJobs();
  const listed = async (view: 'open' | 'all') =>
    (await reader.call('consoleWarnings', { query: { view } })).body.items;
  expect(await listed('open')).toMatchObject([
    { id: warning.id, payment_id: order.id, is_actionable: true, returned_token_amount: '0' },
  ]);
  await refund(app, order.id);
  await app.runJobs();
  await sandbox.delivery('radar.early_fraud_warning.updated', order.intentId);
  await app.runJobs();
  expect(await listed('open')).toEqual([]);
  expect(await listed('all')).toMatchObject([
    { id: warning.id, is_actionable: false, returned_token_amount: '100000000' },
  ]);
});

it('lists the oldest hundred unmatched transactions, and says that there are more', async () => {
  await sql`
    insert into card_transactions (id, type, amount_usd_cents, fee_usd_cents, net_usd_cents, created_at, listed_at)
    select 'txn_odd_' || number, 'adjustment', 0, 0, 0, '2026-01-01', '2026-01-01'::timestamptz + number * interval '1 second'
      from generate_series(1, 101) number`.execute(app.deps.db);
  const { body } = await reader.call('unmatchedMoney');
  expect(body.transactions).toHaveLength(100);
  expect(body.transactions[99].id).toBe('txn_odd_100');
  expect(body.has_more).toBe(true);
  await sql`delete from card_transactions where id like 'txn\\_odd\\_%'`.execute(app.deps.db);
  expect((await reader.call('unmatchedMoney')).body.has_more).toBe(false);
});
