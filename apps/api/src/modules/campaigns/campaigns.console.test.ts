/** Campaigns that staff create, fund, run and end. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { drawCode, redeem, redeemAtLast } from '../../../test/build-reward.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp } from '../../../test/test-app.ts';
import { campaignAccountId, systemAccountId } from '../../ledger/index.ts';
import { insertCodes } from './campaigns.sql.ts';
import { hashCode } from './open-campaign.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REASON = 'The summer of the brand';

let test: TestApp;
let brand: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

type Terms = ConsoleBodyOf<'createCampaign'>;

const terms = (over: Partial<Terms> = {}): Terms => ({
  title: 'Summer',
  amount: '25000000',
  starts_at: new Date(test.clock.nowMs() - HOUR_MS).toISOString(),
  ends_at: new Date(test.clock.nowMs() + HOUR_MS).toISOString(),
  claim_count_max: null,
  user_claim_count_max: null,
  audience: { kind: 'all' },
  ...over,
});

async function draft(over: Partial<Terms> = {}): Promise<number> {
  const { status, body } = await brand.call('createCampaign', { body: terms(over) });
  expect([status, body.state]).toEqual([200, 'draft']);
  return body.id;
}

async function requestBudget(id: number, amount: string): Promise<string> {
  const { body } = await brand.call('fundCampaign', {
    params: { id },
    body: { amount, reason: REASON },
  });
  expect(body.outcome).toBe('requested');
  return body.approval_id;
}

const approve = (id: string, by = owner) => by.call('approveRequest', { params: { id } });

async function fund(id: number, amount = '1000000000'): Promise<void> {
  expect((await approve(await requestBudget(id, amount))).body.state).toBe('executed');
}

const start = (id: number) => brand.call('startCampaign', { params: { id } });
const pause = (id: number) => brand.call('pauseCampaign', { params: { id } });
const end = (id: number, by = brand) =>
  by.call('endCampaign', { params: { id }, body: { reason: REASON } });
const shown = async (id: number) => (await owner.call('campaign', { params: { id } })).body;

async function running(over: Partial<Terms> = {}): Promise<number> {
  const id = await draft(over);
  await fund(id);
  expect((await start(id)).body.state).toBe('running');
  return id;
}

async function codesOf(campaignId: number, count = 1): Promise<string[]> {
  const codes = Array.from({ length: count }, drawCode);
  const rows = codes.map((code) => ({
    code_hash: hashCode(code, test.deps.config.hashingKeys),
    campaign_id: campaignId,
    claim_count_max: 1,
  }));
  await test.deps.db.transaction().execute((tx) => insertCodes(tx, rows));
  return codes;
}

function someOf<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((left, right) => left - right);

/** The movements of the campaign's account. */
async function journalOf(id: number): Promise<{ kind: string; object: unknown }[]> {
  const account = campaignAccountId(id).toString();
  const { body } = await owner.call('ledgerTransfers', { query: { account_id: account } });
  return body.items;
}

async function issued(): Promise<bigint> {
  const account = systemAccountId('issuance', 'ATH');
  return 0n - ((await test.deps.ledger.balances([account])).get(account) ?? 0n);
}

