/** Staff change the tiers by a vote of the other organisation, and see which customers would move. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { createOffer, createTier } from '../../../../test/build-catalog.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import { ath, buy, refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const REASON = 'Bronze was too easy to reach';

let test: TestApp;
let other: SecondApp;
let manager: ConsoleCaller;
let owner: ConsoleCaller;

beforeAll(async () => {
  test = await createTestApp();
  other = await openSecondApp(test);
});
beforeEach(async () => {
  await sql`truncate tiers, tier_histogram cascade`.execute(test.admin);
  await sql`update tier_ladder set counted_at = null`.execute(test.deps.db);
  await createTier(test, { ...row(BRONZE), id: 1 });
  await createTier(test, { ...row(SILVER), id: 2 });
  manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await other.close();
  await test.close();
});

type Wanted = ConsoleBodyOf<'changeTiers'>['tiers'][number];

const units = (whole: number): string => ath(whole).toString();
const BRONZE: Wanted = {
  id: 1,
  title: 'Bronze',
  amount: units(100),
  color: '#bd7d47',
  note: 'A free drink',
};
const SILVER: Wanted = {
  id: 2,
  title: 'Silver',
  amount: units(500),
  color: '#aab0ba',
  note: 'Early tickets',
};
const GOLD: Wanted = {
  id: null,
  title: 'Gold',
  amount: units(2_000),
  color: '#d9a935',
  note: 'The short line',
};
const row = ({ title, amount, color, note }: Wanted) => ({
  title,
  amount_micro_ath: BigInt(amount),
  color,
  note,
});

const read = async (by = manager) => (await by.call('consoleTiers')).body;
async function change(tiers: readonly Wanted[], { by = manager, key = randomUUID() } = {}) {
  const { version } = await read(by);
  return by.call('changeTiers', { version, key, body: { tiers: [...tiers], reason: REASON } });
}
const requested = async (tiers: readonly Wanted[]): Promise<string> => {
  const { body } = await change(tiers);
  expect(body.outcome).toBe('requested');
  return body.approval_id;
};
const approve = (id: string, by = owner) => by.call('approveRequest', { params: { id } });
/** The tiers that the wallets of every process see: titles and thresholds in ATH, the highest first. */
async function shown(): Promise<unknown> {
  const answers = await Promise.all(
    [test, other].map(({ request }) => request({ method: 'GET', url: '/api/tiers' })),
  );
  const lists = answers.map(({ body }) =>
    body.tiers.map((tier: { title: string; amount: string }) => [
      tier.title,
      Number(tier.amount) / 1_000_000,
    ]),
  );
  expect(lists[1]).toEqual(lists[0]);
  // A cache may keep the answer for 5 s, so a change is visible within 10 s.
  for (const { headers } of answers) expect(headers['cache-control']).toBe('public, max-age=5');
  return lists[0];
}
async function countHolders(): Promise<void> {
  await enqueueJob(test.deps.db, 'tiers_count_holders', {}, { key: 'tiers_count_holders' });
  await test.runJobs();
}

