/** The figures of every hour match the tables, whatever happens while they are counted. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { openUser as openUserWithPassword, PASSWORD } from '../../../test/accounts.ts';
import { createItems, createVenue } from '../../../test/build-redemption.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { setPostedAt } from '../../../test/raw-ledger.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { rebuild } from './rebuild.ts';
import { countEvent } from '../../platform/stats/event-counts.sql.ts';
import { expectedHours, storedDays, storedHours, sumByDay } from '../../../test/stats.ts';

const HOUR_MS = 3_600_000;

/** Returns the same sequence each time, so that a failure can be reproduced. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let test: TestApp;
const { log, lines } = recordLog();
const alarms = () =>
  lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm === 'reports_differ');
afterEach(async () => {
  lines.length = 0;
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

/** Opens a programme whose clock, and with it the journal's, is set to a time. */
async function openAt(time: string, timeZone: string) {
  test = await createTestApp({ log, env: { PROGRAMME_TIME_ZONE: timeZone } });
  const { clock, db } = test.deps;
  const moveTo = async (atMs: number) => {
    test.clock.advance(atMs - clock.nowMs());
    await setPostedAt(test.admin, new Date(atMs));
  };
  const run = async (task: string) => {
    await enqueueJob(db, task, {}, { queue: 'reports' });
    await test.runJobs();
  };
  await moveTo(Date.parse(time));
  return { moveTo, run };
}

const now = () => new Date(test.clock.nowMs());

/** Creates a user at the time of the test's clock, because the column's default is the database's own clock. */
const openUser = async (balance = ath(1_000_000)): Promise<TestUser> => {
  const user = await test.createUser({ balance });
  await sql`update users set created_at = ${now()} where id = ${user.userId}`.execute(test.deps.db);
  return user;
};

async function redeem(user: TestUser, venueId: number): Promise<void> {
  const { db } = test.deps;
  const at = new Date(test.clock.nowMs());
  const { itemIds } = await createItems(test, user, { count: 2 });
  const { rows } = await sql<{ id: bigint }>`
    insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
    values (${user.userId}, ${randomUUID()}, ''::bytea, ${venueId}, '{"redeemed_count": 2}', ${at}) returning id`.execute(
    db,
  );
  await sql`
    update purchase_items set redeemed_at = ${at}, redemption_id = ${rows[0]?.id} where id = any(${itemIds}::bigint[])`.execute(
    db,
  );
}

async function endOrder(user: TestUser, isPaid: boolean): Promise<void> {
  const { db, ledger } = test.deps;
  const at = new Date(test.clock.nowMs());
  await db.transaction().execute(async (tx) => {
    const historyId = await ledger.drawTransferId(tx);
    await sql`
      insert into card_orders (id, user_id, state, amount_micro_ath, usd_per_ath, price_usd_cents, product_fee_usd_cents,
        processing_fee_usd_cents, total_usd_cents, intent_id, was_attempted, history_id, created_at, expires_at, closed_at)
      values (${randomUUID()}, ${user.userId}, ${isPaid ? 'credited' : 'canceled'}, 1000000, 0.1683, 17, 1, 1, 19,
        ${randomUUID()}, true, ${historyId}, ${at}, ${at}, ${at})`.execute(tx);
  });
}

function createActs(
  users: readonly TestUser[],
  venueIds: readonly number[],
  random: (below: number) => number,
) {
  const { db, ledger } = test.deps;
  const someone = () => users[random(users.length)] as TestUser;
  return [
    () =>
      ledger.transfer({
        debitAccountId: userAccountId(users[0]?.userId ?? 0n, 'ATH'),
        creditAccountId: userAccountId(users[1]?.userId ?? 0n, 'ATH'),
        amountUnits: ath(1 + random(20)),
        kind: TransferKind.Send,
        key: randomUUID(),
      }),
    () =>
      ledger.transfer({
        debitAccountId: userAccountId(someone().userId, 'ATH'),
        creditAccountId: systemAccountId('merchant', 'ATH'),
        amountUnits: ath(1 + random(50)),
        kind: TransferKind.Purchase,
        key: randomUUID(),
      }),
    () => createItems(test, someone(), { count: 1 + random(3) }),
    () => redeem(someone(), venueIds[random(venueIds.length)] ?? 0),
    () => endOrder(someone(), random(4) > 0),
    () => db.transaction().execute((tx) => countEvent(tx, { event: 'signed_up', at: now() })),
    () =>
      db
        .insertInto('exchange_rates')
        .values({ usd_per_ath: `0.1${random(1_000)}`, in_force_from: now(), confirmed_at: now() })
        .execute(),
  ];
}

