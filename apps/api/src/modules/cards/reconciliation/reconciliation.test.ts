/** The provider's balance, its transactions and our bookings agree, whatever events were lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginOrder, publishTestRate } from '../../../../test/card-purchase.ts';
import { buyTokens, readCardBooks, refund } from '../../../../test/card-refund.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { microAth, usdCents } from '@athos/domain/money';
import { systemAccountId, TransferKind } from '../../../ledger/index.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const HOUR_MS = 60 * 60_000;

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;
const { log, lines } = recordLog();

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
    log,
  }));
});
afterAll(() => close());
afterEach(async () => {
  provider.untap();
  await sandbox.control('/webhooks', { lose: 0 });
  await expectBooksBalance(app.deps.config.databaseUrl);
});

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

/** Moves our clock to that of the provider, which tests move on by the seconds that it takes to record fees. */
async function catchUp(): Promise<void> {
  const { now_ms: nowMs } = await sandbox.control('/clock', { advance_ms: 0 });
  app.clock.advance(Math.max(nowMs - app.clock.nowMs(), 0));
}

/** Runs the job of the day; returns the alarms that it raised. */
async function reconcile(): Promise<string[]> {
  await catchUp();
  const before = lines.length;
  await run('card_reconcile_day');
  return lines
    .slice(before)
    .flatMap((line) => (JSON.parse(line) as { alarm?: string }).alarm ?? []);
}

const lastDay = () =>
  app.deps.db
    .selectFrom('card_days')
    .selectAll()
    .orderBy('checked_at', 'desc')
    .executeTakeFirstOrThrow();

const unmatched = async () => ({
  transactions: await app.deps.db
    .selectFrom('card_transactions')
    .select(['type', 'amount_usd_cents'])
    .where('booking_id', 'is', null)
    .orderBy('id')
    .execute(),
  bookings: await app.deps.db
    .selectFrom('card_bookings')
    .select(['what', 'amount_usd_cents'])
    .where('matched_at', 'is', null)
    .orderBy('id')
    .execute(),
});

const NOTHING = { transactions: [], bookings: [] };

it('[O-138] every transaction of the provider is matched with one booking, over the whole life of card money', async () => {
  await sandbox.control('/disputes/fees', { opened: 1_500, countered: 2_000, returned: 500 });
  const refunded = await buyTokens(app, sandbox);
  await refund(app, refunded.id);
  const failing = await buyTokens(app, sandbox, { card: 'refundFail' });
  await refund(app, failing.id);
  const disputed = await buyTokens(app, sandbox);
  await app.runJobs();
  // From here on no event arrives: only the transactions show what happened.
  await sandbox.control('/webhooks', { lose: 1_000 });
  await sandbox.control('/clock', { advance_ms: 60_000 });
  const { id } = await sandbox.control('/disputes/open', { payment_intent: disputed.intentId });
  await sandbox.call('POST', `/disputes/${id}`, {
    'evidence[uncategorized_text]': 'pending',
    submit: 'true',
  });
  await sandbox.control('/disputes/decide', { dispute: id, outcome: 'won' });
  const silent = await buySilently();
  await sandbox.control('/clock', { advance_ms: 3 * 24 * HOUR_MS });
  await sandbox.control('/payouts');
  const [payout] = (await sandbox.call('GET', '/payouts')).data;
  app.clock.advance(3 * 24 * HOUR_MS);
  await run('card_transactions_list');
  expect(await unmatched()).toEqual(NOTHING);
  expect(await readCardBooks(app)).toMatchObject({ bank: BigInt(-payout.amount) });
  expect(await reconcile()).toEqual([]);
  const day = await lastDay();
  expect(day).toMatchObject({ is_agreed: true, in_flight_usd_cents: 0n });
  expect(day.clearing_usd_cents).toBe(day.nets_usd_cents);
  await sandbox.control('/payouts/end', { payout: payout.id, outcome: 'failed' });
  await run('card_transactions_list');
  expect((await readCardBooks(app)).bank).toBeUndefined();
  expect(await reconcile()).toEqual([]);
  expect(silent.status).toBe('credited');
  const { rows, bookings } = {
    rows: await app.deps.db.selectFrom('card_transactions').select('booking_id').execute(),
    bookings: await app.deps.db.selectFrom('card_bookings').select('id').execute(),
  };
  expect(new Set(rows.map(({ booking_id: bookingId }) => bookingId)).size).toBe(bookings.length);
}, 60_000);

