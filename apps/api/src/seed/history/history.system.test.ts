import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCardSandbox, type CardSandbox } from '../../../test/card-sandbox.ts';
import { consoleAs } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { figuresOfPast, killSeedInTheMiddle } from '../../../test/past.ts';
import { asRole } from '../../../test/test-database.ts';
import { createTestApp, issueTo, type TestApp } from '../../../test/test-app.ts';
import { migrate } from '../../migrate.ts';
import { createTasks } from '../../capabilities.ts';
import { microAth } from '@athos/domain/money';
import { seed, seedShop } from '../seed.ts';
import { writeHistory } from './history.ts';
import { makePlan } from './plan.ts';
import { importIntoSandbox } from './sandbox-import.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Enough days for every story, and few enough to be created in seconds. */
const DAYS = 6;
/** The calendar repeats itself after a fortnight, so this past is the same whenever the tests run. */
const FORTNIGHT_MS = 14 * DAY_MS;
/** Ends on a Saturday afternoon, so that the last day is covered partly. */
const IN_FORTNIGHT_MS = 3 * DAY_MS - 8 * 60 * 60_000;
const END_MS =
  Math.floor((Date.now() - IN_FORTNIGHT_MS) / FORTNIGHT_MS) * FORTNIGHT_MS + IN_FORTNIGHT_MS;
const OPTIONS = { words: 'tests', endMs: END_MS, dayCount: DAYS };
const PLAN = { ...OPTIONS, timeZone: 'UTC' };

async function makePast(sandbox?: CardSandbox): Promise<TestApp> {
  const test = await createTestApp(sandbox === undefined ? {} : { env: { ...sandbox.env } });
  const begun = { nowMs: () => END_MS - (DAYS + 1) * DAY_MS };
  await seedShop(test.deps, begun);
  // Runs as the role that `npm start` uses: the seed also creates tables of its own.
  const config = { ...test.deps.config, databaseUrl: asRole(test.adminUrl, 'athos_migrate') };
  const bank = await writeHistory(config, test.deps.log, OPTIONS);
  if (sandbox !== undefined) await importIntoSandbox(sandbox.url, bank);
  return test;
}

let sandbox: CardSandbox;
let test: TestApp;
let before: unknown;
beforeAll(async () => {
  sandbox = await startCardSandbox();
  test = await makePast(sandbox);
  before = await figuresOfPast(test, new Date(END_MS));
});
afterAll(async () => {
  await sandbox.close();
  await test.close();
});

const countBy = async (table: string, column: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ name: string; count: number }>`
    select ${sql.ref(column)}::text as name, count(*)::int as count
      from ${sql.table(table)} group by 1 order by 1`.execute(test.deps.db);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

