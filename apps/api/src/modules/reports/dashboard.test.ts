import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOffer, type OfferRow } from '../../../test/build-catalog.ts';
import { createVenue, type TestVenue } from '../../../test/build-redemption.ts';
import { consoleAs, signInStaff, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { setPostedAt, sumProgramme } from '../../../test/raw-ledger.ts';
import { ath, buy } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { countEvent } from '../../platform/stats/event-counts.sql.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The day is a Wednesday. */
const FIRST_DAY = Date.parse('2031-03-05T12:30:00Z');
const dayOf = (index: number): string =>
  new Date(FIRST_DAY + index * DAY_MS).toISOString().slice(0, 10);
const LAST_WEEK = 0;
const TODAY = 7;

let test: TestApp;
let owner: ConsoleCaller;
let ada: TestUser;
let offer: OfferRow;
let hall: TestVenue;
let garden: TestVenue;

async function moveToDay(index: number): Promise<void> {
  const at = new Date(FIRST_DAY + index * DAY_MS);
  test.clock.advance(at.getTime() - test.deps.clock.nowMs());
  await setPostedAt(test.admin, at);
}

const now = () => new Date(test.clock.nowMs());

async function redeem(venueId: number, redeemedCount: number): Promise<void> {
  const { db } = test.deps;
  await sql`
    insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
    values (${ada.userId}, ${randomUUID()}, ''::bytea, ${venueId}, ${{ redeemed_count: redeemedCount }}, ${now()})`.execute(
    db,
  );
}

async function endOrder(state: 'credited' | 'canceled'): Promise<void> {
  const { db, ledger } = test.deps;
  await db.transaction().execute(async (tx) => {
    const historyId = await ledger.drawTransferId(tx);
    await sql`
      insert into card_orders (id, user_id, state, amount_micro_ath, usd_per_ath, price_usd_cents, product_fee_usd_cents,
        processing_fee_usd_cents, total_usd_cents, intent_id, was_attempted, history_id, created_at, expires_at, closed_at)
      values (${randomUUID()}, ${ada.userId}, ${state}, 1000000, 0.1683, 17, 1, 1, 19, ${randomUUID()}, true, ${historyId},
        ${now()}, ${now()}, ${now()})`.execute(tx);
  });
}

const signUp = () =>
  test.deps.db.transaction().execute((tx) => countEvent(tx, { event: 'signed_up', at: now() }));

async function publish(usdPerAth: string): Promise<void> {
  await test.deps.db
    .insertInto('exchange_rates')
    .values({ usd_per_ath: usdPerAth, in_force_from: now(), confirmed_at: now() })
    .execute();
}

async function count(): Promise<void> {
  for (const task of ['reports_ledger', 'reports_roll']) {
    await enqueueJob(test.deps.db, task, {}, { queue: 'reports' });
    await test.runJobs();
  }
}

/** A week ago, Ada gets 100 ATH and buys for 20; today she buys for 10 and gives up 5. */
beforeAll(async () => {
  test = await createTestApp();
  await moveToDay(LAST_WEEK);
  owner = await consoleAs(test, ['provider_owner']);
  ada = await test.createUser({ balance: ath(100) });
  await sql`update users set created_at = ${now()}`.execute(test.deps.db);
  [hall, garden] = [await createVenue(test, 'Hall'), await createVenue(test, 'Garden')];
  offer = await createOffer(test, { title: 'Balcony seat', price_ath_hundredths: 1_000 });
  await publish('0.1');
  await buy(test, ada, [[offer.id, 2]]);
  await signUp();
  await endOrder('credited');
  await redeem(hall.id, 2);

  await moveToDay(TODAY);
  await publish('0.2');
  await signUp();
  await signUp();
  ada = { ...ada, token: await reopen() };
  await buy(test, ada, [[offer.id, 1]]);
  await endOrder('credited');
  await endOrder('canceled');
  await test.deps.db
    .transaction()
    .execute((tx) =>
      countEvent(tx, { event: 'declined', dimension: 'insufficient_funds', at: now() }),
    );
  await redeem(hall.id, 1);
  await redeem(garden.id, 0);
  await test.deps.ledger.transfer({
    debitAccountId: userAccountId(ada.userId, 'ATH'),
    creditAccountId: systemAccountId('holds', 'ATH'),
    amountUnits: ath(5),
    kind: TransferKind.Hold,
    key: randomUUID(),
  });
  await count();
  owner = await signInStaff(test, owner);
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

/** Sessions do not last a week, so each is opened again. */
const reopen = () =>
  test.deps.db
    .transaction()
    .execute((tx) => test.deps.sessions.open(tx, { userId: ada.userId, userUuid: ada.uuid }));

const RANGE = { from: dayOf(TODAY - 1), to: dayOf(TODAY) };
const read = async (caller = owner, query: object = RANGE) =>
  (await caller.call('dashboard', { query: { ...RANGE, ...query } })).body;
const readMoney = async (query: object = RANGE) =>
  (await owner.call('dashboardMoney', { query: { ...RANGE, ...query } })).body;

describe('the dashboard', () => {
  it('[O-060] shows redemptions by venue and hour, and leaves out attempts that redeemed nothing', async () => {
    const { venues } = await read(owner, { from: dayOf(LAST_WEEK) });
    expect(venues).toEqual([{ id: hall.id, name: 'Hall', hours: expect.any(Array) }]);
    expect(venues[0].hours).toHaveLength(24);
    expect(venues[0].hours[12]).toBe(2);
  });

  it('[O-061] shows the card payments of each day that succeeded and failed, and why cards were declined', async () => {
    const { cards, declines } = await read();
    expect(cards.days).toEqual([
      { day: dayOf(TODAY - 1), paid: 0, failed: 0 },
      { day: dayOf(TODAY), paid: 1, failed: 1 },
    ]);
    expect(declines).toEqual([{ reason: 'insufficient_funds', count: 1, before: 0 }]);
  });

  it('compares with the days before, with the same weekdays or with nothing', async () => {
    const before = async (compare: string) => {
      const { compared, funnel } = await read(owner, { compare });
      return { compared, signedUp: funnel[0].before };
    };
    expect(await before('previous')).toEqual({
      compared: { from: dayOf(TODAY - 3), to: dayOf(TODAY - 2) },
      signedUp: 0,
    });
    expect(await before('weekdays')).toEqual({
      compared: { from: dayOf(LAST_WEEK - 1), to: dayOf(LAST_WEEK) },
      signedUp: 1,
    });
    expect(await before('none')).toEqual({ compared: null, signedUp: null });
  });

  it('follows customers from the sign-up to the first purchase', async () => {
    const { funnel } = await read(owner, { from: dayOf(LAST_WEEK), compare: 'none' });
    expect(
      funnel.map(({ step, count: found }: { step: string; count: number }) => [step, found]),
    ).toEqual([
      ['signed_up', 3],
      ['verified', 1],
      ['first_top_up', 1],
      ['first_purchase', 1],
      ['first_redemption', 0],
    ]);
  });

  it('shows today beside the same weekday of last week, hour by hour', async () => {
    const { today } = await read();
    expect(today).toMatchObject({ day: dayOf(TODAY), compared_day: dayOf(LAST_WEEK), hour: 12 });
    const sold = today.figures.find(({ name }: { name: string }) => name === 'sold');
    expect([sold.hours[12], sold.hours_before[12]]).toEqual([1, 2]);
  });

  it('shows sales by offer with its category, and what they brought to those who may see money', async () => {
    const [sale] = (await read()).sales;
    expect(sale).toMatchObject({
      offer_id: offer.id,
      title: 'Balcony seat',
      category_id: offer.category_id,
      count: 1,
      amount: '10000000',
    });
    const editor = await consoleAs(test, ['catalogue_editor']);
    expect((await read(editor)).sales[0].amount).toBeNull();
    expect((await editor.call('dashboardMoney', { query: RANGE })).status).toBe(403);
  });

  it('shows staff who are bound to venues the redemptions of those alone', async () => {
    const lead = await consoleAs(test, ['scanner_lead']);
    await test.deps.db
      .insertInto('staff_venues')
      .values({ staff_id: lead.staffId, venue_id: garden.id })
      .execute();
    const { venues, today } = await read(lead, { from: dayOf(LAST_WEEK) });
    expect(venues).toEqual([]);
    const redeemed = today.figures.find(({ name }: { name: string }) => name === 'redeemed');
    expect(redeemed.hours[12]).toBe(0);
  });

  it('stays the same until the next count', async () => {
    const before = await read();
    await signUp();
    expect(await read()).toEqual(before);
    await count();
    const [signedUp] = before.funnel;
    expect((await read()).funnel[0]).toEqual({ ...signedUp, count: signedUp.count + 1 });
  });

  it.each([
    { from: dayOf(1), to: dayOf(0) },
    { from: '2031-01-01', to: '2031-04-03' },
    { from: '2031-02-30', to: '2031-03-01' },
    { from: 'today', to: dayOf(0) },
  ])('refuses the range %o', async (query) => {
    expect((await owner.call('dashboard', { query })).status).toBe(400);
    expect((await owner.call('dashboardMoney', { query })).status).toBe(400);
  });
});

describe('what waits for a person', () => {
  const waiting = async (caller: ConsoleCaller) =>
    (await caller.call('waiting')).body.items.map(
      ({ kind, count: found }: { kind: string; count: number }) => [kind, found],
    );

  it('[O-062] is listed in one order, each kind for those who may work on it', async () => {
    const { db } = test.deps;
    expect(await waiting(owner)).toEqual([]);
    const finance = await consoleAs(test, ['finance']);
    await finance.call('fundGoodwill', {
      body: { amount: '900000000', reason: 'For the cancelled concert.' },
    });
    await sql`
      insert into card_orders (id, user_id, state, amount_micro_ath, usd_per_ath, price_usd_cents, product_fee_usd_cents,
        processing_fee_usd_cents, total_usd_cents, intent_id, review_reason, created_at, expires_at)
      values (${randomUUID()}, ${ada.userId}, 'review', 1000000, 0.1683, 17, 1, 1, 19, ${randomUUID()}, 'amount', ${now()}, ${now()})`.execute(
      db,
    );
    await createOffer(test, { stock_left: 3, stock_alert_max: 3 });
    await createOffer(test, { stock_left: 4, stock_alert_max: 3 });
    await enqueueJob(db, 'nobody_does_this', {});
    await sql`
      update graphile_worker._private_jobs set attempts = max_attempts
       where task_id = (select id from graphile_worker._private_tasks where identifier = 'nobody_does_this')`.execute(
      db,
    );
    test.clock.advance(400_000);
    expect(await waiting(owner)).toEqual([
      ['approvals', 1],
      ['payments_in_review', 1],
      ['failed_jobs', 1],
      ['stale_rate', 1],
    ]);
    expect(await waiting(await consoleAs(test, ['catalogue_editor']))).toEqual([['low_stock', 1]]);
    // People are not told about their own requests.
    expect(await waiting(finance)).toEqual([
      ['payments_in_review', 1],
      ['failed_jobs', 1],
      ['stale_rate', 1],
    ]);
  });
});

describe('the money of the dashboard', () => {
  it("[O-059] shows the outstanding ATH as minus the sum of the programme's own accounts, exactly and by day", async () => {
    const { outstanding } = await readMoney();
    expect(outstanding).toMatchObject({
      units: (-(await sumProgramme(test.deps.db, 'ATH'))).toString(),
      cents: 1_300,
      held: '5000000',
      breakage: '0',
    });
    expect(outstanding.by_day).toEqual([
      { day: dayOf(TODAY - 1), units: '80000000', cents: 800 },
      { day: dayOf(TODAY), units: '65000000', cents: 1_300 },
    ]);
  });

  it('is exact at once, before a transfer is counted', async () => {
    const before = (await readMoney()).outstanding;
    await buy(test, ada, [[offer.id, 1]]);
    const after = (await readMoney()).outstanding;
    expect(BigInt(before.units) - BigInt(after.units)).toBe(10_000_000n);
    expect(after.by_day).toEqual(before.by_day);
    await count();
    expect((await readMoney()).outstanding.by_day[1].units).toBe(after.units);
  });

  it('shows what was issued and spent on each day', async () => {
    const { flows } = await readMoney({ from: dayOf(LAST_WEEK), compare: 'none' });
    expect(flows.days[0]).toMatchObject({
      day: dayOf(LAST_WEEK),
      issued: '100000000',
      spent: '20000000',
    });
    expect(flows.days_before).toEqual([]);
  });

  it('shows balances that nobody touched for half a year, as of the night', async () => {
    expect((await readMoney()).outstanding.dormant).toBeNull();
    await moveToDay(TODAY + 181);
    await enqueueJob(test.deps.db, 'reports_dormant', {}, { queue: 'reports' });
    await test.runJobs();
    owner = await signInStaff(test, owner);
    const day = dayOf(TODAY + 181);
    const { outstanding } = await readMoney({ from: day, to: day });
    expect(outstanding.dormant).toEqual({ days: 180, day, accounts: 1, units: outstanding.units });
    expect(outstanding.by_day[0].units).toBe(outstanding.units);
  });
});
