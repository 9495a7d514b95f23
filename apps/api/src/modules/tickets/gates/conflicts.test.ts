/** Items that were handed out twice, and devices that are blocked before they have synced their redemptions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openUser } from '../../../../test/accounts.ts';
import {
  askPack,
  createGuest,
  createReadyGate,
  syncLog,
  writeLog,
  type TestGate,
  type TestGuest,
} from '../../../../test/build-gate.ts';
import { createItems, createStaff } from '../../../../test/build-redemption.ts';
import { askTickets, createPhone, showTicket, ticketsOf } from '../../../../test/build-ticket.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { refusalOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let test: TestApp;
let lead: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
});
afterAll(() => test.close());

const now = (): number => test.clock.nowMs();

async function signInAgain(user: TestUser): Promise<TestUser> {
  const token = await test.deps.sessions.open(test.deps.db, {
    userId: user.userId,
    userUuid: user.uuid,
  });
  return { ...user, token };
}

const conflictsOf = (itemIds: readonly number[]) =>
  test.deps.db
    .selectFrom('redemption_conflicts as conflict')
    .innerJoin('redemptions as first', 'first.id', 'conflict.first_redemption_id')
    .select([
      'conflict.item_id',
      'conflict.first_at',
      'conflict.at',
      'first.venue_id as first_venue_id',
      'conflict.venue_id',
      'conflict.log_id',
      'conflict.value_ath_hundredths',
      'conflict.state',
    ])
    .where('conflict.item_id', 'in', itemIds.map(BigInt))
    .orderBy('conflict.id')
    .execute();

const redeemOnline = (user: TestUser, payload: string, headers: Record<string, string> = {}) =>
  test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    headers,
    key: crypto.randomUUID(),
    payload: { payload },
  });

describe('two gates without a network and one phone', () => {
  it('[W-051] make one conflict for the item, with both times, venues, devices and its value', async () => {
    const [one, other] = [await createReadyGate(test, lead), await createReadyGate(test, lead)];
    const guest = await createGuest(test, { count: 2 });
    const [first = 0, second = 0] = guest.itemIds;
    test.clock.advance(MINUTE_MS);
    const [atMs, laterMs] = [now() - 20_000, now() - 10_000];
    const log = writeLog(one, [guest.show(atMs, [first])]);
    const otherLog = writeLog(other, [guest.show(laterMs, [first, second])]);
    const [, later] = await Promise.all([
      syncLog(test, one, log),
      (async () => {
        await expect
          .poll(async () => (await askPack(test, one)).body.device.last_seq, { interval: 200 })
          .toBe(1);
        return syncLog(test, other, otherLog);
      })(),
    ]);
    expect(later.body).toMatchObject({
      state: 'active',
      results: [
        {
          items: [
            { item_id: first, outcome: 'conflict' },
            { item_id: second, outcome: 'redeemed' },
          ],
        },
      ],
    });
    for (let count = 0; count < 3; count++) {
      expect((await syncLog(test, other, otherLog)).body).toEqual(later.body);
    }
    const price = await test.deps.db
      .selectFrom('purchase_lines as line')
      .innerJoin('purchase_items as item', 'item.purchase_id', 'line.purchase_id')
      .select('line.price_ath_hundredths')
      .where('item.id', '=', BigInt(first))
      .executeTakeFirstOrThrow();
    expect(await conflictsOf(guest.itemIds)).toEqual([
      {
        item_id: BigInt(first),
        first_at: new Date(atMs),
        at: new Date(laterMs),
        first_venue_id: one.venue.id,
        venue_id: other.venue.id,
        log_id: other.deviceId,
        value_ath_hundredths: price.price_ath_hundredths,
        state: 'open',
      },
    ]);
  });

  it('[W-051] make exactly one conflict when both tell of it at the same time', async () => {
    const guest = await createGuest(test, { count: 5 });
    const gates = [await createReadyGate(test, lead), await createReadyGate(test, lead)];
    const answers = await Promise.all(
      gates.flatMap((gate, index) => {
        // The two entries list the items in opposite orders, so that they would wait for each other's locks.
        const ids = index === 0 ? guest.itemIds : guest.itemIds.toReversed();
        const entries = writeLog(
          gate,
          ids.map((id, at) => guest.show(now() - 5_000 + at, [id])),
        );
        return [1, 2, 3].map(() => syncLog(test, gate, entries));
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const conflicts = await conflictsOf(guest.itemIds);
    expect(conflicts.map(({ item_id: id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      guest.itemIds,
    );
  });

  it('an item that was redeemed online at another gate is a conflict as well', async () => {
    const [gate, guest] = [await createReadyGate(test, lead), await createGuest(test)];
    const online = await createStaff(test);
    const handover = guest.show(now());
    expect((await redeemOnline(online, handover.code)).status).toBe(200);
    await syncLog(test, gate, writeLog(gate, [handover]));
    expect(await conflictsOf(guest.itemIds)).toMatchObject([
      { first_venue_id: online.venues[0]?.id, venue_id: gate.venue.id },
    ]);
  });

  it('so is one that the same person redeemed online at another device with the same code', async () => {
    const [one, guest] = [await createReadyGate(test, lead), await createGuest(test)];
    const staff = await signInAgain(one.staff);
    const other = await createReadyGate(test, lead, { venue: one.venue, staff });
    const handover = guest.show(now());
    expect((await redeemOnline(one.staff, handover.code, one.headers)).status).toBe(200);
    const { body } = await syncLog(test, other, writeLog(other, [handover]));
    expect(body.results).toEqual([
      { seq: 1, items: [{ item_id: guest.itemIds[0], outcome: 'conflict' }] },
    ]);
    expect(await conflictsOf(guest.itemIds)).toHaveLength(1);
    expect((await askPack(test, other)).body.grant.items_max).toBe(100);
    expect((await askPack(test, one)).body.grant.items_max).toBe(200);
  });

  it('a phone whose tickets moved makes one conflict at a gate with an older list, once the new one was shown', async () => {
    const gate = await createReadyGate(test, lead);
    const [user, old, fresh] = [await openUser(test), createPhone(), createPhone()];
    const { itemIds } = await createItems(test, user, { count: 2 });
    const [first = 0, second = 0] = itemIds;
    const [oldTicket = new Uint8Array()] = await ticketsOf(test, user, old);
    const [newTicket = new Uint8Array()] = await ticketsOf(test, user, fresh);
    const atMs = now();
    const online = await createStaff(test);
    const newCode = showTicket(fresh, newTicket, { atMs, itemIds: [first] });
    expect((await redeemOnline(online, newCode)).body.redeemed_count).toBe(1);
    const oldCode = showTicket(old, oldTicket, { atMs, itemIds });
    expect((await redeemOnline(online, oldCode)).body.code).toBe('ticket_ended');
    const log = writeLog(gate, [{ at_ms: atMs + 1, code: oldCode, item_ids: itemIds }]);
    for (let count = 0; count < 2; count++) {
      expect((await syncLog(test, gate, log)).body.results[0].items).toEqual([
        { item_id: first, outcome: 'conflict' },
        { item_id: second, outcome: 'redeemed' },
      ]);
    }
    const { price } = await test.deps.db
      .selectFrom('purchase_lines as line')
      .innerJoin('purchase_items as item', 'item.purchase_id', 'line.purchase_id')
      .select('line.price_ath_hundredths as price')
      .where('item.id', '=', BigInt(first))
      .executeTakeFirstOrThrow();
    expect(await conflictsOf(itemIds)).toMatchObject([
      {
        item_id: BigInt(first),
        first_venue_id: online.venues[0]?.id,
        venue_id: gate.venue.id,
        value_ath_hundredths: price,
      },
    ]);
  });

  it('a device that hands out one item twice conflicts with itself', async () => {
    const [gate, guest] = [await createReadyGate(test, lead), await createGuest(test)];
    const handovers = [guest.show(now() - 2_000), guest.show(now())];
    await syncLog(test, gate, writeLog(gate, handovers));
    expect(await conflictsOf(guest.itemIds)).toHaveLength(1);
  });
});

describe('after conflicts', () => {
  /** Creates a guest whose item a device hands out after it was redeemed elsewhere. */
  async function conflictAt(gate: TestGate, guest?: TestGuest) {
    const holder = guest ?? (await createGuest(test));
    const first = await createReadyGate(test, lead);
    const itemIds = holder.itemIds.slice(0, 1);
    test.clock.advance(1_000);
    await syncLog(test, first, writeLog(first, [holder.show(now(), itemIds)]));
    const { body } = await askPack(test, gate);
    const { last_seq: seq, last_hash: previousHash } = body.device;
    const entry = { ...holder.show(now(), itemIds), seq: seq + 1, previous_hash: previousHash };
    expect((await syncLog(test, gate, writeLog(gate, [entry]))).body.state).toBe('active');
    return holder;
  }
  async function itemsMaxOf(gate: TestGate): Promise<unknown> {
    const staff = await signInAgain(gate.staff);
    return (await askPack(test, { ...gate, staff })).body.grant.items_max;
  }

  it('[W-053] a device has half of its allowance for 7 days, and after each half of that', async () => {
    const gate = await createReadyGate(test, lead);
    expect(await itemsMaxOf(gate)).toBe(200);
    await conflictAt(gate);
    expect(await itemsMaxOf(gate)).toBe(100);
    await conflictAt(gate);
    expect((await askPack(test, gate)).body.grant).toMatchObject({
      items_max: 50,
      value_max_ath_hundredths: 125_000,
      item_value_max_ath_hundredths: 50_000,
    });
    test.clock.advance(7 * DAY_MS - MINUTE_MS);
    expect(await itemsMaxOf(gate)).toBe(50);
    test.clock.advance(2 * MINUTE_MS);
    expect(await itemsMaxOf(gate)).toBe(200);
  });

  it('a holder with conflicts at two devices gets no ticket for 30 days, and online codes go on', async () => {
    const guest = await createGuest(test, { count: 3 });
    await conflictAt(await createReadyGate(test, lead), guest);
    expect((await askTickets(test, guest.user)).body.tickets).not.toEqual([]);
    await conflictAt(await createReadyGate(test, lead), guest);
    expect((await askTickets(test, guest.user)).body.tickets).toEqual([]);
    const staff = await createStaff(test);
    const scan = await test.request({
      method: 'POST',
      url: '/api/scanner/scan',
      user: staff,
      payload: { payload: guest.show(now()).code },
    });
    expect(scan.status).toBe(200);
    test.clock.advance(30 * DAY_MS + MINUTE_MS);
    const again = await signInAgain(guest.user);
    expect((await askTickets(test, again)).body.tickets).not.toEqual([]);
  });
});

