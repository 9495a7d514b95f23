/** Claims that wait for the same campaign share a transaction, and each gets its own answer. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCampaign, redeem, redeemAtLast } from '../../../test/build-reward.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, balanceOf, twenty } from '../../../test/shop.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../test/test-app.ts';
import { userAccountId } from '../../ledger/index.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

/** Holds the newest campaign until `claimantCount` users have been counted as guessing and a claim waits. Then calls `meanwhile`. */
async function holdCampaign(
  claimantCount: number,
  ask: () => Promise<TestAnswer[]>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<TestAnswer[]> {
  const { db } = test.deps;
  await db.deleteFrom('attempt_counters').execute();
  const { answers } = await db.transaction().execute(async (tx) => {
    await sql`select from reward_campaigns order by id desc limit 1 for update`.execute(tx);
    const asked = ask();
    const isHeld = async (): Promise<boolean> => {
      // Within a transaction, pg_stat_activity would go on showing what it showed first.
      await sql`select pg_stat_clear_snapshot()`.execute(tx);
      const { rows } = await sql`
        select from attempt_counters
         where exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')
        having count(*) >= ${claimantCount}`.execute(tx);
      return rows.length > 0;
    };
    await expect.poll(isHeld, { timeout: 15_000 }).toBe(true);
    await meanwhile();
    return { answers: asked };
  });
  return answers;
}

/** The number of transactions in which the claims of a campaign were made. */
async function transactionCount(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::integer as count from reward_claims
     where campaign_id = (select max(id) from reward_campaigns)`.execute(test.deps.db);
  return rows[0]?.count ?? 0;
}

it('twenty claims at once share a few transactions, up to the budget, and the last of a code goes to one user', async () => {
  const users = await twenty(() => test.createUser());
  const [shared = '', ...own] = await createCampaign(test, {
    codeCount: 17,
    amount: ath(10),
    budget: ath(120),
  });
  // Four users want the same code.
  const codeOf = (index: number): string => own[index - 4] ?? shared;
  const answers = await holdCampaign(users.length, () =>
    Promise.all(users.map((user, index) => redeemAtLast(test, user, codeOf(index)))),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ body }) => body.code)).toEqual(Array(8).fill('reward_used_up'));
  expect(answers.slice(0, 4).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const [index, user] of users.entries()) {
    expect(await balanceOf(test, user)).toBe(answers[index]?.status === 200 ? '10000000' : '0');
  }
  expect(await transactionCount()).toBeLessThan(8);
});

it('a claim that the ledger refuses does not touch the others of its transaction', async () => {
  const users = await twenty(() => test.createUser());
  const codes = await createCampaign(test, { codeCount: 20 });
  const barred = users.slice(8, 11);
  await test.deps.db.transaction().execute(async (tx) => {
    for (const { userId } of barred) {
      await test.deps.ledger.setAccountState(tx, userAccountId(userId, 'ATH'), 'closed');
    }
  });
  const answers = await holdCampaign(users.length, () =>
    Promise.all(users.map((user, index) => redeemAtLast(test, user, codes[index] ?? ''))),
  );
  const expected = users.map((user) => (barred.includes(user) ? 'account_restricted' : undefined));
  expect(answers.map(({ body }) => body.code)).toEqual(expected);
  expect(await transactionCount()).toBeLessThan(8);
});

it('a claim that a failover has lost is not credited by its repeat', async () => {
  const user = await test.createUser();
  const [code = ''] = await createCampaign(test);
  const key = randomUUID();
  // The row that the process read before the failover. The new primary has no transfer to it.
  const id = randomUUID();
  await sql`
    insert into reward_claims (id, user_id, key, code_hash, campaign_id, amount_micro_ath, claimed_at)
    select ${id}, ${user.userId}, ${key}, code_hash, campaign_id, 25000000, now() from reward_codes
     where campaign_id = (select max(id) from reward_campaigns)`.execute(test.deps.db);
  const { status, body } = await redeem(test, user, code, { key });
  expect([status, body.code]).toEqual([503, 'try_again']);
  expect(await balanceOf(test, user)).toBe('0');
  await sql`delete from reward_claims where id = ${id}`.execute(test.deps.db);
  expect((await redeem(test, user, code, { key })).status).toBe(200);
  expect(await balanceOf(test, user)).toBe('25000000');
});

it('claims whose connection dies in the middle are repeated, each once, and each key keeps its answer', async () => {
  const claims = await twenty(async (index) => ({
    user: await test.createUser(),
    key: randomUUID(),
    index,
  }));
  const codes = await createCampaign(test, { codeCount: 20 });
  const ask = () =>
    Promise.all(
      claims.map(({ user, key, index }) => redeem(test, user, codes[index] ?? '', { key })),
    );
  const answers = await holdCampaign(claims.length, ask, async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(test.deps.db);
    expect(rows.length).toBeGreaterThan(0);
  });
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await ask()).map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
  for (const { user } of claims) expect(await balanceOf(test, user)).toBe('25000000');
});
