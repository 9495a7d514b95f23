/** Debts of users whose disputed tokens were spent: how they arise, are collected, forgiven and written off. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  balanceOf,
  postPayment,
  purchaseBody,
  sendTokens,
} from '../../../../test/card-purchase.ts';
import {
  buyTokens,
  type PaidOrder,
  FEE,
  PAID,
  readMovements,
  watchCardBooks,
} from '../../../../test/card-refund.ts';
import { decideDispute, openDispute } from '../../../../test/card-disputes.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { holdPostings, readFloor, setFloor } from '../../../../test/raw-ledger.ts';
import { ath, refusalOf } from '../../../../test/shop.ts';
import { issueTo, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { userAccountId } from '../../../ledger/index.ts';
import { MIGRATIONS_DIR } from '../../../migrations.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { writeOffDebt } from './debts.ts';

const RESTRICTED = { status: 422, code: 'account_restricted' };

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

const buy = (options: Parameters<typeof buyTokens>[2] = {}) => buyTokens(app, sandbox, options);

const send = (from: TestUser, to: TestUser, amount: bigint) =>
  sendTokens(app, { from, to, amount });

const dispute = (order: PaidOrder) => openDispute(app, sandbox, order);

const decide = (disputeId: string, outcome: string) =>
  decideDispute(app, sandbox, disputeId, outcome);

async function run(task: string): Promise<void> {
  await enqueueJob(app.deps.db, task, {});
  await app.runJobs();
}

/** Creates an order of 100 ATH of which 60 are spent, disputed and lost. */
async function owe() {
  const order = await buy();
  await send(order.user, await app.createUser(), 60_000_000n);
  const id = await dispute(order);
  await decide(id, 'lost');
  return { order, id };
}

const debtOf = ({ order }: { order: PaidOrder }) =>
  app.deps.db
    .selectFrom('card_debts')
    .selectAll()
    .where('user_id', '=', order.user.userId)
    .executeTakeFirstOrThrow();

it('[O-135] a debt is filled first by later top-ups, which shrink the loss', async () => {
  const owed = await owe();
  const { user } = owed.order;
  // 40 of the 100 ATH were taken back, so their share of the money is not lost.
  expect(await gained()).toEqual({
    card_provider: FEE + 1_500n,
    provider_fees: -FEE,
    dispute_fees: -1_500n,
    token_sales: 1_683n - 674n,
    programme_fee: 84n - 33n,
    processing_fee: 101n - 40n,
    chargeback_loss: -1_868n + 747n,
  });
  const topUp = await postPayment(app, user, purchaseBody(ath(100)));
  expect(topUp.status).toBe(200);
  await buy({ user });
  expect(await balanceOf(app, user)).toBe('40000000');
  await run('debt_collect');
  expect(await debtOf(owed)).toMatchObject({ repaid_micro_ath: 60_000_000n });
  expect(await gained()).toEqual({
    ...PAID,
    card_provider: PAID.card_provider + FEE + 1_500n,
    provider_fees: -2n * FEE,
    dispute_fees: -1_500n,
  });
});

it('[O-136] a debt restricts until it is repaid, and at most half a minute longer', async () => {
  const owed = await owe();
  const { user } = owed.order;
  const friend = await app.createUser({ balance: ath(500) });
  await send(friend, user, 59_999_999n);
  await run('debt_collect');
  await issueTo(app.deps, user.userId, ath(1));
  expect(refusalOf(await send(user, friend, 1n))).toEqual(RESTRICTED);
  // The run of this minute is over. It enqueued another one for half a minute later.
  app.clock.advance(30_000);
  const { rows } = await sql<{ at: Date }>`
    select run_at as at from graphile_worker.jobs where key = 'debt_collect_again'`.execute(
    app.deps.db,
  );
  expect(rows[0]?.at.getTime()).toBeLessThanOrEqual(app.clock.nowMs() + 1_000);
  await enqueueJob(app.deps.db, 'debt_collect', { isAgain: true });
  await app.runJobs();
  expect((await send(user, friend, 1n)).status).toBe(200);
  const account = userAccountId(user.userId, 'ATH');
  expect(await readFloor(app.deps.db, account)).toBe('0');
});