describe('changing the tiers', () => {
  it('takes a vote of the other organisation, and is then seen in every process', async () => {
    const id = await requested([{ ...BRONZE, amount: units(150) }, SILVER, GOLD]);
    expect(await shown()).toEqual([
      ['Silver', 500],
      ['Bronze', 100],
    ]);
    expect(await read()).toMatchObject({ version: 1, request_id: id });
    const colleague = await consoleAs(test, ['brand_manager', 'provider_owner'], {
      organisation: 'brand',
    });
    expect(refusalOf(await approve(id, colleague))).toMatchObject({ status: 403 });

    const { before, after } = (await owner.call('approval', { params: { id } })).body;
    expect(before.tier_1).toEqual(['Bronze', '100.00 ATH', '#bd7d47', 'A free drink']);
    expect(after.tier_1).toEqual(['Bronze', '150.00 ATH', '#bd7d47', 'A free drink']);
    expect(after.new_3).toEqual(['Gold', '2,000.00 ATH', '#d9a935', 'The short line']);

    expect((await approve(id)).body.state).toBe('executed');
    expect(await shown()).toEqual([
      ['Gold', 2_000],
      ['Silver', 500],
      ['Bronze', 150],
    ]);
    const { version, items, request_id: request } = await read();
    expect([version, request, items.map((tier: { id: number }) => tier.id)]).toEqual([
      2,
      null,
      [1, 2, 3],
    ]);
  });

  it('lets two tiers change places, and removes one that nothing names', async () => {
    await approve(
      await requested([
        { ...SILVER, amount: BRONZE.amount },
        { ...BRONZE, amount: SILVER.amount },
      ]),
    );
    expect(await shown()).toEqual([
      ['Bronze', 500],
      ['Silver', 100],
    ]);
    await approve(await requested([{ ...BRONZE, amount: SILVER.amount }]));
    expect(await shown()).toEqual([['Bronze', 500]]);
    await approve(await requested([]));
    expect(await shown()).toEqual([]);
  });

  it('moves the gate of an offer with the tier that it names, which cannot be removed', async () => {
    const offer = await createOffer(test, { tier_id_min: 2, price_ath_hundredths: 100 });
    const buyer = await test.createUser({ balance: ath(300) });
    expect(refusalOf(await buy(test, buyer, [[offer.id, 1]]))).toMatchObject({ status: 422 });
    expect((await change([BRONZE])).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/tiers', message: 'Silver is named by an offer or a campaign.' }],
    });
    expect((await read()).items[1]).toMatchObject({ offer_count: 1, campaign_count: 0 });

    await approve(await requested([BRONZE, { ...SILVER, amount: units(200) }]));
    expect((await buy(test, buyer, [[offer.id, 1]])).status).toBe(200);
  });

  const fault = (pointer: string) => ({
    status: 400,
    body: { code: 'invalid_request', errors: [expect.objectContaining({ pointer })] },
  });
  it.each<[string, readonly Wanted[], string]>([
    ['thresholds out of order', [SILVER, BRONZE], '/tiers/1/amount'],
    ['two equal thresholds', [BRONZE, { ...SILVER, amount: BRONZE.amount }], '/tiers/1/amount'],
    ['a threshold of 0', [{ ...BRONZE, amount: '0' }, SILVER], '/tiers/0/amount'],
    ['a fraction of a hundredth', [{ ...BRONZE, amount: '100000001' }, SILVER], '/tiers/0/amount'],
    ['a negative threshold', [{ ...BRONZE, amount: '-100000000' }], '/tiers/0/amount'],
    ['an endless threshold', [{ ...BRONZE, amount: '9'.repeat(30) }], '/tiers/0/amount'],
    ['a colour that is none', [{ ...BRONZE, color: 'red;}' }, SILVER], '/tiers/0/color'],
    ['a colour without contrast', [BRONZE, { ...SILVER, color: '#767676' }], '/tiers/1/color'],
    ['no title', [{ ...BRONZE, title: ' ' }, SILVER], '/tiers/0/title'],
    ['a title twice', [BRONZE, { ...SILVER, title: 'Bronze' }], '/tiers/1/title'],
    ['a tier twice', [BRONZE, { ...SILVER, id: 1 }], '/tiers/1/id'],
    ['an unknown tier', [BRONZE, { ...SILVER, id: 77 }], '/tiers/1/id'],
    ['a long note', [{ ...BRONZE, note: 'x'.repeat(301) }], '/tiers/0/note'],
    ['no change', [BRONZE, SILVER], '/tiers'],
    [
      'too many tiers',
      Array.from({ length: 13 }, (_, index) => ({
        ...GOLD,
        title: `Tier ${index}`,
        amount: units(index + 1),
      })),
      '/tiers',
    ],
  ])('refuses %s', async (_what, tiers, pointer) => {
    expect(await change(tiers)).toMatchObject(fault(pointer));
    expect(await shown()).toEqual([
      ['Silver', 500],
      ['Bronze', 100],
    ]);
  });

  it('refuses a stale version, and ends a request whose tiers have changed since', async () => {
    const first = await requested([BRONZE, { ...SILVER, amount: units(600) }]);
    const second = await requested([{ ...BRONZE, note: 'Two free drinks' }, SILVER]);
    const { version } = await read();
    expect((await approve(first)).body.state).toBe('executed');
    await owner.prove();
    expect((await approve(second)).body.state).toBe('stale');
    const late = { tiers: [BRONZE], reason: REASON };
    const refused = await manager.call('changeTiers', { version, body: late });
    expect([refused.status, refused.body.code]).toEqual([412, 'version_conflict']);
    expect(refused.body.present.items[1].amount).toBe(units(600));
    expect(await shown()).toEqual([
      ['Silver', 600],
      ['Bronze', 100],
    ]);
  });

  it('is asked for once by twenty replays, and done once by twenty votes', async () => {
    const key = randomUUID();
    const { version } = await read();
    const asked = await twenty(() =>
      manager.call('changeTiers', {
        version,
        key,
        body: { tiers: [BRONZE, SILVER, GOLD], reason: REASON },
      }),
    );
    // At most 20 calls a second are answered, including `read`.
    const answered = asked.filter(({ status }) => status !== 429);
    expect(answered.length).toBeGreaterThan(10);
    expect(new Set(answered.map(({ body }) => body.approval_id))).toEqual(new Set([key]));
    const voters = await Promise.all(
      Array.from({ length: 20 }, () => consoleAs(test, ['provider_owner'])),
    );
    const votes = await Promise.all(voters.map((voter) => approve(key, voter)));
    expect(votes.filter(({ body }) => body.state === 'executed')).toHaveLength(1);
    expect((await read()).items).toHaveLength(3);
  });
});