describe('a campaign', () => {
  it('gets its budget by a vote of the other organisation, and gives out once it is started', async () => {
    const id = await draft();
    const [code = ''] = await codesOf(id);
    const user = await test.createUser();
    const refused = { status: 409, code: 'reward_not_running' };
    expect(refusalOf(await redeem(test, user, code))).toEqual(refused);
    expect(refusalOf(await start(id))).toEqual({ status: 409, code: 'campaign_state' });

    const request = await requestBudget(id, '100000000');
    const colleague = await consoleAs(test, ['provider_owner'], { organisation: 'brand' });
    expect((await approve(request, colleague)).body.code).toBe('foreign_organisation');
    const before = await issued();
    expect((await approve(request)).body.state).toBe('executed');
    expect(await issued()).toBe(before + ath(100));
    expect(await shown(id)).toMatchObject({
      state: 'funded',
      budget: '100000000',
      left: '100000000',
    });
    expect(refusalOf(await redeem(test, user, code))).toEqual(refused);

    expect((await start(id)).body.state).toBe('running');
    expect((await redeem(test, user, code)).status).toBe(200);
    expect(await balanceOf(test, user)).toBe('25000000');
    expect(await shown(id)).toMatchObject({ claim_count: 1, given: '25000000', left: '75000000' });
    const { items } = (await owner.call('campaigns', { query: { state: 'running' } })).body;
    expect(items[0]).toMatchObject({ id, budget: '100000000', given: '25000000' });
  });

  it('gives nothing from the next claim after a pause on, and goes on when it is started again', async () => {
    const id = await running();
    const codes = await codesOf(id, 20);
    const users = await twenty(() => test.createUser());
    const [paused, ...claims] = await Promise.all([
      pause(id),
      ...codes.map((code, index) => redeemAtLast(test, someOf(users, index), code)),
    ]);
    expect(paused.body.state).toBe('paused');
    const done = claims.filter(({ status }) => status === 200);
    const refused = claims.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(refused).toEqual(refused.map(() => 'reward_not_running'));
    expect(await shown(id)).toMatchObject({ claim_count: done.length });
    const later = await redeem(test, someOf(users, 0), (await codesOf(id))[0] ?? '');
    expect(later.body.code).toBe('reward_not_running');
    expect(refusalOf(await pause(id))).toEqual({ status: 409, code: 'campaign_state' });
    expect((await start(id)).body.state).toBe('running');
    expect((await redeem(test, someOf(users, 0), (await codesOf(id))[0] ?? '')).status).toBe(200);
  });

  it('[O-093] returns what is left to issuance once when it is ended twice among twenty claims', async () => {
    const before = await issued();
    const id = await running();
    const codes = await codesOf(id, 20);
    const users = await twenty(() => test.createUser());
    const other = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const [ended, again, ...claims] = await Promise.all([
      end(id),
      end(id, other),
      ...codes.map((code, index) => redeemAtLast(test, someOf(users, index), code)),
    ]);
    expect(statuses([ended, again])).toEqual([200, 409]);
    const doneCount = BigInt(claims.filter(({ status }) => status === 200).length);
    expect(await issued()).toBe(before + ath(25) * doneCount);
    expect(await shown(id)).toMatchObject({
      state: 'settled',
      left: '0',
      given: (ath(25) * doneCount).toString(),
      returned: (ath(1_000) - ath(25) * doneCount).toString(),
    });
    expect(refusalOf(await start(id))).toEqual({ status: 409, code: 'campaign_state' });
    const late = await redeem(test, someOf(users, 0), (await codesOf(id))[0] ?? '');
    expect(late.body.code).toBe('reward_not_running');
    const journal = await journalOf(id);
    expect(journal.filter(({ kind }) => kind === 'budget_return')).toMatchObject([
      { object: { type: 'campaign', id: id.toString() } },
    ]);
  });

  it('is ended once its window is over, and settled if nothing is left', async () => {
    const advance = stopClock(test);
    const inTenMinutes = new Date(test.clock.nowMs() + 600_000).toISOString();
    const [rest, none] = [
      await running({ ends_at: inTenMinutes }),
      await running({ ends_at: inTenMinutes, amount: '1000000000' }),
    ];
    await redeem(test, await test.createUser(), (await codesOf(none))[0] ?? '');
    advance(600_000);
    expect([(await shown(rest)).state, (await shown(none)).state]).toEqual(['ended', 'settled']);
    const { items } = (await owner.call('campaigns', { query: { state: 'ended' } })).body;
    expect(items.map(({ id }: { id: number }) => id)).toContain(rest);
    await brand.prove();
    expect((await end(rest)).body).toMatchObject({ state: 'settled', returned: '1000000000' });
  });

  it('ends with nothing to return as a draft, and fails the request for its budget', async () => {
    const id = await draft();
    const request = await requestBudget(id, '1000000');
    expect((await end(id)).body).toMatchObject({ state: 'settled', returned: '0' });
    expect((await approve(request)).body.state).toBe('failed');
  });
});