it('[W-054] a blocked device is refused its list and its sync, and what it sends is kept', async () => {
  const [gate, guest] = [await createReadyGate(test, lead), await createGuest(test, { count: 2 })];
  const [first = 0, second = 0] = guest.itemIds;
  const entries = writeLog(gate, [guest.show(now(), [first]), guest.show(now(), [second])]);
  const [{ id }] = (await lead.call('scanners', { query: { venue_id: gate.venue.id } })).body.items;
  const block = (isBlocked: boolean) =>
    lead.call('blockScanner', { params: { id }, body: { is_blocked: isBlocked } });
  await block(true);
  const blocked = { status: 403, code: 'device_blocked' };
  expect(refusalOf(await syncLog(test, gate, entries)).status).toBe(401);
  for (let count = 0; count < 2; count++) {
    const staff = await signInAgain(gate.staff);
    expect(refusalOf(await syncLog(test, { ...gate, staff }, entries))).toEqual(blocked);
  }
  const staff = await signInAgain(gate.staff);
  expect(refusalOf(await askPack(test, { ...gate, staff }))).toEqual(blocked);
  const kept = await test.deps.db
    .selectFrom('offline_entries')
    .select(['seq', 'state', 'fault', 'item_ids'])
    .where('log_id', '=', gate.deviceId)
    .orderBy('seq')
    .execute();
  expect(kept).toEqual([
    { seq: 1n, state: 'kept', fault: 'blocked', item_ids: [String(first)] },
    { seq: 2n, state: 'kept', fault: 'blocked', item_ids: [String(second)] },
  ]);
  expect(await conflictsOf(guest.itemIds)).toEqual([]);
  // Once unblocked, the device sends the entries as before.
  await block(false);
  const again = { ...gate, staff: await signInAgain(gate.staff) };
  expect((await syncLog(test, again, entries)).body).toMatchObject({
    state: 'active',
    last_seq: 2,
    results: [{ items: [{ outcome: 'redeemed' }] }, { items: [{ outcome: 'redeemed' }] }],
  });
});
