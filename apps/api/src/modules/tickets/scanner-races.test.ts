/** Concurrent scans and redemptions in two API processes, and while the database connection breaks. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuests } from '../../../test/build-gate.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
} from '../../../test/build-redemption.ts';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
let second: SecondApp;
beforeAll(async () => {
  test = await createTestApp();
  second = await openSecondApp(test);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

type Asker = Pick<TestApp, 'request'>;
interface Asked {
  user: TestUser;
  payload: string;
  key?: string;
  itemIds?: readonly number[];
}

const redeem = ({ request }: Asker, { user, payload, key, itemIds }: Asked) =>
  request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    payload: { payload, ...(itemIds === undefined ? {} : { item_ids: itemIds }) },
    ...(key === undefined ? {} : { key }),
  });

const either = (index: number): Asker => (index % 2 === 0 ? test : second);

async function redeemedItems(itemIds: readonly number[]) {
  return test.deps.db
    .selectFrom('purchase_items')
    .select(['id', 'redeemed_at', 'redemption_id'])
    .where('id', 'in', itemIds.map(BigInt))
    .where('redeemed_at', 'is not', null)
    .execute();
}

async function countOf(table: 'redemptions' | 'code_claims', staff: TestUser): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where user_id = ${staff.userId}`.execute(
    test.deps.db,
  );
  return rows[0]?.count ?? -1;
}

const scansOf = (staff: TestUser) =>
  test.deps.db
    .selectFrom('scans')
    .select(['outcome', 'holder_user_id'])
    .where('user_id', '=', staff.userId)
    .execute();

/** Locks and closes as a deletion does; `meanwhile` runs while the lock is held. */
async function closeAccount(user: TestUser, meanwhile: () => Promise<void>): Promise<void> {
  await test.deps.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user.userId} for update`.execute(tx);
    await meanwhile();
    await tx
      .updateTable('users')
      .set({ closed_at: new Date(), email: null, password_hash: null })
      .where('id', '=', user.userId)
      .execute();
  });
}

/** The number of statements that contain `text` and wait for a lock. */
async function waitingStatements(text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(
    test.deps.db,
  );
  return rows[0]?.count ?? -1;
}

describe('twenty redemptions at once, in two processes', () => {
  it('[D-083] redeem one item once with one code', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const answers = await twenty((index) => redeem(either(index), { user: staff, payload }));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const won = answers.filter(({ body }) => body.results[0].outcome === 'redeemed');
    const lost = answers.filter(({ body }) => body.results[0].outcome === 'already_redeemed');
    expect({ won: won.length, lost: lost.length }).toEqual({ won: 1, lost: 19 });
    // All responses have the same time and place.
    const told = answers.map(({ body }) => body.results[0]);
    expect(new Set(told.map(({ redeemed_at: at }) => at)).size).toBe(1);
    expect(new Set(told.map(({ redeemed_venue: venue }) => venue))).toEqual(
      new Set([staff.venues[0]?.name]),
    );
    expect(await redeemedItems(itemIds)).toHaveLength(1);
  });

  it('[D-084] redeem one item once if every scanner has its own code', async () => {
    const ada = await test.createUser();
    const { itemIds } = await createItems(test, ada);
    const venue = await createVenue(test);
    const scanners = await twenty(() => createStaff(test, [venue]));
    const codes = scanners.map(() => {
      test.clock.advance(1);
      return purchaseCode(test, ada, itemIds);
    });
    const answers = await twenty((index) =>
      redeem(either(index), { user: scanners[index] ?? ada, payload: codes[index] ?? '' }),
    );
    const outcomes = answers.map(({ body }) => body.results[0].outcome);
    expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'already_redeemed')).toHaveLength(19);
  });

  it('[D-084] [D-176] let one of twenty scanners claim a code', async () => {
    const ada = await test.createUser();
    const { itemIds } = await createItems(test, ada);
    const venue = await createVenue(test);
    const scanners = await twenty(() => createStaff(test, [venue]));
    const payload = purchaseCode(test, ada, itemIds);
    const answers = await twenty((index) => {
      const user = scanners[index] ?? ada;
      return index % 4 < 2
        ? redeem(either(index), { user, payload })
        : either(index).request({
            method: 'POST',
            url: '/api/scanner/scan',
            user,
            payload: { payload },
          });
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'code_replayed')).toHaveLength(19);
  });

  it('[D-035] return one response for one key', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 3 });
    const payload = purchaseCode(test, ada, itemIds);
    const key = randomUUID();
    const answers = await twenty((index) => redeem(either(index), { user: staff, payload, key }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.redeemed_count).toBe(3);
    expect(await countOf('redemptions', staff)).toBe(1);
  });

  it('[D-037] accept one of two requests with one key and refuse the other with 409', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const payload = purchaseCode(test, ada, itemIds);
    const key = randomUUID();
    const answers = await twenty((index) =>
      redeem(either(index), {
        user: staff,
        payload,
        key,
        itemIds: itemIds.slice(index % 3 === 0 ? 1 : 0, index % 3 === 0 ? 2 : 1),
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const answered = answers.filter(({ status }) => status === 200);
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    expect(await redeemedItems(itemIds)).toHaveLength(1);
  });

  it('redeem each of forty items once if every scanner lists them in another order', async () => {
    const ada = await test.createUser();
    const { itemIds } = await createItems(test, ada, { count: 40 });
    const venue = await createVenue(test);
    const scanners = await twenty(() => createStaff(test, [venue]));
    const asked = scanners.map((user, index) => {
      test.clock.advance(1);
      const ids = [...itemIds.slice(index * 2), ...itemIds.slice(0, index * 2)];
      return { user, payload: purchaseCode(test, ada, index % 2 === 0 ? ids : ids.toReversed()) };
    });
    const answers = await twenty((index) =>
      redeem(either(index), asked[index] ?? { user: ada, payload: '' }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const counts = answers.map(({ body }) => body.redeemed_count);
    expect(counts.toSorted((a, b) => b - a)).toEqual([40, ...Array<number>(19).fill(0)]);
  });
});

let proxy: FreezableProxy;
let cutOff: SecondApp;
beforeAll(async () => {
  proxy = await createFreezableProxy(test.deps.config.databaseUrl);
  cutOff = await openSecondApp(test, { databaseUrl: proxy.url });
});
afterAll(async () => {
  await cutOff.close();
  await proxy.close();
});

describe('an attempt whose facts change after they were read', () => {
  it('[D-084] redeems the rest if another scanner redeems some of the items first', async () => {
    const ada = await test.createUser();
    const { itemIds } = await createItems(test, ada, { count: 3 });
    const [slow, quick] = [await createStaff(test), await createStaff(test)];
    const [first, second, third] = itemIds;
    const held = proxy.holdBefore('redeem_items');
    const pending = redeem(cutOff, { user: slow, payload: purchaseCode(test, ada, itemIds) });
    const release = await held;
    test.clock.advance(1000);
    const between = purchaseCode(test, ada, itemIds.slice(1, 2));
    const quicker = await redeem(test, { user: quick, payload: between });
    expect(quicker.body.redeemed_count).toBe(1);
    release();
    const { body } = await pending;
    const { redeemed_at: at } = quicker.body.results[0];
    expect(body).toMatchObject({
      redeemed_count: 2,
      results: [
        { item_id: first, outcome: 'redeemed', redeemed_venue: slow.venues[0]?.name },
        {
          item_id: second,
          outcome: 'already_redeemed',
          redeemed_at: at,
          redeemed_venue: quick.venues[0]?.name,
        },
        { item_id: third, outcome: 'redeemed', redeemed_venue: slow.venues[0]?.name },
      ],
    });
    const marked = await redeemedItems(itemIds);
    const markedBy = new Map(marked.map((item) => [Number(item.id), item.redemption_id]));
    expect(markedBy.size).toBe(3);
    expect(markedBy.get(first ?? 0)).toBe(markedBy.get(third ?? 0));
    expect(markedBy.get(first ?? 0)).not.toBe(markedBy.get(second ?? 0));
  });

  it('redeems what is left, however often others are first, and is logged once', async () => {
    const [ada, slow] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 4 });
    const [first = 0, ...others] = itemIds;
    let held = proxy.holdBefore('redeem_items');
    const pending = redeem(cutOff, { user: slow, payload: purchaseCode(test, ada, itemIds) });
    for (const id of others) {
      const release = await held;
      test.clock.advance(1000);
      const payload = purchaseCode(test, ada, [id]);
      expect((await redeem(test, { user: await createStaff(test), payload })).status).toBe(200);
      held = proxy.holdBefore('redeem_items');
      release();
    }
    (await held)();
    const { body } = await pending;
    const redeemed = body.results.filter(
      ({ outcome }: { outcome: string }) => outcome === 'redeemed',
    );
    expect(redeemed).toMatchObject([{ item_id: first }]);
    expect(await scansOf(slow)).toEqual([{ outcome: 'ok', holder_user_id: ada.userId }]);
  });

  it('is refused if the staff member has lost the venue by the second read', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const held = proxy.holdBefore('redeem_items');
    const pending = redeem(cutOff, { user: staff, payload: purchaseCode(test, ada, itemIds) });
    const release = await held;
    test.clock.advance(1000);
    const payload = purchaseCode(test, ada, itemIds.slice(1));
    expect((await redeem(test, { user: await createStaff(test), payload })).status).toBe(200);
    await test.deps.db
      .updateTable('venue_staff')
      .set({ revoked_at: new Date() })
      .where('user_id', '=', staff.userId)
      .execute();
    release();
    expect(refusalOf(await pending)).toEqual({ status: 403, code: 'staff_revoked' });
    expect(await redeemedItems(itemIds)).toHaveLength(1);
    expect(await scansOf(staff)).toEqual([
      { outcome: 'staff_revoked', holder_user_id: ada.userId },
    ]);
  });

  // The deletion commits before the statement begins, or while the statement waits for the lock.
  it.each([false, true])(
    'redeems nothing and does not log the holder if the holder deletes the account (waiting: %s)',
    async (isWaiting) => {
      const [ada, staff] = [await test.createUser(), await createStaff(test)];
      const { itemIds } = await createItems(test, ada);
      const held = proxy.holdBefore('redeem_items');
      const pending = redeem(cutOff, { user: staff, payload: purchaseCode(test, ada, itemIds) });
      const release = await held;
      await closeAccount(ada, async () => {
        if (!isWaiting) return;
        release();
        await expect.poll(() => waitingStatements('insert into redemptions')).toBe(1);
      });
      if (!isWaiting) release();
      expect((await pending).body).toMatchObject({
        redeemed_count: 0,
        results: [{ outcome: 'not_found' }],
      });
      expect(await redeemedItems(itemIds)).toEqual([]);
      expect(await scansOf(staff)).toEqual([{ outcome: 'not_found', holder_user_id: null }]);
    },
  );

  it('[D-086] logs a scan without the holder if the account is deleted at the same moment', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const held = proxy.holdBefore('insert_claimed_scan');
    const pending = cutOff.request({
      method: 'POST',
      url: '/api/scanner/scan',
      user: staff,
      payload: { payload: purchaseCode(test, ada, itemIds) },
    });
    const release = await held;
    await closeAccount(ada, async () => {
      release();
      await expect.poll(() => waitingStatements('insert into scans')).toBe(1);
    });
    expect((await pending).status).toBe(200);
    expect(await scansOf(staff)).toEqual([{ outcome: 'ok', holder_user_id: null }]);
  });
});

it('shows every scanner its own code, of a wallet or a ticket, when all scan at once', async () => {
  const staff = await createStaff(test);
  const scans: { user: TestUser; payload: string; itemIds: readonly number[] }[] = [];
  for (const guest of await createGuests(test, 4, { count: 2 })) {
    const { itemIds } = await createItems(test, guest.user, { count: 3 });
    scans.push(
      { user: staff, payload: purchaseCode(test, guest.user, itemIds), itemIds },
      {
        user: await createStaff(test),
        payload: guest.show(test.clock.nowMs()).code,
        itemIds: guest.itemIds,
      },
      { user: guest.user, payload: purchaseCode(test, guest.user, itemIds), itemIds: [] },
    );
  }
  const answers = await Promise.all(
    scans.map(({ user, payload }) =>
      test.request({ method: 'POST', url: '/api/scanner/scan', user, payload: { payload } }),
    ),
  );
  const shownIds = answers.map(({ body }) =>
    (body.items ?? []).map(({ id, state }: { id: number; state: string }) => {
      expect(state).toBe('redeemable');
      return id;
    }),
  );
  expect(shownIds).toEqual(scans.map(({ itemIds }) => [...itemIds]));
});

describe('when the connection to the database breaks', () => {
  // The last case breaks after PostgreSQL has committed.
  it.each([
    ['before the items are read', 'select_attempt_facts', false],
    ['before the code is claimed', 'insert into code_claims', false],
    ['before the items are marked', 'redeem_items', false],
    ['after the items are marked', 'redeem_items', true],
  ])(
    '[D-085] redeems once if it breaks %s, and every repeat of the key is answered alike',
    async (...of) => {
      const [, text, isHeard] = of;
      const [ada, staff] = [await test.createUser(), await createStaff(test)];
      const { itemIds } = await createItems(test, ada, { count: 3 });
      const payload = purchaseCode(test, ada, itemIds);
      const key = randomUUID();
      // Caches the session in that process, so that the broken connection affects only the redemption.
      const venues = { method: 'GET', url: '/api/scanner/venues', user: staff } as const;
      expect((await cutOff.request(venues)).status).toBe(200);
      const reached = isHeard ? proxy.swallowAnswersTo(text) : proxy.freezeBefore(text);
      const pending = redeem(cutOff, { user: staff, payload, key });
      await reached;
      // The commit has been sent by now, but the broken connection could still overtake it.
      if (isHeard) await expect.poll(() => redeemedItems(itemIds)).toHaveLength(3);
      proxy.cutAndHeal();
      // The process repeats the request on another connection, with the same key.
      expect(await pending).toMatchObject({ status: 200, body: { redeemed_count: 3 } });
      expect(await countOf('redemptions', staff)).toBe(1);
      const again = await redeem(test, { user: staff, payload, key });
      expect(again).toMatchObject({ status: 200, body: { redeemed_count: 3 } });
      const [item] = await redeemedItems(itemIds);
      expect(again.body.results[0].redeemed_at).toBe(item?.redeemed_at?.toISOString());
      expect(await countOf('redemptions', staff)).toBe(1);
      const kept = await test.deps.db
        .selectFrom('scans')
        .select((select) => select.fn.sum<bigint>('redeemed_count').as('sum'))
        .where('user_id', '=', staff.userId)
        .executeTakeFirst();
      expect(String(kept?.sum)).toBe('3');
    },
  );

  it('redeems again what a failover has lost between the two statements of a repeat', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const asked = { user: staff, payload: purchaseCode(test, ada, itemIds), key: randomUUID() };
    expect((await redeem(test, asked)).status).toBe(200);
    await cutOff.request({ method: 'GET', url: '/api/scanner/venues', user: staff });
    const isFound = proxy.holdBefore('insert into scans');
    const repeated = redeem(cutOff, asked);
    const goOn = await isFound;
    await test.deps.db
      .updateTable('purchase_items')
      .set({ redeemed_at: null, redemption_id: null })
      .where('id', 'in', itemIds.map(BigInt))
      .execute();
    await test.deps.db.deleteFrom('redemptions').where('user_id', '=', staff.userId).execute();
    goOn();
    expect(await repeated).toMatchObject({ status: 200, body: { redeemed_count: 1 } });
    expect(await redeemedItems(itemIds)).toHaveLength(1);
  });

  it('[D-085] still counts a scanner as in time when it retries later', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const key = randomUUID();
    await cutOff.request({ method: 'GET', url: '/api/scanner/venues', user: staff });
    let reached = proxy.freezeBefore('redeem_items');
    const pending = redeem(cutOff, { user: staff, payload, key });
    // The process repeats it three times.
    for (let repeat = 1; repeat <= 3; repeat += 1) {
      await reached;
      proxy.cutAndHeal();
      reached = proxy.freezeBefore('redeem_items');
    }
    await reached;
    proxy.cutAndHeal();
    expect(refusalOf(await pending)).toEqual({ status: 503, code: 'try_again' });
    expect(await countOf('code_claims', staff)).toBe(1);
    test.clock.advance(90_000);
    const again = await redeem(test, { user: staff, payload, key });
    expect(again.body.redeemed_count).toBe(1);
  });
});
