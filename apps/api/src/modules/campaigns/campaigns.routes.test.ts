import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCampaign, drawCode, redeem, redeemAtLast } from '../../../test/build-reward.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { openSecondApp } from '../../../test/second-app.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { campaignAccountId } from '../../ledger/index.ts';
import { openCampaign } from './open-campaign.ts';

const HOUR_MS = 3_600_000;
const { log, lines } = recordLog();
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ log });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const claimsOf = (userId: bigint) =>
  test.deps.db.selectFrom('reward_claims').selectAll().where('user_id', '=', userId).execute();

/** The remaining budget of the newest campaign. */
async function budgetLeft(): Promise<bigint | undefined> {
  const { id } = await test.deps.db
    .selectFrom('reward_campaigns')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const accountId = campaignAccountId(id);
  return (await test.deps.ledger.balances([accountId])).get(accountId);
}

function someOf<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((left, right) => left - right);

describe('POST reward/:id/redeem', () => {
  it('[S7-019] [D-041] takes the code as path id and no payload, and returns amount and claimed_at', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test);
    const before = test.clock.nowMs();
    const { status, body } = await test.request({
      method: 'POST',
      url: `/api/reward/${code}/redeem`,
      user,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ amount: '25000000', claimed_at: expect.any(String) });
    const claimedAtMs = Date.parse(body.claimed_at);
    expect(claimedAtMs).toBeGreaterThanOrEqual(before);
    expect(claimedAtMs).toBeLessThanOrEqual(test.clock.nowMs());
    expect(await balanceOf(test, user)).toBe('25000000');
    expect(await budgetLeft()).toBe(975_000_000n);
  });

  it('appears in the history as a Reward and stores who claimed what and when', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test);
    const key = randomUUID();
    const { body } = await redeem(test, user, code, { key });
    const history = await test.request({ method: 'GET', url: '/api/all_history', user });
    expect(history.body.history).toMatchObject([{ type: 'Reward', data: { amount: '25000000' } }]);
    const [claim, ...others] = await claimsOf(user.userId);
    expect(others).toEqual([]);
    expect(claim).toMatchObject({ key, amount_micro_ath: 25_000_000n });
    expect(claim?.claimed_at.toISOString()).toBe(body.claimed_at);
  });

  it('accepts any spelling of a code', async () => {
    const codes = await createCampaign(test, { codeCount: 3 });
    const spell = [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replaceAll('-', ' '),
      (code: string) => code.replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l'),
    ];
    for (const [index, code] of codes.entries()) {
      const user = await test.createUser();
      expect((await redeem(test, user, spell[index]?.(code) ?? '')).status).toBe(200);
    }
  });

  it('stores no code and logs none', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test);
    await redeem(test, user, code);
    await redeem(test, user, code);
    const plain = code.replaceAll('-', '');
    expect(lines.join('')).not.toContain(code);
    for (const table of ['reward_codes', 'reward_claims', 'reward_campaigns']) {
      const { rows } = await sql<{ text: string }>`
        select t::text as text from ${sql.table(table)} t`.execute(test.deps.db);
      expect(rows.map(({ text }) => text).join('')).not.toContain(plain);
    }
  });

  it('needs a session, and a key that is a UUID', async () => {
    const [code = ''] = await createCampaign(test);
    const url = `/api/reward/${code}/redeem`;
    expect(refusalOf(await test.request({ method: 'POST', url }))).toEqual({
      status: 401,
      code: 'unauthenticated',
    });
    const refused = await redeem(test, await test.createUser(), code, { key: 'again' });
    expect(refusalOf(refused)).toEqual({ status: 400, code: 'invalid_idempotency_key' });
  });

  it('refuses malformed and unknown codes with the same response', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test);
    const wrong = `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}`;
    const odd = ['x', ' ', '%', '../../balance', "' or 1=1 --", '\0', '💥', 'ſ'.repeat(16), wrong];
    const answers = [];
    for (const text of [drawCode(), ...odd, '7'.repeat(90)]) {
      answers.push(await redeem(test, user, text));
    }
    const { request_id: _id, ...first } = answers[0]?.body ?? {};
    expect(first).toMatchObject({ status: 422, code: 'invalid_reward_code' });
    for (const { body } of answers) expect(body).toMatchObject(first);
  });

  it('refuses a huge code, an incomplete escape sequence and an empty code with 4xx', async () => {
    const user = await test.createUser();
    expect((await redeem(test, user, 'A'.repeat(20_000))).status).toBe(404);
    for (const part of ['%', '%E0%A4%A', '']) {
      const url = `/api/reward/${part}/redeem`;
      const { status } = await test.request({ method: 'POST', url, user });
      expect([400, 404]).toContain(status);
    }
    expect(await claimsOf(user.userId)).toEqual([]);
  });
});

