/** The comparison of the provider's payments with our credits. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import {
  balanceOf,
  intentIdOf,
  postPayment,
  publishTestRate,
  purchaseBody,
  readOrder,
} from '../../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { tapCardProvider, type TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { comparePaymentsOfCopy } from './compare-copy.ts';

const DAY_MS = 24 * 60 * 60_000;

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startCardSandbox();
  provider = tapCardProvider(sandbox.url);
  app = await createTestApp({ env: sandbox.env, standIns: { cardProvider: provider }, log });
  sandbox.deliverTo(app.app);
  await publishTestRate(app, '0.1683');
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});
beforeEach(nextDay);
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

/** Lets the next comparison begin new rounds. */
async function nextDay(): Promise<void> {
  await app.deps.db.deleteFrom('card_comparisons').execute();
}

async function compare(): Promise<void> {
  await enqueueJob(app.deps.db, 'payment_compare', {}, { attemptCountMax: 1 });
  await app.runJobs();
}

async function paidOrder() {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  await sandbox.pay(body.client_secret);
  const intentId = intentIdOf(body.client_secret);
  await sandbox.delivery('payment_intent.succeeded', intentId);
  return { user, orderId: String(body.id), intentId };
}

async function creditedOrder() {
  const order = await paidOrder();
  await app.runJobs();
  expect(await readOrder(app, order.orderId)).toMatchObject({ state: 'credited' });
  return order;
}

const alarmsOf = (orderId: string) =>
  lines
    .filter((line) => line.includes('"alarm"') && line.includes(orderId))
    .map((line) => JSON.parse(line) as { alarm: string; reason: string });

/** An intent of the sandbox, with some fields changed. */
async function intentWith(
  intentId: string,
  { charge, ...change }: Omit<Partial<CardIntent>, 'charge'> & { charge?: object },
): Promise<CardIntent> {
  const intent = await provider.real.retrieveIntent(intentId);
  if (intent.charge === undefined) throw new Error('the intent has no charge');
  return { ...intent, ...change, charge: { ...intent.charge, ...charge } };
}

/** Makes the provider list only these intents, each in the range of its time. */
function listOnly(...intents: CardIntent[]): void {
  provider.tap({
    async *listIntents({ from, to }) {
      for (const intent of intents) {
        if (intent.createdAt >= from && intent.createdAt <= to) yield await Promise.resolve(intent);
      }
    },
  });
}

/** Makes an order as old as it would be `days` after its credit. */
async function age(orderId: string, days: number): Promise<Date> {
  const created_at = new Date(app.clock.nowMs() - days * DAY_MS);
  await app.deps.db
    .updateTable('card_orders')
    .set({ created_at })
    .where('id', '=', orderId)
    .execute();
  return created_at;
}

describe('the comparison raises an alarm and takes nothing back for a credit whose payment', () => {
  it.each([
    ['was canceled', { status: 'canceled' }, /the intent is canceled/],
    ['received less', { amountReceivedUsdCents: usdCents(1n) }, /received 1\b/],
    ['was refunded', { charge: { refundedUsdCents: usdCents(500n) } }, /refunded/],
    ['is disputed', { charge: { isDisputed: true } }, /disputed/],
  ] as const)('%s', async (_difference, lie, reason) => {
    const { user, orderId, intentId } = await creditedOrder();
    listOnly(await intentWith(intentId, lie));
    await compare();
    expect(alarmsOf(orderId)).toEqual([
      expect.objectContaining({
        alarm: 'payment_difference',
        reason: expect.stringMatching(reason),
      }),
    ]);
    expect(await balanceOf(app, user)).toBe('100000000');
  });

  it.each([
    [3, 1],
    [179, 1],
    [181, 0],
  ])('is disputed %i days later: %i alarm', async (days, alarmCount) => {
    const { orderId, intentId } = await creditedOrder();
    const createdAt = await age(orderId, days);
    listOnly(await intentWith(intentId, { createdAt, charge: { isDisputed: true } }));
    await compare();
    expect(alarmsOf(orderId)).toHaveLength(alarmCount);
  });

  it('is not listed by the provider at all', async () => {
    const { orderId, intentId } = await creditedOrder();
    await age(orderId, 100);
    listOnly();
    const retrieveIntent = async (id: string): Promise<CardIntent> => {
      if (id !== intentId) return provider.real.retrieveIntent(id);
      return { ...(await provider.real.retrieveIntent(id)), status: 'canceled' };
    };
    provider.tap({ listIntents: async function* () {}, retrieveIntent });
    await compare();
    expect(alarmsOf(orderId)).toEqual([
      expect.objectContaining({ reason: 'credited, but the intent is canceled' }),
    ]);
  });

  it(
    'differs: once for each difference, however many days it lasts',
    { tags: 'long' },
    async () => {
      const { orderId, intentId } = await creditedOrder();
      const disputed = await intentWith(intentId, { charge: { isDisputed: true } });
      const refunded = await intentWith(intentId, { charge: { refundedUsdCents: usdCents(500n) } });
      for (const intent of [disputed, disputed, disputed, refunded, refunded]) {
        await nextDay();
        listOnly(intent);
        await compare();
      }
      expect(alarmsOf(orderId).map(({ reason }) => reason)).toEqual([
        'credited, but disputed at the provider',
        'refunded 0 cents, and 500 at the provider',
      ]);
    },
  );
});

