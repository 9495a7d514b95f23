import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../test/accounts.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import {
  consoleAs,
  createStaffMember,
  signInStaff,
  type ConsoleCaller,
} from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { holdPostings } from '../../../test/raw-ledger.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { systemAccountId, userAccountId, type SystemAccount } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

let test: TestApp;
let support: ConsoleCaller;
let finance: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
  finance = await consoleAs(test, ['finance']);
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const REASON = 'A wrong charge last week';
const micro = (whole: number): string => ath(whole).toString();

const credit = (
  { uuid }: TestUser,
  whole: number,
  { by = support, key = randomUUID() }: { by?: ConsoleCaller; key?: string } = {},
): Promise<TestAnswer> =>
  by.call('creditCustomer', {
    params: { uuid },
    body: { amount: micro(whole), reason: REASON },
    key,
  });
const debit = (
  { uuid }: TestUser,
  whole: number,
  by: ConsoleCaller = support,
): Promise<TestAnswer> =>
  by.call('debitCustomer', { params: { uuid }, body: { amount: micro(whole), reason: REASON } });
const approve = (id: string, by: ConsoleCaller = owner): Promise<TestAnswer> =>
  by.call('approveRequest', { params: { id } });

async function held(account: SystemAccount): Promise<bigint> {
  const id = systemAccountId(account, 'ATH');
  return (await test.deps.ledger.balances([id])).get(id) ?? -1n;
}

async function fund(whole: number): Promise<void> {
  const { body } = await finance.call('fundGoodwill', {
    body: { amount: micro(whole), reason: REASON },
  });
  expect(body.outcome).toBe('requested');
  for (let vote = 0; vote < body.votes_needed; vote += 1) {
    await approve(body.approval_id, await consoleAs(test, ['provider_owner']));
  }
}

async function historyOf(user: TestUser): Promise<unknown[]> {
  const { body } = await test.request({ method: 'GET', url: '/api/all_history', user });
  return body.history.map(
    ({ type, data }: { type: string; data: { amount: string; reason?: string } }) => [
      type,
      data.amount,
      data.reason,
    ],
  );
}

const stateOf = async (id: string, by: ConsoleCaller = owner): Promise<string> =>
  (await by.call('approval', { params: { id } })).body.state;

describe('a credit from goodwill', () => {
  it('[O-144] is given at once within the policy, and the customer sees why', async () => {
    await fund(1_000);
    const ada = await test.createUser();
    const before = await held('goodwill');
    const key = randomUUID();
    const answers = [await credit(ada, 50, { key }), await credit(ada, 50, { key })];
    expect(answers.map(({ body }) => body)).toEqual([{ outcome: 'done' }, { outcome: 'done' }]);
    expect(await balanceOf(test, ada)).toBe(micro(50));
    expect(before - (await held('goodwill'))).toBe(ath(50));
    expect(await historyOf(ada)).toEqual([['Receive', micro(50), 'adjustment']]);
  });

  it('[O-145] waits above the policy with its value held, and is paid from the held value', async () => {
    await fund(100);
    const ada = await test.createUser();
    const [goodwill, holds] = [await held('goodwill'), await held('holds')];
    const { body } = await credit(ada, 51);
    expect(body.outcome).toBe('requested');
    expect([await held('goodwill'), await held('holds')]).toEqual([
      goodwill - ath(51),
      holds + ath(51),
    ]);
    expect(await balanceOf(test, ada)).toBe('0');
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    expect(await held('holds')).toBe(holds);
    expect(await balanceOf(test, ada)).toBe(micro(51));
  });

  it(
    'needs a vote once one customer has had 200 ATH in 30 days, even if twenty come at once',
    { tags: 'long' },
    async () => {
      await fund(2_000);
      const ada = await test.createUser();
      const people = await Promise.all(
        Array.from({ length: 20 }, () => consoleAs(test, ['support'])),
      );
      const answers = await twenty((index) => credit(ada, 40, { by: people[index] ?? support }));
      expect(answers.filter(({ body }) => body.outcome === 'done')).toHaveLength(5);
      expect(answers.filter(({ body }) => body.outcome === 'requested')).toHaveLength(15);
      expect(await balanceOf(test, ada)).toBe(micro(200));
    },
  );

  it('needs a vote once one person has given 1,000 ATH in a day', async () => {
    await fund(2_000);
    for (let count = 0; count < 20; count += 1) {
      const advance = stopClock(test);
      advance(1_000);
      await support.prove();
      expect((await credit(await test.createUser(), 50)).body.outcome).toBe('done');
    }
    expect((await credit(await test.createUser(), 1)).body.outcome).toBe('requested');
  });

  it('is refused above the budget, to an unknown customer, and to one’s own wallet', async () => {
    const [ada, own] = [await test.createUser(), await test.createUser()];
    expect(refusalOf(await credit(ada, 1_000_000))).toEqual({
      status: 422,
      code: 'insufficient_balance',
    });
    expect(refusalOf(await credit({ ...ada, uuid: randomUUID() }, 1))).toEqual({
      status: 404,
      code: 'not_found',
    });
    const self = await consoleAs(test, ['support'], { walletUuid: own.uuid });
    expect(refusalOf(await credit(own, 1, { by: self }))).toEqual({
      status: 403,
      code: 'own_account',
    });
    expect(await balanceOf(test, own)).toBe('0');
  });
});

