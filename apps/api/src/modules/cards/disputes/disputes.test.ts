/** Disputes from the first event to the last, against the provider's protocol. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { createOffer } from '../../../../test/build-catalog.ts';
import {
  balanceOf,
  getPayment,
  postPayment,
  purchaseBody,
  sendTokens,
} from '../../../../test/card-purchase.ts';
import {
  buyTokens,
  refund,
  type PaidOrder,
  FEE,
  PAID,
  readMovements,
  watchCardBooks,
} from '../../../../test/card-refund.ts';
import {
  decideDispute,
  refreshDispute,
  openDispute,
  readDispute,
} from '../../../../test/card-disputes.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { consoleAs } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { readBalances } from '../../../../test/raw-ledger.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { ath, buy as buyOffers, refusalOf } from '../../../../test/shop.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import { issueTo, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { liftHold } from '../../holds/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { requireNoOpenMoney } from '../erase.sql.ts';
import type { CardDispute } from '../provider/card-disputes.ts';
import { applyDispute } from './apply-dispute.ts';

const RESTRICTED = { status: 422, code: 'account_restricted' };
const HOUR_MS = 60 * 60_000;

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
  await sandbox.control('/disputes/fees', { opened: 1_500, countered: 0, returned: 0 });
  await expectBooksBalance(app.deps.config.databaseUrl);
});

const buy = (options: Parameters<typeof buyTokens>[2] = {}) => buyTokens(app, sandbox, options);

const send = (from: TestUser, to: TestUser, amount: bigint) =>
  sendTokens(app, { from, to, amount });

const look = (disputeId: string) => refreshDispute(app, disputeId);

const dispute = (order: PaidOrder, body?: object) => openDispute(app, sandbox, order, body);

const decide = (disputeId: string, outcome: string) =>
  decideDispute(app, sandbox, disputeId, outcome);

async function lose(disputeId: string): Promise<string> {
  await decide(disputeId, 'lost');
  return disputeId;
}

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

const history = (user: TestUser) => readMovements(app, user);

const alarmsOf = (alarm: string, orderId: string): number =>
  lines.filter((line) => line.includes(`"${alarm}"`) && line.includes(orderId)).length;

const LOST_ALL = { card_provider: FEE + 1_500n, provider_fees: -FEE, dispute_fees: -1_500n };

describe('the first news of a dispute', () => {
  it('[O-125] holds sends, spending and buying, and redemption', { tags: 'long' }, async () => {
    const order = await buy();
    await sandbox.control('/disputes/open', { payment_intent: order.intentId });
    await sandbox.delivery('charge.dispute.created', order.intentId);
    await app.runJobs();
    await issueTo(app.deps, order.user.userId, ath(200));
    const offer = await createOffer(app);
    const friend = await app.createUser();
    expect(refusalOf(await send(order.user, friend, 1n))).toEqual(RESTRICTED);
    expect(refusalOf(await buyOffers(app, order.user, [[offer.id, 1]]))).toEqual(RESTRICTED);
    const buyMore = await postPayment(app, order.user, purchaseBody(ath(100)));
    expect(refusalOf(buyMore)).toEqual(RESTRICTED);
    const { kinds } = await app.deps.db
      .selectFrom('account_holds')
      .select('kinds')
      .where('user_id', '=', order.user.userId)
      .executeTakeFirstOrThrow();
    expect(kinds).toContain('redeem');
    expect(alarmsOf('payment_disputed', order.id)).toBe(1);
  });

  it('[O-126] moves no value if it is an inquiry, and a refund may still pre-empt it', async () => {
    const order = await buy();
    const id = await dispute(order, { kind: 'inquiry' });
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual(PAID);
    const friend = await app.createUser();
    expect(refusalOf(await send(order.user, friend, 1n))).toEqual(RESTRICTED);
    await refund(app, order.id);
    await app.runJobs();
    await look(id);
    expect(await readDispute(app, id)).toMatchObject({ phase: 'closed' });
    expect(await balanceOf(app, order.user)).toBe('0');
  });

  it('[O-121] refuses a refund of the disputed payment', async () => {
    const order = await buy();
    await dispute(order);
    await expect(refund(app, order.id)).rejects.toMatchObject({ code: 'not_refundable' });
    const made = await sandbox.call('GET', `/refunds?payment_intent=${order.intentId}`);
    expect(made.data).toEqual([]);
  });
});

describe('funds that are withdrawn', () => {
  it("[O-127] [O-128] take the order's tokens, below zero if need be, and nothing from who received them", async () => {
    const order = await buy();
    const friend = await app.createUser();
    await send(order.user, friend, 60_000_000n);
    await dispute(order);
    expect(await balanceOf(app, order.user)).toBe('-60000000');
    expect(await balanceOf(app, friend)).toBe('60000000');
    expect((await history(order.user))[0]).toEqual(['Send', 'chargeback', '100000000']);
    expect(await gained()).toEqual({
      ...PAID,
      card_provider: FEE + 1_500n,
      disputed: -1_868n,
      dispute_fees: -1_500n,
    });
    expect((await getPayment(app, order.user, order.id)).body.stripe_status).toBe(1);
  });

  it('take the tokens of the disputed part alone', async () => {
    const order = await buy();
    await dispute(order, { amount: 467 });
    expect(await balanceOf(app, order.user)).toBe('75000000');
  });

  it('take no more than is not refunded', async () => {
    const order = await buy();
    await refund(app, order.id, { amount: microAth(40_000_000n) });
    await app.runJobs();
    await dispute(order);
    expect(await balanceOf(app, order.user)).toBe('0');
  });

  it('can be taken from an account that is already below zero', async () => {
    const order = await buy();
    const other = await buy({ user: order.user });
    await send(order.user, await app.createUser(), 200_000_000n);
    await dispute(order);
    await dispute(other);
    expect(await balanceOf(app, order.user)).toBe('-200000000');
    const debts = await app.deps.db
      .selectFrom('card_debts')
      .select('amount_micro_ath')
      .where('user_id', '=', order.user.userId)
      .execute();
    expect(debts.map(({ amount_micro_ath: amount }) => amount)).toEqual([
      100_000_000n,
      100_000_000n,
    ]);
  });

  it('take nothing from a closed account: the loss is the programme’s', async () => {
    const order = await buy();
    await send(order.user, await app.createUser(), 100_000_000n);
    await closeAccount(order.user);
    const id = await dispute(order);
    await decide(id, 'lost');
    expect(await gained()).toEqual({
      ...PAID,
      card_provider: FEE + 1_500n,
      chargeback_loss: -1_868n,
      dispute_fees: -1_500n,
    });
  });
});

async function closeAccount({ userId }: TestUser): Promise<void> {
  await app.deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('users')
      .set({ email: null, password_hash: null, closed_at: new Date(app.clock.nowMs()) })
      .where('id', '=', userId)
      .execute();
    await app.deps.ledger.closeAccounts(tx, userId, randomUUID());
  });
}

describe('a dispute that ends', () => {
  it('[O-129] gives the tokens back when the funds are reinstated, and lifts the holds', async () => {
    const order = await buy();
    await decide(await dispute(order), 'won');
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual({
      ...PAID,
      card_provider: -1_868n + FEE + 1_500n,
      dispute_fees: -1_500n,
    });
    expect((await send(order.user, await app.createUser(), 1n)).status).toBe(200);
    expect((await history(order.user))[1]).toEqual(['Receive', 'chargeback_returned', '100000000']);
  });

  it('reverses the payment when it is lost with all tokens there', async () => {
    const order = await buy();
    await decide(await dispute(order), 'lost');
    expect(await gained()).toEqual(LOST_ALL);
    expect((await send(order.user, await app.createUser(), 1n)).body.code).toBe(
      'insufficient_balance',
    );
  });

  it('is shown in the journal as the cause of its transfers', async () => {
    const order = await buy();
    await send(order.user, await app.createUser(), 60_000_000n);
    const { id } = await readDispute(app, await dispute(order).then((theirs) => lose(theirs)));
    const { items } = (
      await (
        await consoleAs(app, ['finance'])
      ).call('ledgerTransfers', { query: { kind: 'chargeback', limit: 6 } })
    ).body;
    const objects = items.map(({ object }: { object: unknown }) => object);
    expect(objects).toContainEqual({ type: 'dispute', id });
    expect(objects).toContainEqual({ type: 'card_order', id: order.id });
    expect(objects).not.toContain(null);
  });

  it('[O-130] books the fees that the provider takes and returns, and no constant', async () => {
    await sandbox.control('/disputes/fees', { opened: 2_100, returned: 700 });
    const order = await buy();
    await decide(await dispute(order), 'won');
    expect(await gained()).toEqual({
      ...PAID,
      card_provider: -1_868n + FEE + 1_400n,
      dispute_fees: -1_400n,
    });
  });

  it('[O-132] is open as long as its status is unknown, with an alarm', async () => {
    const order = await buy();
    const id = await dispute(order, { kind: 'inquiry' });
    await sandbox.control('/disputes/status', { dispute: id, status: 'pondered' });
    await look(id);
    expect(await readDispute(app, id)).toMatchObject({ status: 'pondered', phase: 'open' });
    expect(alarmsOf('dispute_status_unknown', order.id)).toBe(1);
    const friend = await app.createUser();
    expect(refusalOf(await send(order.user, friend, 1n))).toEqual(RESTRICTED);
  });

  it('[O-133] gives the tokens back when a lost one is won by appeal', async () => {
    const order = await buy();
    const id = await dispute(order);
    await decide(id, 'lost');
    await decide(id, 'reopened');
    expect(await readDispute(app, id)).toMatchObject({ phase: 'open', is_lost: false });
    expect(await balanceOf(app, order.user)).toBe('0');
    await decide(id, 'won');
    expect(await balanceOf(app, order.user)).toBe('100000000');
    expect(await gained()).toEqual({
      ...PAID,
      card_provider: -1_868n + FEE + 1_500n,
      dispute_fees: -1_500n,
    });
  });

  it('takes them again when the bank insists after a win', async () => {
    const order = await buy();
    const id = await dispute(order);
    for (const outcome of ['won', 'reopened', 'lost']) await decide(id, outcome);
    expect(await balanceOf(app, order.user)).toBe('0');
    expect(await gained()).toEqual({
      card_provider: FEE + 3_000n,
      provider_fees: -FEE,
      dispute_fees: -3_000n,
    });
  });
});

/** The provider's states of one dispute about 100 ATH, of which 60 were spent. */
async function recordStates(order: PaidOrder): Promise<CardDispute[]> {
  const { id } = await sandbox.control('/disputes/open', {
    payment_intent: order.intentId,
    kind: 'inquiry',
  });
  const states = [await provider.real.retrieveDispute(id)];
  for (const outcome of ['escalated', 'lost', 'reopened', 'won']) {
    await sandbox.control('/disputes/decide', { dispute: id, outcome });
    states.push(await provider.real.retrieveDispute(id));
  }
  return states;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('the same books come out', () => {
  it('[O-131] in whatever order its states come, however often', { tags: 'long' }, async () => {
    await sandbox.control('/webhooks', { lose: 100 });
    const order = await buyQuietly();
    const friend = await app.createUser();
    await send(order.user, friend, 60_000_000n);
    const states = await recordStates(order);
    const begunAt = app.clock.nowMs();
    const looks = states.map((theirs, index) => ({
      theirs,
      lookedAt: new Date(begunAt + index * HOUR_MS),
    }));
    const upTo = (count: number) => permutations(looks.slice(0, count));
    const outcomes = new Map<number, Set<string>>();
    for (const count of [2, 3, 5]) {
      const seen = new Set<string>();
      for (const news of upTo(count)) {
        seen.add(await booksAfter(order, [...news, ...news.toReversed()]));
      }
      outcomes.set(count, seen);
    }
    expect([...outcomes.values()].map((seen) => seen.size)).toEqual([1, 1, 1]);
    const [withdrawn, lost, won] = [...outcomes.values()].map((seen) => [...seen][0]);
    expect(new Set([withdrawn, lost, won]).size).toBe(3);
  });
});

async function buyQuietly(): Promise<PaidOrder> {
  await sandbox.control('/webhooks', { lose: 0 });
  const order = await buy();
  await sandbox.control('/webhooks', { lose: 100 });
  return order;
}

/** The balances after these states. The database is rolled back afterwards. */
async function booksAfter(
  order: PaidOrder,
  news: readonly { theirs: CardDispute; lookedAt: Date }[],
): Promise<string> {
  const rollback = new Error('rolled back');
  let books = '';
  const work = app.deps.db.transaction().execute(async (tx) => {
    // Transactions of the code become savepoints of this transaction, which is rolled back at the end.
    const within = Object.create(tx, {
      transaction: {
        value: () => ({ execute: (inner: (same: typeof tx) => unknown) => inner(tx) }),
      },
    }) as typeof app.deps.db;
    for (const one of news) await applyDispute({ ...app.deps, db: within }, order.id, one);
    const balances = await readBalances(tx, order.user.userId);
    const facts = await tx
      .selectFrom('card_disputes')
      .select([
        'status',
        'is_lost',
        'withdrawn_usd_cents',
        'taken_micro_ath',
        'recovered_micro_ath',
        'recovered_price_usd_cents',
      ])
      .where('order_id', '=', order.id)
      .orderBy('id')
      .execute();
    const holds = await tx
      .selectFrom('account_holds')
      .select(['cause', 'kinds'])
      .where('user_id', '=', order.user.userId)
      .where('lifted_at', 'is', null)
      .orderBy('cause')
      .execute();
    books = JSON.stringify({ balances, facts, holds }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    throw rollback;
  });
  await work.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return books;
}

describe('events', () => {
  it(
    'that come twice, reversed and in threes book each transaction once',
    { tags: 'long' },
    async () => {
      await sandbox.control('/webhooks', { copies: 3, order: 'random' });
      const order = await buy();
      const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
      await sandbox.control('/disputes/decide', { dispute: id, outcome: 'lost' });
      await sandbox.delivery('charge.dispute.closed', order.intentId);
      await sandbox.delivery('charge.dispute.funds_withdrawn', order.intentId);
      await app.runJobs();
      await app.runJobs();
      expect(await gained()).toEqual(LOST_ALL);
    },
  );

  it(
    'that never come are replaced by the hourly look and the comparison',
    { tags: 'long' },
    async () => {
      const order = await buyQuietly();
      const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
      await run('payment_compare');
      expect(await balanceOf(app, order.user)).toBe('0');
      await sandbox.control('/disputes/decide', { dispute: id, outcome: 'won' });
      app.clock.advance(2 * HOUR_MS);
      await run('dispute_resume');
      await app.runJobs();
      expect(await balanceOf(app, order.user)).toBe('100000000');
    },
  );

  it('leave the books balanced when the process dies in the middle of a claw-back', async () => {
    const order = await buyQuietly();
    await send(order.user, await app.createUser(), 60_000_000n);
    const { id } = await sandbox.control('/disputes/open', { payment_intent: order.intentId });
    await enqueueJob(app.deps.db, 'dispute_look', { disputeId: id });
    const running = await app.deps.db.transaction().execute(async (tx) => {
      await app.deps.ledger.lockInTx(tx);
      const jobs = app.runJobs();
      await waitForLock(app);
      // The process is killed here: its bookings are written and it waits for the ledger.
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
      return { jobs };
    });
    await running.jobs;
    expect(await gained()).toEqual(PAID);
    await look(id);
    expect(await balanceOf(app, order.user)).toBe('-60000000');
    expect(await gained()).toMatchObject({ disputed: -1_868n });
  });
});

it('an early fraud warning holds the account until it is answered by a refund', async () => {
  const order = await buy();
  const warning = await sandbox.control('/warnings', { payment_intent: order.intentId });
  await sandbox.delivery('radar.early_fraud_warning.created', order.intentId);
  await app.runJobs();
  const friend = await app.createUser();
  expect(refusalOf(await send(order.user, friend, 1n))).toEqual(RESTRICTED);
  expect(alarmsOf('payment_fraud_warning', order.id)).toBe(1);
  await refund(app, order.id);
  await app.runJobs();
  await sandbox.delivery('radar.early_fraud_warning.updated', order.intentId);
  await app.runJobs();
  const holds = app.deps.db.selectFrom('account_holds').where('cause_id', '=', warning.id);
  expect(await holds.where('lifted_at', 'is', null).select('id').execute()).toEqual([]);
});

it('a hold that was released by a vote stays released while nothing new comes of its dispute', async () => {
  const order = await buy();
  const id = await dispute(order, { kind: 'inquiry' });
  const { id: ours } = await readDispute(app, id);
  const { userId } = order.user;
  const cause = { kind: 'dispute', id: ours } as const;
  await app.deps.db.transaction().execute((tx) => liftHold(app.deps, tx, { userId, cause }));
  await look(id);
  expect((await send(order.user, await app.createUser(), 1n)).status).toBe(200);
  // A dispute that follows the inquiry is a new phase, so it places a hold again.
  await decide(id, 'escalated');
  expect(refusalOf(await send(order.user, await app.createUser(), 1n))).toEqual(RESTRICTED);
});

it('an account with an open dispute is not deleted', async () => {
  const order = await buy();
  await dispute(order, { kind: 'inquiry' });
  const guard = app.deps.db
    .transaction()
    .execute((tx) => requireNoOpenMoney(tx, order.user.userId));
  await expect(guard).rejects.toSatisfy(
    (error) => error instanceof AppError && error.code === 'payments_open',
  );
});