describe('who would move', () => {
  const holders = async (...amounts: readonly number[]) =>
    (await owner.call('tierHolders', { query: { amounts: amounts.map(units).join(',') } })).body;

  it('is unknown until the balances were counted', async () => {
    expect(await holders(0)).toEqual({ counted_at: null, items: [] });
    const id = await requested([BRONZE]);
    expect((await owner.call('approval', { params: { id } })).body.after.holders).toBeUndefined();
  });

  it('is counted by tier before and after, from the balances of last night', async () => {
    await countHolders();
    const known = (await holders(0)).items[0].count;
    const closed = await test.createUser({ balance: ath(10_000) });
    for (const whole of [99, 100, 120, 499, 500, 12_340, 12_349, 12_350]) {
      await test.createUser({ balance: ath(whole) });
    }
    await test.deps.db
      .transaction()
      .execute((tx) => test.deps.ledger.closeAccounts(tx, closed.userId, randomUUID()));
    await countHolders();
    const { counted_at: at, items } = await holders(0, 10_000, 12_300, 12_350, 12_400);
    expect(Date.parse(at)).not.toBeNaN();
    expect(items).toEqual([
      { amount: '0', count: known + 8, is_exact: true },
      { amount: units(10_000), count: 3, is_exact: true },
      { amount: units(12_300), count: 3, is_exact: true },
      // The amount is inside the step from 12,300 to 12,400, where half of the three holders are estimated to hold more.
      { amount: units(12_350), count: 1, is_exact: false },
      { amount: units(12_400), count: 0, is_exact: true },
    ]);

    const id = await requested([
      { ...BRONZE, amount: units(120) },
      { ...SILVER, amount: units(600) },
    ]);
    const { before: old, after } = (await owner.call('approval', { params: { id } })).body;
    const [[bronze, silver], [bronzeAfter, silverAfter]] = [old.holders, after.holders].map(
      (texts: string[]) => texts.map((text) => Number(text.split(': ')[1])),
    ) as [[number, number], [number, number]];
    // 100 ATH are no longer enough for Bronze, and 500 not for Silver.
    expect([bronzeAfter - bronze, silverAfter - silver]).toEqual([0, -1]);
  });

  it('is shown to those who see money', async () => {
    const editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
    expect((await editor.call('consoleTiers')).status).toBe(200);
    expect((await editor.call('tierHolders', { query: { amounts: '0' } })).status).toBe(403);
    for (const amounts of ['', '-1', '1,', `${'1,'.repeat(30)}1`, '9'.repeat(17)]) {
      expect((await owner.call('tierHolders', { query: { amounts } })).status).toBe(400);
    }
  });
});