/** Buys tokens without any event or poll for the payment. */
async function buySilently(): Promise<{ status: string }> {
  const user = await app.createUser();
  const order = await beginOrder(app, user, microAth(100_000_000n));
  await sandbox.pay(order.secret);
  await sandbox.control('/clock', { advance_ms: 2_000 });
  await run('card_transactions_list');
  const { state } = await app.deps.db
    .selectFrom('card_orders')
    .select('state')
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  return { status: state };
}

describe('what found no partner', () => {
  const insert = (count: number, createdAt = new Date(app.clock.nowMs())) =>
    app.deps.db
      .insertInto('card_transactions')
      .values(
        Array.from({ length: count }, () => ({
          id: `txn_${randomUUID()}`,
          type: 'other',
          source_id: null,
          amount_usd_cents: 1n,
          fee_usd_cents: 0n,
          net_usd_cents: 1n,
          created_at: createdAt,
          listed_at: new Date(0),
          booking_id: null,
          explanation: null,
        })),
      )
      .execute();
  afterEach(() =>
    app.deps.db.deleteFrom('card_transactions').where('type', '=', 'other').execute(),
  );

  beforeEach(() => publishTestRate(app, '0.1683'));

  it(
    'does not keep what comes after it waiting, however much it is',
    { tags: 'long' },
    async () => {
      await insert(500);
      await sandbox.control('/webhooks', { lose: 1_000 });
      await run('card_transactions_list');
      expect(await buySilently()).toEqual({ status: 'credited' });
    },
  );

  it('does not end the list if the clock of the provider was ahead', async () => {
    await insert(1, new Date(app.clock.nowMs() + 30 * 24 * HOUR_MS));
    await sandbox.control('/webhooks', { lose: 1_000 });
    expect(await buySilently()).toEqual({ status: 'credited' });
  });
});

describe('the totals', () => {
  beforeEach(() => publishTestRate(app, '0.1683'));

  /** Pays an order, and waits until the provider has recorded its transaction. */
  async function payMeanwhile(): Promise<void> {
    const before = await provider.real.retrieveBalance();
    const order = await beginOrder(app, await app.createUser(), microAth(100_000_000n));
    await sandbox.pay(order.secret);
    await sandbox.control('/clock', { advance_ms: 2_000 });
    await expect.poll(() => provider.real.retrieveBalance()).toBeGreaterThan(before);
  }

  it('agree although a payment is made while they are read', async () => {
    await run('card_transactions_list');
    await catchUp();
    const told: bigint[] = [];
    provider.tap({
      async retrieveBalance() {
        const balance = await provider.real.retrieveBalance();
        told.push(balance);
        await payMeanwhile();
        return balance;
      },
    });
    const at = lines.length;
    await run('card_reconcile_day');
    expect(told).toHaveLength(1);
    expect(lines.slice(at).join('\n')).not.toContain('card_money_differs');
    const day = await lastDay();
    expect(day.nets_usd_cents).toBeGreaterThan(told[0] ?? 0n);
    expect(day.provider_usd_cents).toBe(day.nets_usd_cents);
  });

  it('differ if a transaction is missing, although a payment of the same price is made after the balance was told', async () => {
    await run('card_transactions_list');
    await catchUp();
    const { net_usd_cents: net } = await app.deps.db
      .selectFrom('card_transactions')
      .select('net_usd_cents')
      .where('amount_usd_cents', '=', 1_868n)
      .limit(1)
      .executeTakeFirstOrThrow();
    let isPaid = false;
    provider.tap({
      retrieveBalance: async () => usdCents((await provider.real.retrieveBalance()) + net),
      async *listTransactions(range) {
        if (!isPaid) {
          isPaid = true;
          app.clock.advance(60_000);
          await sandbox.control('/clock', { advance_ms: 60_000 });
          await payMeanwhile();
        }
        yield* provider.real.listTransactions(range);
      },
    });
    expect(await reconcile()).toContain('card_money_differs');
  });

  it('add to the sum of the day before, which is made again if they differ', async () => {
    const readings: number[] = [];
    const reconcileNextDay = async () => {
      app.clock.advance(24 * HOUR_MS);
      await sandbox.control('/clock', { advance_ms: 24 * HOUR_MS });
      let count = 0;
      provider.tap({
        retrieveBalance() {
          count += 1;
          return provider.real.retrieveBalance();
        },
      });
      expect(await reconcile()).not.toContain('card_money_differs');
      readings.push(count);
    };
    await reconcileNextDay();
    await reconcileNextDay();
    expect((await lastDay()).summed_usd_cents).not.toBe(0n);
    await app.deps.db.updateTable('card_days').set({ summed_usd_cents: 7n }).execute();
    await reconcileNextDay();
    const { summed_until: until, summed_usd_cents: sum } = await lastDay();
    const rows = await app.deps.db
      .selectFrom('card_transactions')
      .select('net_usd_cents')
      .where('listed_at', '<', until)
      .execute();
    expect(rows.reduce((total, { net_usd_cents: net }) => total + net, 0n)).toBe(sum);
    expect(readings).toEqual([1, 1, 3]);
  });
});