describe('the terms of a campaign', () => {
  it('are refused with the fault and its place', async () => {
    const now = new Date(test.clock.nowMs()).toISOString();
    const early = new Date(test.clock.nowMs() - DAY_MS).toISOString();
    const faults: readonly [Partial<Record<keyof Terms, unknown>>, RegExp][] = [
      [{ ends_at: early }, /\/ends_at.*must be after starts_at/],
      [{ starts_at: now, ends_at: now }, /\/ends_at.*must be after starts_at/],
      [{ amount: '0' }, /\/amount.*positive whole number/],
      [{ amount: '-1' }, /\/amount.*positive whole number/],
      [{ amount: '9999999999999999' }, /\/amount.*at most 1,000,000,000 ATH/],
      [{ audience: { kind: 'friends' } }, /\/audience/],
      [{ audience: { kind: 'tier', tier_id: 987_654 } }, /No tier has this id/],
      [{ audience: { kind: 'new_accounts', days: 0 } }, /\/audience\/days/],
      [{ starts_at: early, ends_at: new Date(Date.parse(early) + 1).toISOString() }, /is over/],
      [{ title: ' ' }, /\/title.*must not be empty/],
      [{ claim_count_max: 0 }, /\/claim_count_max/],
    ];
    for (const [fault, words] of faults) {
      const { status, text } = await brand.ask(
        { method: 'POST', path: '/admin/campaigns' },
        { body: { ...terms(), ...fault } },
      );
      expect([status, text]).toEqual([400, expect.stringMatching(words)]);
    }
  });

  it('change with the version they were read in; amount and audience only before the budget', async () => {
    const id = await draft();
    const change = (body: Terms, version: number) =>
      brand.call('changeCampaign', { params: { id }, body, version });
    const { version } = await shown(id);
    const changed = await change(terms({ title: 'Autumn', amount: '5000000' }), version);
    expect(changed.body).toMatchObject({ title: 'Autumn', amount: '5000000' });
    const stale = await change(terms({ title: 'Winter' }), version);
    expect([stale.status, stale.body.present.title]).toEqual([412, 'Autumn']);

    const request = await requestBudget(id, '1000000');
    await change(terms({ title: 'Harvest', amount: '5000000' }), changed.body.version);
    expect((await approve(request)).body.state).toBe('stale');
    await fund(id);
    const funded = (await shown(id)).version;
    for (const over of [{ amount: '6000000' }, { audience: { kind: 'new_accounts', days: 3 } }]) {
      const refused = await change(terms({ amount: '5000000', ...(over as object) }), funded);
      expect(refusalOf(refused)).toEqual({ status: 409, code: 'campaign_state' });
    }
    const later = terms({ amount: '5000000', claim_count_max: 1 });
    expect((await change(later, funded)).body.claim_count_max).toBe(1);
  });

  it('let only their audience claim', async () => {
    const tier = { id: 77, title: 'Gold', amount_micro_ath: ath(77), color: '#ffcc00', note: '' };
    await test.deps.db.insertInto('tiers').values(tier).execute();
    const gold = await running({ audience: { kind: 'tier', tier_id: tier.id } });
    const fresh = await running({ audience: { kind: 'new_accounts', days: 7 } });
    const [rich, poor] = [
      await test.createUser({ balance: ath(77) }),
      await test.createUser({ balance: ath(76) }),
    ];
    await test.deps.db
      .updateTable('users')
      .set({ created_at: new Date(test.clock.nowMs() - 7 * DAY_MS - 1) })
      .where('id', '=', poor.userId)
      .execute();
    const refused = { status: 409, code: 'reward_not_for_account' };
    for (const id of [gold, fresh]) {
      const [code = ''] = await codesOf(id);
      const key = randomUUID();
      expect(refusalOf(await redeem(test, poor, code, { key }))).toEqual(refused);
      expect((await redeem(test, rich, code)).status).toBe(200);
    }
    expect((await shown(gold)).tier_title).toBe('Gold');
  });
});

describe('a budget', () => {
  it('above what any vote may allow is refused, also in parts', async () => {
    const id = await draft();
    const ask = (amount: string) =>
      brand.call('fundCampaign', { params: { id }, body: { amount, reason: REASON } });
    const refused = { status: 422, code: 'amount_above_maximum' };
    expect(refusalOf(await ask('10000000000001'))).toEqual(refused);
    const parts = [
      await requestBudget(id, '6000000000000'),
      await requestBudget(id, '6000000000000'),
    ];
    expect((await approve(parts[0] ?? '')).body.state).toBe('executed');
    expect((await approve(parts[1] ?? '')).body.state).toBe('failed');
    expect((await shown(id)).left).toBe('6000000000000');
    expect(refusalOf(await ask('0'))).toEqual({ status: 400, code: 'invalid_request' });
    await end(id);
    expect(refusalOf(await ask('1'))).toEqual({ status: 409, code: 'campaign_state' });
  });

  it('is issued once when twenty vote at the same time', async () => {
    const id = await draft();
    const request = await requestBudget(id, '1000000');
    const voters = await twenty(() => consoleAs(test, ['finance']));
    const answers = await Promise.all(voters.map((voter) => approve(request, voter)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await shown(id)).left).toBe('1000000');
    expect(await journalOf(id)).toHaveLength(1);
  });
});