describe('a debit', () => {
  it('always needs a vote, and takes the value when it is requested', async () => {
    const ada = await test.createUser({ balance: ath(10) });
    const taken = await held('adjustments');
    const { body } = await debit(ada, 4);
    expect(body.outcome).toBe('requested');
    expect(await balanceOf(test, ada)).toBe(micro(6));
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    expect((await held('adjustments')) - taken).toBe(ath(4));
    expect((await historyOf(ada)).slice(0, 1)).toEqual([['Send', micro(4), 'held']]);
    expect(refusalOf(await debit(ada, 7))).toEqual({ status: 422, code: 'insufficient_balance' });
  });

  it.each(['reject', 'withdraw', 'expire', 'suspend'] as const)(
    '[O-146] gives the value back once after: %s',
    async (how) => {
      const advance = stopClock(test);
      const ada = await test.createUser({ balance: ath(10) });
      const account = userAccountId(ada.userId, 'ATH');
      const person = await createStaffMember(test, ['support']);
      const asking = await signInStaff(test, person);
      const id: string = (await debit(ada, 4, asking)).body.approval_id;
      const params = { id };
      if (how === 'reject') await owner.call('rejectRequest', { params, body: { reason: REASON } });
      if (how === 'withdraw') await asking.call('withdrawRequest', { params });
      if (how === 'suspend') {
        await owner.call('suspendStaff', {
          params: { id: person.staffId },
          body: { reason: REASON },
        });
      }
      if (how === 'expire') {
        advance(72 * 3_600_000);
        await enqueueJob(test.deps.db, 'approvals_end_expired', {});
      }
      for (let run = 0; run < 2; run += 1) {
        await test.runJobs();
        await enqueueJob(test.deps.db, 'approvals_give_back', { id });
      }
      await test.runJobs();
      expect((await test.deps.ledger.balances([account])).get(account)).toBe(ath(10));
      const { body } = await (
        await consoleAs(test, ['provider_owner'])
      ).call('approval', { params });
      expect([body.is_value_held, body.votes_given]).toEqual([false, 0]);
      if (how === 'expire') return; // By then, the customer's session has expired too.
      expect((await historyOf(ada)).slice(0, 2)).toEqual([
        ['Receive', micro(4), 'released'],
        ['Send', micro(4), 'held'],
      ]);
    },
  );

  it('needs two votes above 1,000 USD', async () => {
    const ada = await test.createUser({ balance: ath(10_000) });
    const { body } = await debit(ada, 10_000);
    expect(body.votes_needed).toBe(2);
    expect((await approve(body.approval_id)).body.state).toBe('pending');
    const second = await consoleAs(test, ['provider_owner']);
    expect((await approve(body.approval_id, second)).body.state).toBe('executed');
  });

  it('moves the value once when twenty votes and a rejection come at the same time', async () => {
    const ada = await test.createUser({ balance: ath(10) });
    const [holds, taken] = [await held('holds'), await held('adjustments')];
    const { approval_id: id } = (await debit(ada, 4)).body;
    const voters = await Promise.all(
      Array.from({ length: 20 }, () => consoleAs(test, ['provider_owner'])),
    );
    const [rejected, ...votes] = await Promise.all([
      owner.call('rejectRequest', { params: { id }, body: { reason: REASON } }),
      ...voters.map((voter) => approve(id, voter)),
    ]);
    await test.runJobs();
    expect([rejected, ...votes].filter(({ status }) => status === 200)).toHaveLength(1);
    const isRejected = rejected.status === 200;
    expect(await held('holds')).toBe(holds);
    expect((await held('adjustments')) - taken).toBe(isRejected ? 0n : ath(4));
    expect(await balanceOf(test, ada)).toBe(micro(isRejected ? 10 : 6));
  });

  it('is carried out by the next vote if the connection of the first breaks before its movement', async () => {
    const ada = await test.createUser({ balance: ath(10) });
    const [holds, taken] = [await held('holds'), await held('adjustments')];
    const { approval_id: id } = (await debit(ada, 4)).body;
    const { vote } = await test.admin.transaction().execute(async (tx) => {
      await holdPostings(tx);
      const started = { vote: approve(id) };
      await waitForLock(test);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
      return started;
    });
    expect((await vote).status).toBeGreaterThanOrEqual(500);
    expect([await stateOf(id), await held('holds')]).toEqual(['pending', holds + ath(4)]);
    expect((await approve(id)).body).toEqual({ state: 'executed', votes_given: 1 });
    expect((await held('adjustments')) - taken).toBe(ath(4));
  });
});

describe('deleting an account', () => {
  const remove = ({ token }: TestUser) =>
    test.request({
      method: 'POST',
      url: '/api/account/delete',
      headers: { authorization: `Bearer ${token}` },
      payload: { password: PASSWORD },
      key: randomUUID(),
    });

  it('is refused while its value is held', async () => {
    const ada = await openUser(test, ath(10));
    const { approval_id: id } = (await debit(ada, 4)).body;
    expect(refusalOf(await remove(ada))).toEqual({ status: 409, code: 'value_held' });
    await owner.call('rejectRequest', { params: { id }, body: { reason: REASON } });
    await test.runJobs();
    expect((await remove(ada)).status).toBe(200);
  });

  it('fails a waiting credit, whose value goes back to goodwill', async () => {
    await fund(100);
    const ada = await openUser(test, ath(1));
    const [goodwill, holds] = [await held('goodwill'), await held('holds')];
    const { approval_id: id } = (await credit(ada, 60)).body;
    expect((await remove(ada)).status).toBe(200);
    expect((await approve(id)).body.state).toBe('failed');
    await test.runJobs();
    expect([await held('goodwill'), await held('holds')]).toEqual([goodwill, holds]);
    const { body } = await owner.call('approval', { params: { id } });
    expect([body.failure, body.reason]).toEqual(['not_found', '']);
  });
});
