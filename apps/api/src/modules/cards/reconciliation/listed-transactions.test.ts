/** The mark until which the provider's list of transactions is stored, whatever else stores some of them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { buyTokens } from '../../../../test/card-refund.ts';
import { publishTestRate } from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const HOUR_MS = 60 * 60_000;
/** Far longer than the two hours that a list overlaps the one before. */
const OUTAGE_MS = 9 * HOUR_MS;

let app: TestApp;
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let close: () => Promise<void>;
const { log, lines } = recordLog();

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({ log, startsAtOne: true }));
});
afterAll(() => close());
beforeEach(() => publishTestRate(app, '0.1683'));
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {}, { attemptCountMax: 1 });
  await app.runJobs();
}
const list = () => run('card_transactions_list');

async function advance(byMs: number): Promise<void> {
  const { now_ms: nowMs } = await sandbox.control('/clock', { advance_ms: byMs });
  app.clock.advance(nowMs - app.clock.nowMs());
  await publishTestRate(app, '0.1683');
}

const listedUntil = async (): Promise<number | undefined> =>
  (
    await app.deps.db.selectFrom('card_transactions_listed').selectAll().executeTakeFirst()
  )?.listed_until.getTime();

/** Runs the job of the day; returns whether it found the totals different. */
async function differs(): Promise<boolean> {
  const at = lines.length;
  await advance(2_000);
  const from = new Date(app.clock.nowMs());
  await run('card_reconcile_day');
  expect(
    await app.deps.db
      .selectFrom('card_days')
      .select('day')
      .where('checked_at', '>=', from)
      .execute(),
  ).toHaveLength(1);
  return lines.slice(at).join('\n').includes('card_money_differs');
}

/**
 * A refund in the provider's dashboard that no event tells of, and hours later the first payment that is settled again. Returns the order
 * that was refunded.
 */
async function missRefund(): Promise<string> {
  const refunded = await buyTokens(app, sandbox);
  await list();
  await sandbox.control('/webhooks', { lose: 1_000 });
  await sandbox.call('POST', '/refunds', { payment_intent: refunded.intentId });
  await advance(OUTAGE_MS);
  await sandbox.control('/webhooks', { lose: 0 });
  // Events of a payout would have the list read.
  provider.tap({
    listTransactions() {
      throw new AppError('provider_unavailable');
    },
  });
  await buyTokens(app, sandbox);
  provider.untap();
  expect(await refundsOf(refunded.id)).toBe(0);
  return refunded.id;
}

const refundsOf = async (orderId: string): Promise<number> =>
  (
    await app.deps.db
      .selectFrom('card_refunds')
      .select('id')
      .where('order_id', '=', orderId)
      .execute()
  ).length;

it('stores all that an outage kept back, even if a newer payment was settled before the list was read', async () => {
  const orderId = await missRefund();
  await list();
  expect(await refundsOf(orderId)).toBe(1);
  expect(await differs()).toBe(false);
});

it.each([
  ['the last day whose totals agreed', async () => {}, true],
  [
    'the first order, if no totals ever agreed',
    () => app.admin.deleteFrom('card_days').execute(),
    false,
  ],
] as const)('begins without a mark at %s', async (_beginning, forget, hasDay) => {
  expect(await differs()).toBe(false);
  const agreedMs = app.clock.nowMs();
  await advance(24 * HOUR_MS);
  const orderId = await missRefund();
  await app.admin.deleteFrom('card_transactions_listed').execute();
  await forget();
  const begun: number[] = [];
  provider.tap({
    listTransactions(range) {
      begun.push(range.from.getTime());
      return provider.real.listTransactions(range);
    },
  });
  await list();
  expect(await refundsOf(orderId)).toBe(1);
  expect(await differs()).toBe(false);
  // What was complete at that time is not read again.
  if (hasDay) expect(begun[0]).toBeGreaterThan(agreedMs - 3 * HOUR_MS);
});

it('keeps what was stored of a long list if the provider fails, and continues from there', async () => {
  const orderId = await missRefund();
  const froms: number[] = [];
  provider.tap({
    listTransactions(range) {
      froms.push(range.from.getTime());
      if (froms.length === 2) throw new AppError('provider_unavailable');
      return provider.real.listTransactions(range);
    },
  });
  await list();
  expect(froms).toHaveLength(2);
  expect(await listedUntil()).toBe(froms[1]);
  provider.untap();
  await list();
  expect(await refundsOf(orderId)).toBe(1);
});

it('ends a run after 10 minutes, and compares no totals before the list was read to its end', async () => {
  await missRefund();
  let laterMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  provider.tap({
    listTransactions(range) {
      laterMs += 11 * 60_000;
      return provider.real.listTransactions(range);
    },
  });
  const before = await listedUntil();
  const days = () => app.deps.db.selectFrom('card_days').select('checked_at').execute();
  const daysBefore = await days();
  await run('card_reconcile_day');
  expect(await listedUntil()).toBe((before ?? 0) + 4 * HOUR_MS);
  expect(await days()).toEqual(daysBefore);
  await list();
  await list();
  expect(await differs()).toBe(false);
});

it('is not set back by a run that takes longer than the next one', async () => {
  const first = holdFirstList();
  await first.isHeld;
  await advance(HOUR_MS);
  await list();
  const newer = await listedUntil();
  first.release();
  await first.isDone;
  expect(await listedUntil()).toBe(newer);
});

/** Begins a run whose list is not answered before `release`. */
function holdFirstList() {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let count = 0;
  provider.tap({
    async *listTransactions(range) {
      count += 1;
      if (count === 1) {
        held.resolve();
        await released.promise;
      }
      yield* provider.real.listTransactions(range);
    },
  });
  return { isHeld: held.promise, release: () => released.resolve(), isDone: list() };
}

it('comes back to the present if a clock that was ahead has set it', async () => {
  await advance(HOUR_MS);
  const listed_until = new Date(app.clock.nowMs() + 24 * HOUR_MS);
  await app.deps.db.updateTable('card_transactions_listed').set({ listed_until }).execute();
  await list();
  expect(await listedUntil()).toBeLessThanOrEqual(app.clock.nowMs());
});
