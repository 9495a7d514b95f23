/** Staff erase a customer: one person requests it, another decides, and then the account is deleted as usual. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balanceWith, mailsTo, openUser, PASSWORD, signIn } from '../../../test/accounts.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { holdPostings } from '../../../test/raw-ledger.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../ledger/index.ts';
import { verifyAudit } from '../../platform/audit/verify.ts';

const REASON = 'Wilhelmina wrote to us and wants to leave';

let test: TestApp;
let support: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const erase = (
  { uuid }: TestUser,
  { by = support, key = randomUUID() }: { by?: ConsoleCaller; key?: string } = {},
): Promise<TestAnswer> =>
  by.call('eraseCustomer', { params: { uuid }, body: { reason: REASON }, key });
const approve = (id: string, by: ConsoleCaller = owner): Promise<TestAnswer> =>
  by.call('approveRequest', { params: { id } });
const requestFor = async (user: TestUser): Promise<string> => {
  const { body } = await erase(user);
  expect(body.outcome).toBe('requested');
  return body.approval_id;
};
const endOf = async (id: string): Promise<[string, string | null]> => {
  const { body } = await owner.call('approval', { params: { id } });
  return [body.state, body.failure];
};
const removeOwn = ({ token }: TestUser): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/delete',
    headers: { authorization: `Bearer ${token}` },
    payload: { password: PASSWORD },
    key: randomUUID(),
  });

async function held(userId?: bigint): Promise<bigint> {
  const id =
    userId === undefined ? systemAccountId('breakage', 'ATH') : userAccountId(userId, 'ATH');
  return (await test.deps.ledger.balances([id])).get(id) ?? -1n;
}
const closuresOf = async ({ userId }: TestUser): Promise<number> => {
  const rows = await test.deps.db
    .selectFrom('account_closures')
    .select('key')
    .where('user_id', '=', userId)
    .execute();
  return rows.length;
};

const insertOrder = async ({ userId }: TestUser): Promise<string> => {
  const id = randomUUID();
  const now = new Date(test.clock.nowMs());
  await test.deps.db
    .insertInto('card_orders')
    .values({
      id,
      user_id: userId,
      state: 'open',
      amount_micro_ath: 1_000_000n,
      usd_per_ath: '0.1683',
      price_usd_cents: 1000n,
      product_fee_usd_cents: 50n,
      processing_fee_usd_cents: 60n,
      total_usd_cents: 1110n,
      intent_id: randomUUID(),
      created_at: now,
      expires_at: now,
    })
    .execute();
  return id;
};

describe('erasing a customer', () => {
  it('[O-081] does what the deletion of an account does, by a vote, and says so in numbers before', async () => {
    const ada = await openUser(test, ath(12));
    const breakage = await held();
    const { body: facts } = await support.call('customerErasure', { params: { uuid: ada.uuid } });
    expect(facts).toEqual({
      balances: { ATH: '12000000', ATH2: '0', ATH3: '0' },
      session_count: 1,
      unredeemed_count: 0,
      obstacle: null,
    });
    const id = await requestFor(ada);
    expect((await balanceWith(test, ada.token)).status).toBe(200);
    const shown = await owner.call('approval', { params: { id } });
    expect(shown.body).toMatchObject({
      action: 'customer.erase',
      customer_uuid: ada.uuid,
      amount: { asset: 'ATH', units: '12000000' },
      after: { state: 'erased', forfeits: ['12 ATH'] },
      usd_cents: 202,
    });

    expect((await approve(id)).body).toEqual({ state: 'executed', votes_given: 1 });
    expect(refusalOf(await balanceWith(test, ada.token)).code).toBe('session_ended');
    expect((await signIn(test, ada.email)).body.code).toBe('incorrect_credentials');
    expect([await held(), await held(ada.userId)]).toEqual([breakage + ath(12), 0n]);
    await test.runJobs();
    const [mail, ...more] = mailsTo(test, ada.email).filter(({ text }) => text.includes('deleted'));
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/We deleted your account on \w+ \d/);
    expect(mail?.text).toContain('ATH: 12.00');
    const closure = await test.deps.db
      .selectFrom('account_closures')
      .selectAll()
      .where('user_id', '=', ada.userId)
      .executeTakeFirstOrThrow();
    expect(closure).toMatchObject({ key: id, mail_to: null, erased_at: expect.any(Date) });
  });

  it('[O-161] empties what the audit says of the customer, and the chain still verifies', async () => {
    const ada = await openUser(test, ath(1));
    await support.call('endCustomerSessions', {
      params: { uuid: ada.uuid },
      body: { reason: REASON },
    });
    await approve(await requestFor(ada));
    const before = await verifyAudit({ databaseUrl: test.deps.config.databaseUrl });
    await test.runJobs();
    const { rows } = await sql<{ place: string }>`
      select 'audit' as place from audit_details where details ilike '%wilhelmina%'
      union all select 'requests' from approvals where reason ilike '%wilhelmina%'`.execute(
      test.deps.db,
    );
    expect(rows).toEqual([]);
    const after = await verifyAudit({
      databaseUrl: test.deps.config.databaseUrl,
      knownHead: before.head,
    });
    expect(after).toMatchObject({ fault: undefined, head: before.head });
    const auditor = await consoleAs(test, ['auditor']);
    const { body } = await auditor.call('auditEntries', { query: { subject_id: ada.uuid } });
    const [executed] = body.items;
    expect(executed).toMatchObject({
      action: 'customer.erase',
      outcome: 'done',
      staff: { id: support.staffId },
    });
    const entry = await auditor.call('auditEntry', { params: { id: executed.id } });
    expect(entry.body).toMatchObject({ before: null, after: null, is_emptied: true });
  });

  it('takes a vote whatever the policy says, and never one’s own', async () => {
    await test.deps.db
      .insertInto('programme_settings')
      .values({
        key: 'policy_erasure',
        value: JSON.stringify({ direct_max: 10_000, votes: 1, voters: 'anyone' }),
        changed_by: 'test',
        changed_at: new Date(),
      })
      .execute();
    const ada = await openUser(test);
    const both = await consoleAs(test, ['support', 'provider_owner']);
    const { body } = await erase(ada, { by: both });
    expect(body.outcome).toBe('requested');
    expect(refusalOf(await approve(body.approval_id, both)).code).toBe('own_request');
    const self = await consoleAs(test, ['support'], { walletUuid: ada.uuid });
    expect(refusalOf(await erase(ada, { by: self })).code).toBe('own_account');
    const own = await consoleAs(test, ['provider_owner'], { walletUuid: ada.uuid });
    expect(refusalOf(await approve(body.approval_id, own)).code).toBe('own_account');
    expect(refusalOf(await erase(ada, { by: owner })).code).toBe('permission_missing');
    expect(await closuresOf(ada)).toBe(0);
    await test.deps.db.deleteFrom('programme_settings').execute();
  });

  it('is refused for an unknown or erased customer', async () => {
    const ada = await openUser(test);
    await approve(await requestFor(ada));
    for (const uuid of [ada.uuid, randomUUID()]) {
      expect(refusalOf(await erase({ ...ada, uuid }))).toEqual({ status: 404, code: 'not_found' });
      const facts = await support.call('customerErasure', { params: { uuid } });
      expect(facts.status).toBe(404);
    }
  });
});

describe('whoever cannot leave yet cannot be erased:', () => {
  const hindrances: Record<string, (user: TestUser) => Promise<unknown>> = {
    payments_open: insertOrder,
    account_restricted: ({ uuid }) =>
      support.call('placeHold', {
        params: { uuid },
        body: { kinds: ['redeem'], reason: REASON },
      }),
    value_held: ({ uuid }) =>
      support.call('debitCustomer', {
        params: { uuid },
        body: { amount: '1000000', reason: REASON },
      }),
    balance_negative: ({ userId }) =>
      test.deps.db.transaction().execute((tx) =>
        test.deps.ledger.clawBackInTx(tx, [
          {
            debitAccountId: userAccountId(userId, 'ATH'),
            creditAccountId: systemAccountId('dispute_hold', 'ATH'),
            amountUnits: ath(50),
            kind: TransferKind.Chargeback,
            key: randomUUID(),
            line: 0,
          },
        ]),
      ),
  };

  it.each(Object.keys(hindrances))(
    '%s, when it is asked for and at the last vote',
    async (code) => {
      const ada = await openUser(test, ath(5));
      const id = await requestFor(ada);
      await hindrances[code]?.(ada);
      const facts = await support.call('customerErasure', { params: { uuid: ada.uuid } });
      expect(facts.body.obstacle.code).toBe(code);
      expect(refusalOf(await erase(ada)).code).toBe(code);
      expect((await approve(id)).body.state).toBe('failed');
      expect(await endOf(id)).toEqual(['failed', code]);
      expect(await closuresOf(ada)).toBe(0);
      expect((await signIn(test, ada.email)).status).toBe(200);
    },
  );

  it('and asking ends no payment that has just begun', async () => {
    const ada = await openUser(test);
    const id = await insertOrder(ada);
    const order = test.deps.db.updateTable('card_orders').where('id', '=', id);
    await order.set({ state: 'creating', intent_id: null }).execute();
    await requestFor(ada);
    await support.call('customerErasure', { params: { uuid: ada.uuid } });
    const { state } = await test.deps.db
      .selectFrom('card_orders')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('creating');
  });
});

describe('between the request and the last vote', () => {
  it('a balance that has changed ends it as stale', async () => {
    const ada = await openUser(test, ath(5));
    const ben = await test.createUser({ balance: ath(2) });
    const id = await requestFor(ada);
    await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      payload: { amount: '1', to_uuid: ada.uuid },
      user: ben,
      key: randomUUID(),
    });
    expect((await approve(id)).body.state).toBe('stale');
    expect(await balanceOf(test, ada)).toBe('5000001');
  });

  it('value that arrives while the last vote is cast is not forfeited', async () => {
    const ada = await openUser(test, ath(5));
    const ben = await test.createUser({ balance: ath(2) });
    const id = await requestFor(ada);
    const { vote, sent } = await test.admin.transaction().execute(async (tx) => {
      await holdPostings(tx);
      const started = test.request({
        method: 'POST',
        url: '/api/account/transfer',
        payload: { amount: '1000000', to_uuid: ada.uuid },
        user: ben,
        key: randomUUID(),
      });
      await waitForLock(test);
      // The send waits for the ledger before the vote does, so the vote sees the balance from before the send.
      return { sent: started, vote: approve(id) };
    });
    expect((await sent).status).toBe(200);
    const { state } = (await vote).body;
    expect(['failed', 'stale']).toContain(state);
    expect(await balanceOf(test, ada)).toBe('6000000');
  });

  it('the customer leaves, and the vote finds nobody to erase', async () => {
    const ada = await openUser(test, ath(3));
    const breakage = await held();
    const id = await requestFor(ada);
    expect((await removeOwn(ada)).status).toBe(200);
    expect((await approve(id)).body.state).toBe('failed');
    await test.runJobs();
    expect(await held()).toBe(breakage + ath(3));
    expect(await closuresOf(ada)).toBe(1);
    expect((await endOf(id))[1]).toBe('not_found');
  });

  it('twenty votes and the customer’s own deletion close the account once', async () => {
    const ada = await openUser(test, ath(3));
    const breakage = await held();
    const id = await requestFor(ada);
    const voters = await twenty(() => consoleAs(test, ['provider_owner']));
    const [removed, ...votes] = await Promise.all([
      removeOwn(ada),
      ...voters.map((voter) => approve(id, voter)),
    ]);
    expect(votes.filter(({ status }) => status >= 500)).toEqual([]);
    expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
    await test.runJobs();
    expect(await closuresOf(ada)).toBe(1);
    expect(await held()).toBe(breakage + ath(3));
    const mails = mailsTo(test, ada.email).filter(({ text }) => text.includes('deleted'));
    expect(mails).toHaveLength(1);
    const isByStaff = votes.some(({ body }) => body.state === 'executed');
    // If the account closes while the password is checked, the owner is told to try again.
    expect(['try_again', 'session_ended']).toContain(isByStaff ? removed.body.code : 'try_again');
    expect(removed.status === 200).toBe(!isByStaff);
  });

  it('a connection that breaks in the middle of the vote leaves everything, and the next vote erases', async () => {
    const ada = await openUser(test, ath(4));
    const breakage = await held();
    const id = await requestFor(ada);
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
    expect([await endOf(id), await closuresOf(ada)]).toEqual([['pending', null], 0]);
    expect((await balanceWith(test, ada.token)).status).toBe(200);
    expect((await approve(id)).body.state).toBe('executed');
    expect(await held()).toBe(breakage + ath(4));
  });
});