it('a debt is collected without a lock on the ledger as long as nothing has come in', async () => {
  const owed = await owe();
  await app.admin.transaction().execute(async (tx) => {
    await holdPostings(tx);
    await run('debt_collect');
  });
  expect(await debtOf(owed)).toMatchObject({ repaid_micro_ath: 0n });
});

it('a debt is written off once, by the programme’s account for it', async () => {
  const owed = await owe();
  const { user } = owed.order;
  const { id } = await debtOf(owed);
  const writeOff = () => app.deps.db.transaction().execute((tx) => writeOffDebt(app.deps, tx, id));
  await writeOff();
  await expect(writeOff()).rejects.toMatchObject({ code: 'state_changed' });
  expect(await balanceOf(app, user)).toBe('0');
  expect((await readMovements(app, user))[0]).toEqual(['Receive', 'adjustment', '60000000']);
  expect(await gained()).toMatchObject({ chargeback_loss: -1_121n });
  await issueTo(app.deps, user.userId, ath(1));
  expect((await send(user, await app.createUser(), 1n)).status).toBe(200);
  // The dispute is won by appeal, so the written-off tokens are returned.
  await decide(owed.id, 'reopened');
  await decide(owed.id, 'won');
  expect(await balanceOf(app, user)).toBe('40999999');
  expect(await gained()).toMatchObject({ token_sales: 1_683n });
});

it(
  'a debt is forgiven when its own dispute is won, and the oldest of several is repaid first',
  { tags: 'long' },
  async () => {
    const first = await owe();
    const { user } = first.order;
    const second = await buy({ user });
    // 40 ATH are left after the debt of 60 is repaid.
    await run('debt_collect');
    await send(user, await app.createUser(), 40_000_000n);
    const id = await dispute(second);
    expect(await balanceOf(app, user)).toBe('-100000000');
    await decide(id, 'won');
    expect(await balanceOf(app, user)).toBe('0');
    const debts = await app.deps.db
      .selectFrom('card_debts')
      .select(['repaid_micro_ath', 'amount_micro_ath', 'closed_at'])
      .where('user_id', '=', user.userId)
      .orderBy('id')
      .execute();
    expect(debts.every(({ closed_at: at }) => at !== null)).toBe(true);
    expect(debts.map(({ repaid_micro_ath: repaid }) => repaid)).toEqual([60_000_000n, 0n]);
  },
);

it('a debt keeps its floor in the repair of those that won disputes had left (migration 0138)', async () => {
  const { order } = await owe();
  const freed = await app.createUser({ balance: ath(40) });
  const accountOf = ({ userId }: TestUser) => userAccountId(userId, 'ATH');
  const [owing, left] = [accountOf(order.user), accountOf(freed)];
  await setFloor(app.admin, left, -60_000_000n);
  const file = join(MIGRATIONS_DIR, '0138_floors_of_paid_debts.sql');
  const [repair = ''] = readFileSync(file, 'utf8').split('-- Down Migration');
  await app.admin.transaction().execute((tx) => sql.raw(repair).execute(tx));
  const floors = [owing, left].map((id) => readFloor(app.deps.db, id));
  expect(await Promise.all(floors)).toEqual(['-60000000', '0']);
});

it('a debt leaves no room below 0 when its dispute is won', async () => {
  const order = await buy();
  const { user } = order;
  await send(user, await app.createUser(), 60_000_000n);
  const id = await dispute(order);
  expect(await balanceOf(app, user)).toBe('-60000000');
  await decide(id, 'won');
  expect(await balanceOf(app, user)).toBe('40000000');
  const more = await send(user, await app.createUser(), 40_000_001n);
  expect(more.body.code).toBe('insufficient_balance');
  expect(await readFloor(app.deps.db, userAccountId(user.userId, 'ATH'))).toBe('0');
});