describe('what stays unmatched for an hour', () => {
  it('[O-139] is listed if it is a transaction without a booking', async () => {
    await sandbox.call('POST', '/payment_intents', {
      amount: '5000',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_visa',
    });
    await sandbox.control('/clock', { advance_ms: 2_000 });
    await run('card_transactions_list');
    expect(await reconcile()).not.toContain('card_money_unmatched');
    app.clock.advance(HOUR_MS + 1_000);
    expect(await reconcile()).toContain('card_money_unmatched');
    expect(await unmatched()).toMatchObject({
      transactions: [{ type: 'charge', amount_usd_cents: 5_000n }],
    });
    // The totals agree, since the amount counts as in flight, but with unmatched money the day does not agree.
    expect(await lastDay()).toMatchObject({ is_agreed: false });
  });

  it('[O-140] is listed if it is a booking without a transaction', async () => {
    await publishTestRate(app, '0.1683');
    const order = await buyTokens(app, sandbox);
    await app.deps.db
      .updateTable('card_transactions')
      .set({ booking_id: null })
      .where('booking_id', '=', order.id)
      .execute();
    await app.deps.db
      .deleteFrom('card_transactions')
      .where('source_id', '=', (await readCharge(order.id)) ?? '')
      .execute();
    await app.deps.db
      .updateTable('card_bookings')
      .set({ matched_at: null })
      .where('id', '=', order.id)
      .execute();
    provider.tap({
      async *listTransactions(range) {
        for await (const one of provider.real.listTransactions(range)) {
          if (one.sourceId !== (await readCharge(order.id))) yield one;
        }
      },
    });
    app.clock.advance(HOUR_MS + 1_000);
    expect(await reconcile()).toContain('card_money_unmatched');
    expect((await unmatched()).bookings).toEqual([{ what: 'payment', amount_usd_cents: 1_868n }]);
  });
});

const readCharge = async (orderId: string): Promise<string | null> =>
  (
    await app.deps.db
      .selectFrom('card_orders')
      .select('charge_id')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).charge_id;

describe('an alarm is raised', () => {
  it('[O-141] if the provider has another balance than its transactions say', async () => {
    provider.tap({ retrieveBalance: () => Promise.resolve(usdCents(1n)) });
    expect(await reconcile()).toContain('card_money_differs');
    expect(await lastDay()).toMatchObject({ provider_usd_cents: 1n, is_agreed: false });
  });

  it('[O-141] if something else has moved the account of the provider', async () => {
    await app.deps.ledger.transfer({
      debitAccountId: systemAccountId('card_provider', 'USD'),
      creditAccountId: systemAccountId('suspense', 'USD'),
      amountUnits: usdCents(7n),
      kind: TransferKind.Booking,
      key: crypto.randomUUID(),
    });
    expect(await reconcile()).toContain('card_money_differs');
  });
});