describe('the past of the demo', () => {
  it('[O-168] has figures of every day for every chart', async () => {
    const { rows } = await sql<{ metric: string; days: number }>`
      select metric, count(distinct day)::int as days from stat_days group by 1`.execute(
      test.deps.db,
    );
    const days = new Map(rows.map(({ metric, days: count }) => [metric, count]));
    for (const metric of ['moved', 'sold', 'redeemed', 'card_paid', 'rate', 'signed_up']) {
      expect([metric, days.get(metric)]).toEqual([metric, DAYS]);
    }
    const others = ['verified', 'first_top_up', 'first_purchase', 'first_redemption'];
    for (const metric of [...others, 'refunded', 'disputed', 'declined', 'card_failed']) {
      expect([metric, days.has(metric)]).toEqual([metric, true]);
    }
  });

  it('[O-169] leaves balanced books', async () => {
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('agrees with the provider but for two payments that nobody ordered', async () => {
    const { money } = createTasks(test.deps);
    await money['card_reconcile_day']?.({}, {} as never);
    const finance = await consoleAs(test, ['finance']);
    const { body } = await finance.call('unmatchedMoney');
    expect(body.bookings).toEqual([]);
    expect(body.transactions.map((row: { type: string }) => row.type)).toEqual([
      'charge',
      'charge',
    ]);
    const [day] = await test.deps.db
      .selectFrom('card_days')
      .selectAll()
      .orderBy('day', 'desc')
      .limit(1)
      .execute();
    expect(day?.provider_usd_cents).toBe(day?.nets_usd_cents);
    const unmatched = (day?.nets_usd_cents ?? 0n) - (day?.clearing_usd_cents ?? 0n);
    expect(day?.in_flight_usd_cents).toBe(unmatched);
  });

  it('has disputes in all phases, a debt, a warning, holds, campaigns and requests in all states', async () => {
    expect(await countBy('card_disputes', 'status')).toEqual({
      lost: 2,
      needs_response: 1,
      prevented: 1,
      under_review: 1,
      warning_closed: 1,
      warning_needs_response: 1,
      won: 2,
    });
    expect(await countBy('card_debts', 'closed_at')).toHaveProperty('null', 1);
    expect(Object.keys(await countBy('approvals', 'state'))).toEqual(
      ['executed', 'failed', 'pending', 'rejected', 'stale', 'withdrawn'].toSorted(),
    );
    expect(Object.keys(await countBy('reward_campaigns', 'state'))).toEqual(
      expect.arrayContaining(['draft', 'paused', 'running', 'settled']),
    );
    expect(await countBy('card_warnings', 'is_actionable')).toEqual({ false: 1, true: 1 });
    expect(Object.values(await countBy('exports', 'content'))).toHaveLength(4);
  });

  it('has merchants with sales, settlements and one that waits for a vote', async () => {
    const finance = await consoleAs(test, ['finance']);
    const { body } = await finance.call('merchants');
    const shown = body.items.map((row: { archived_at: string | null; balance: string }) => ({
      isOpen: row.archived_at === null,
      isOwed: BigInt(row.balance) > 0n,
    }));
    expect(shown).toEqual([
      { isOpen: true, isOwed: true },
      { isOpen: true, isOwed: true },
      { isOpen: false, isOwed: false },
    ]);
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::int as count from approvals
       where action = 'merchant.settle' group by 1 order by 1`.execute(test.deps.db);
    expect(rows).toEqual([
      { state: 'executed', count: 3 },
      { state: 'pending', count: 1 },
    ]);
  });

  it('has a device for each of the crew, and a legal text in force beside a draft', async () => {
    const [lead, owner] = [
      await consoleAs(test, ['scanner_lead']),
      await consoleAs(test, ['provider_owner']),
    ];
    const { body: devices } = await lead.call('scanners');
    expect(devices.items).toHaveLength(4);
    const { body: texts } = await owner.call('legalTexts');
    const states = texts.items.map(
      (row: { published_at: string | null }) => row.published_at !== null,
    );
    expect(states.toSorted()).toEqual([false, true]);
  });

  it('has an item that two devices without a network handed out', async () => {
    const lead = await consoleAs(test, ['scanner_lead']);
    const { body } = await lead.call('conflicts');
    expect(body.items).toMatchObject([{ state: 'open', refunded_at: null }]);
    const [{ first, second }] = body.items;
    expect([first.device.name, second.device.name]).toEqual([
      'Tablet at the bar',
      'Tablet at the door',
    ]);
    expect(Date.parse(second.at) - Date.parse(first.at)).toBe(3 * 60_000);
    expect(Date.parse(second.at)).toBeLessThan(END_MS);
  });

  it('leaves the clock of the ledger as it was', async () => {
    const { userId } = await test.createUser();
    await issueTo(test.deps, userId, microAth(1n));
    const posted = await test.deps.ledger.postedAt();
    expect(Math.abs((posted?.getTime() ?? 0) - Date.now())).toBeLessThan(DAY_MS / 24);
  });

  it('is the same whenever it is made with the same words and the same end', async () => {
    expect(makePlan({ ...PLAN, words: 'others' })).not.toEqual(makePlan(PLAN));
    const again = await makePast();
    try {
      expect(await figuresOfPast(again, new Date(END_MS))).toEqual(before);
    } finally {
      await again.close();
    }
  });
});

describe('a past that is cut off', () => {
  it('leaves sound books, and the next start puts the clock back before all else', async () => {
    const cutOff = await createTestApp();
    const databaseUrl = asRole(cutOff.adminUrl, 'athos_migrate');
    const mediaDir = await mkdtemp(join(tmpdir(), 'past-'));
    try {
      await killSeedInTheMiddle(cutOff, { databaseUrl, mediaDir });
      const isMoved = sql<{ source: string }>`
        select prosrc as source from pg_proc where proname = 'ledger_clock'`;
      const sourceOf = async () => (await isMoved.execute(cutOff.deps.db)).rows[0]?.source;
      expect(await sourceOf()).toContain('demo_past_clock');
      await migrate(databaseUrl, cutOff.deps.log);
      expect(await sourceOf()).toBe('select clock_timestamp()');
      await seed(cutOff.deps);
      await expectBooksBalance(databaseUrl);
    } finally {
      await rm(mediaDir, { recursive: true, force: true });
      await cutOff.close();
    }
  });
});