it('the comparison reports a payment that cannot be compared and settles the others', async () => {
  const user = await app.createUser();
  const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
  await sandbox.pay(body.client_secret);
  provider.tap({
    // The list is the only way to a credit.
    retrieveIntent: () => Promise.reject(new AppError('provider_unavailable')),
    async *listIntents(range) {
      for await (const intent of provider.real.listIntents(range)) {
        const poison = { ...intent, intentId: 'pi_poison' };
        Object.defineProperty(poison, 'status', {
          get: () => {
            throw new Error('unreadable');
          },
        });
        yield poison;
        yield intent;
      }
    },
  });
  await compare();
  expect(await readOrder(app, String(body.id))).toMatchObject({ state: 'credited' });
  expect(
    lines.some((line) => line.includes('payment_not_compared') && line.includes('pi_poison')),
  ).toBe(true);
});

it('the comparison reports nothing if both books agree', async () => {
  const { orderId } = await creditedOrder();
  await compare();
  expect(alarmsOf(orderId)).toEqual([]);
});

it('the comparison credits a payment that everything else has missed, up to 180 days later', async () => {
  const { orderId, intentId } = await paidOrder();
  const createdAt = await age(orderId, 150);
  listOnly(await intentWith(intentId, { createdAt }));
  await compare();
  expect(await readOrder(app, orderId)).toMatchObject({ state: 'credited' });
});

it('a comparison that keeps failing raises an alarm after two days, for each of its rounds', async () => {
  const beganDaysAgo = async (days: number) => {
    const began_at = new Date(app.clock.nowMs() - days * DAY_MS);
    const rounds = (['recent', 'disputable'] as const).map((reach) => ({ reach, began_at }));
    await nextDay();
    await app.deps.db
      .insertInto('card_comparisons')
      .values(rounds.map((round) => ({ ...round, position: null })))
      .execute();
  };
  const lateReaches = () =>
    lines
      .filter((line) => line.includes('"payment_comparison_late"'))
      .map((line) => (JSON.parse(line) as { reach: string }).reach);
  provider.tap({
    listIntents: () => {
      throw new AppError('provider_unavailable');
    },
  });
  await beganDaysAgo(1.5);
  await compare();
  expect(lateReaches()).toEqual([]);
  await beganDaysAgo(2.5);
  await compare();
  expect(lateReaches()).toEqual(['recent', 'disputable']);
});

it('tells what a restored copy and the provider disagree about, and writes nothing', async () => {
  const from = new Date(app.clock.nowMs());
  const [kept, forged] = [await creditedOrder(), await creditedOrder()];
  // No job has credited the order yet, as in a copy made a moment earlier.
  const lost = await paidOrder();
  const intents = await Promise.all(
    [lost, kept].map(({ intentId }) => provider.real.retrieveIntent(intentId)),
  );
  const foreign = await intentWith(lost.intentId, {
    intentId: 'pi_of_another_system',
    metadata: { env: 'production' },
  });
  listOnly(...intents.map((intent) => ({ ...intent, createdAt: from })), {
    ...foreign,
    createdAt: from,
  });
  const to = new Date(app.clock.nowMs() + 1_000);
  const range = { from, to, isProduction: false };
  expect(await comparePaymentsOfCopy(app.deps.db, provider, range)).toEqual({
    paidIntentIds: [lost.intentId],
    creditedOrderIds: [forged.orderId],
  });
});

describe('the cost of the comparison', () => {
  const ranges: { from: Date; to: Date }[] = [];
  let listedCount = 0;

  /** Lists a payment of another system for each second of the range. */
  async function listPaymentPerSecond(): Promise<void> {
    const { intentId } = await creditedOrder();
    const sample = await provider.real.retrieveIntent(intentId);
    // Orders of other tests would use part of the budget.
    const created_at = new Date(app.clock.nowMs() - 200 * DAY_MS);
    await app.deps.db.updateTable('card_orders').set({ created_at }).execute();
    ranges.length = 0;
    listedCount = 0;
    provider.tap({
      async *listIntents({ from, to }) {
        ranges.push({ from, to });
        // Only the recent payments are this many.
        if (app.clock.nowMs() - to.getTime() > DAY_MS) return;
        for (let ms = to.getTime(); ms >= from.getTime(); ms -= 1000) {
          listedCount += 1;
          yield await Promise.resolve({ ...sample, createdAt: new Date(ms), metadata: {} });
        }
      },
    });
  }

  it(
    'is bounded per run, and the next run continues where the last one ended',
    { tags: 'long' },
    async () => {
      await listPaymentPerSecond();
      await compare();
      expect(listedCount).toBe(4_000);
      await compare();
      expect(listedCount).toBe(8_000);
      const recent = ranges.filter(({ to }) => app.clock.nowMs() - to.getTime() < DAY_MS);
      const [first, second] = recent.map(({ to }) => to.getTime());
      expect((first ?? 0) - (second ?? 0)).toBe(3_999_000);
    },
  );

  it('is a round a day: a finished one is not begun again', { tags: 'long' }, async () => {
    const { orderId } = await creditedOrder();
    await compare();
    ranges.length = 0;
    provider.tap({
      listIntents: (range) => {
        ranges.push(range);
        return provider.real.listIntents(range);
      },
    });
    await compare();
    expect(ranges).toEqual([]);
    app.clock.advance(DAY_MS);
    await compare();
    expect(ranges.map(({ from, to }) => (to.getTime() - from.getTime()) / DAY_MS)).toEqual([
      2, 178,
    ]);
    expect(alarmsOf(orderId)).toEqual([]);
  });
});