describe('the figures of each hour', () => {
  it.each([
    ['the hour is there twice', '2031-10-25T15:00:00Z', 'Europe/Berlin'],
    ['an hour is missing', '2031-03-29T15:00:00Z', 'Europe/Berlin'],
    ['the clocks move by half an hour', '2031-10-04T07:00:00Z', 'Australia/Lord_Howe'],
  ])(
    '[O-167] are those of the tables, and a rebuild gives the same, on a day on which %s',
    { tags: 'long' },
    async (_what, time, timeZone) => {
      const { moveTo, run } = await openAt(time, timeZone);
      const random = createRandom(7);
      const users = [await openUser(), await openUser(), await openUser()];
      const venues = [await createVenue(test), await createVenue(test)];
      const acts = createActs(
        users,
        venues.map(({ id }) => id),
        random,
      );
      let atMs = Date.parse(time);
      for (let count = 0; count < 120; count++) {
        // Every fifth act happens on the half hour, or a millisecond before or after it.
        const next = atMs + 1 + random(30 * 60_000);
        const onTheHour = Math.ceil(next / (HOUR_MS / 2)) * (HOUR_MS / 2);
        atMs = count % 5 === 0 ? onTheHour + random(3) - 1 : next;
        await moveTo(atMs);
        await acts[random(acts.length)]?.();
        if (random(12) === 0) await run('reports_ledger');
        if (random(12) === 0) await run('reports_roll');
      }
      await run('reports_ledger');
      await run('reports_roll');
      const [hours, days] = [await storedHours(test), await storedDays(test)];
      expect(hours).toEqual(await expectedHours(test, timeZone));
      expect(days).toEqual(sumByDay(hours, timeZone));
      expect(days.length).toBeGreaterThan(20);

      await sql`update stat_hours set count = count + 1, units = 0`.execute(test.deps.db);
      await sql`delete from stat_days`.execute(test.deps.db);
      await run('reports_rebuild');
      expect(await storedHours(test)).toEqual(hours);
      expect(await storedDays(test)).toEqual(days);
      // The rebuild also works in steps that end within an hour.
      await rebuild({ ...test.deps, statSources: [] }, 7);
      expect(await storedHours(test)).toEqual(hours);
      expect(alarms()).toEqual([]);
    },
  );

  it(
    '[O-167] stay as they are when a customer is erased, but for what moves then',
    { tags: 'long' },
    async () => {
      const { run } = await openAt('2031-06-10T09:10:00Z', 'UTC');
      const user = await openUserWithPassword(test, ath(40));
      await sql`update users set created_at = ${now()}`.execute(test.deps.db);
      const venue = await createVenue(test);
      await redeem(user, venue.id);
      await endOrder(user, true);
      await endOrder(user, false);
      await test.deps.db
        .transaction()
        .execute((tx) => countEvent(tx, { event: 'declined', dimension: 'lost_card', at: now() }));
      await run('reports_roll');
      await run('reports_ledger');
      const before = await storedHours(test);
      const deleted = await test.request({
        method: 'POST',
        url: '/api/account/delete',
        user,
        key: randomUUID(),
        payload: { password: PASSWORD },
      });
      expect(deleted.status).toBe(200);
      await test.runJobs();
      await run('reports_ledger');
      await run('reports_rebuild');
      const after = await storedHours(test);
      const added = after.filter(([name]) => !before.some(([known]) => known === name));
      expect(added).toEqual([['moved 7:0:-24 2031-06-10T09:00:00.000Z', 1n, 40_000_000n]]);
      expect(after.filter((figure) => !added.includes(figure))).toEqual(before);
    },
  );

  it('are counted again once the programme has another time zone', { tags: 'long' }, async () => {
    const { run } = await openAt('2031-06-10T22:10:00Z', 'UTC');
    await redeem(await openUser(), (await createVenue(test)).id);
    await run('reports_ledger');
    await run('reports_roll');
    const timeZone = 'Asia/Kathmandu';
    Object.assign(test.deps.config.console, { timeZone });
    await run('reports_roll');
    const hours = await storedHours(test);
    expect(hours).toEqual(await expectedHours(test, timeZone));
    expect(hours.some(([name]) => name.endsWith('T21:15:00.000Z'))).toBe(true);
    expect(await storedDays(test)).toEqual(sumByDay(hours, timeZone));
  });

  it('raise an alarm if they differ from the balances', async () => {
    const { run } = await openAt('2031-06-10T09:10:00Z', 'UTC');
    await openUser();
    await run('reports_ledger');
    expect(alarms()).toEqual([]);
    await sql`update stat_days set units = units + 1`.execute(test.deps.db);
    await run('reports_ledger');
    expect(alarms()).toMatchObject([{ account: 'issuance' }]);
  });
});