describe('a code', () => {
  it('for one person credits one of twenty users who claim it at once', async () => {
    const users = await twenty(() => test.createUser());
    const [code = ''] = await createCampaign(test);
    const answers = await twenty((index) => redeemAtLast(test, someOf(users, index), code));
    expect(statuses(answers)).toEqual([200, ...Array<number>(19).fill(409)]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['reward_used_up']));
    expect(await budgetLeft()).toBe(975_000_000n);
  });

  it('credits a user once, even if it is claimed twenty times at once under different keys', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test, { codeClaimCountMax: 100 });
    const answers = await twenty(() => redeemAtLast(test, user, code));
    expect(statuses(answers)).toEqual([200, ...Array<number>(19).fill(409)]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['reward_claimed']));
    expect(await balanceOf(test, user)).toBe('25000000');
  });

  it('credits once under one key in two processes at once, with the same response from both', async () => {
    const second = await openSecondApp(test);
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test);
    const key = randomUUID();
    const answers = await twenty((index) =>
      redeemAtLast(index % 2 ? test : second, user, code, { key }),
    );
    expect(statuses(answers)).toEqual(Array<number>(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balanceOf(test, user)).toBe('25000000');
    expect(await claimsOf(user.userId)).toHaveLength(1);
    await second.close();
  });

  it('for many can be claimed by as many users as it allows, and no more', async () => {
    const users = await twenty(() => test.createUser());
    const [code = ''] = await createCampaign(test, { codeClaimCountMax: 7 });
    const answers = await Promise.all(users.map((user) => redeemAtLast(test, user, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(await budgetLeft()).toBe(825_000_000n);
  });
});

describe('a key', () => {
  it('gets the first response again, even after the campaign has ended and the reward was spent', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test, {
      endsAt: new Date(test.clock.nowMs() + 60_000),
    });
    const key = randomUUID();
    const first = await redeem(test, user, code, { key });
    test.clock.advance(60_000);
    const again = await redeem(test, user, code.toLowerCase(), { key });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await balanceOf(test, user)).toBe('25000000');
  });

  it('of one code is refused for another one', async () => {
    const user = await test.createUser();
    const [first = '', other = ''] = await createCampaign(test, { codeCount: 2 });
    const key = randomUUID();
    expect((await redeem(test, user, first, { key })).status).toBe(200);
    for (const code of [other, drawCode()]) {
      expect(refusalOf(await redeem(test, user, code, { key }))).toEqual({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
    expect(await balanceOf(test, user)).toBe('25000000');
    expect((await redeem(test, user, other)).status).toBe(200);
  });

  it('belongs to its user: another user may use the same key', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const codes = await createCampaign(test, { codeCount: 2 });
    const key = randomUUID();
    expect((await redeem(test, ada, codes[0] ?? '', { key })).status).toBe(200);
    expect((await redeem(test, ben, codes[1] ?? '', { key })).status).toBe(200);
    expect(await balanceOf(test, ben)).toBe('25000000');
  });

  it('is not used up by a refusal', async () => {
    const user = await test.createUser();
    const [code = ''] = await createCampaign(test, {
      startsAt: new Date(test.clock.nowMs() + 60_000),
    });
    const key = randomUUID();
    expect((await redeem(test, user, code, { key })).status).toBe(409);
    test.clock.advance(60_000);
    expect((await redeem(test, user, code, { key })).status).toBe(200);
  });
});

describe('a campaign', () => {
  it("gives out nothing before its start or from its end on, by the server's clock", async () => {
    const startsAt = new Date(test.clock.nowMs() + HOUR_MS);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    const [first = '', second = ''] = await createCampaign(test, {
      codeCount: 2,
      startsAt,
      endsAt,
    });
    const user = await test.createUser();
    const refused = { status: 409, code: 'reward_not_running' };
    const { status, body } = await test.request({
      method: 'POST',
      url: `/api/reward/${first}/redeem`,
      user,
      headers: { date: new Date(startsAt.getTime() + 1000).toUTCString() },
    });
    expect({ status, code: body.code }).toEqual(refused);
    test.clock.advance(HOUR_MS);
    expect((await redeem(test, user, first)).status).toBe(200);
    test.clock.advance(HOUR_MS);
    expect(refusalOf(await redeem(test, user, second))).toEqual(refused);
    test.clock.advance(-HOUR_MS);
    expect((await redeem(test, user, second)).status).toBe(200);
  });

  it('never gives out more than its budget, however many claims arrive at once', async () => {
    const users = await twenty(() => test.createUser());
    const codes = await createCampaign(test, { codeCount: 20, amount: ath(30), budget: ath(100) });
    const answers = await twenty((index) =>
      redeemAtLast(test, someOf(users, index), codes[index] ?? ''),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['reward_used_up']));
    expect(await budgetLeft()).toBe(10_000_000n);
    const counted = await test.deps.db
      .selectFrom('reward_campaigns')
      .select('claim_count')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(counted.claim_count).toBe(3);
  });

  it('keeps its total limit and its limit per user, however many claims arrive at once', async () => {
    const users = await twenty(() => test.createUser());
    const limited = await createCampaign(test, { codeCount: 20, claimCountMax: 5 });
    const ofAll = await twenty((index) =>
      redeemAtLast(test, someOf(users, index), limited[index] ?? ''),
    );
    expect(ofAll.filter(({ status }) => status === 200)).toHaveLength(5);
    const user = await test.createUser();
    const codes = await createCampaign(test, { codeCount: 20, userClaimCountMax: 2 });
    const ofOne = await twenty((index) => redeemAtLast(test, user, codes[index] ?? ''));
    expect(ofOne.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = ofOne.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(
      new Set(['reward_limit_reached']),
    );
    expect(await balanceOf(test, user)).toBe('50000000');
  });

  it('is opened and funded once per key', async () => {
    const draft = {
      key: randomUUID(),
      title: 'Once',
      amount: ath(1),
      budget: ath(9),
      startsAt: new Date(0),
      endsAt: new Date(1),
      codes: [{ code: drawCode(), claimCountMax: 1 }],
    };
    await openCampaign(test.deps, draft);
    await openCampaign(test.deps, { ...draft, codes: [{ code: drawCode(), claimCountMax: 1 }] });
    expect(await budgetLeft()).toBe(9_000_000n);
    const campaigns = await test.deps.db
      .selectFrom('reward_campaigns')
      .innerJoin('reward_codes', 'campaign_id', 'reward_campaigns.id')
      .select('reward_campaigns.id')
      .where('key', '=', draft.key)
      .execute();
    expect(campaigns).toHaveLength(1);
  });
});
