/** How staff see redemptions made without a network in the console, and decide about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createGuest,
  createReadyGate,
  syncLog,
  writeLog,
  type TestEntry,
  type TestGate,
} from '../../../../test/build-gate.ts';
import { createVenue, type TestVenue } from '../../../../test/build-redemption.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { refusalOf } from '../../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const DAY_MS = 24 * 60 * 60_000;
const REASON = 'The guest had shown it twice';

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

async function boundLead({ id }: TestVenue): Promise<ConsoleCaller> {
  const caller = await consoleAs(test, ['scanner_lead']);
  await test.deps.db
    .insertInto('staff_venues')
    .values({ staff_id: caller.staffId, venue_id: id })
    .execute();
  return caller;
}

async function makeConflict() {
  const [one, other] = [await createReadyGate(test, lead), await createReadyGate(test, lead)];
  const guest = await createGuest(test);
  const [firstMs, secondMs] = [now(), now() + 1_000];
  await syncLog(test, one, writeLog(one, [guest.show(firstMs)]));
  await syncLog(test, other, writeLog(other, [guest.show(secondMs)]));
  const { body } = await lead.call('conflicts', { query: { venue_id: other.venue.id } });
  return { one, other, guest, conflict: body.items[0] };
}

const refund = (itemIds: readonly number[]) =>
  test.deps.db
    .updateTable('purchase_items')
    .set({ voided_at: new Date(now()) })
    .where('id', 'in', itemIds.map(BigInt))
    .execute();

const resolve = (by: ConsoleCaller, id: number, over: object = {}) =>
  by.call('resolveConflict', {
    params: { id },
    body: { as: 'written_off', reason: REASON, ...over },
  });

const deviceAt = async (gate: TestGate, by = lead): Promise<string> =>
  (await by.call('scanners', { query: { venue_id: gate.venue.id } })).body.items[0].id;

describe('a conflict', () => {
  it('[W-055] is listed with both sides, and a lead writes it off with words', async () => {
    const { one, other, guest, conflict } = await makeConflict();
    expect(conflict).toMatchObject({
      item: { id: guest.itemIds[0] },
      state: 'open',
      first: {
        venue: { id: one.venue.id },
        scanner_uuid: one.staff.uuid,
        device: { id: await deviceAt(one), name: 'Gate' },
      },
      second: {
        venue: { id: other.venue.id },
        scanner_uuid: other.staff.uuid,
        device: { id: await deviceAt(other), name: 'Gate' },
      },
      customer_uuid: guest.user.uuid,
      resolution: null,
    });
    expect(BigInt(conflict.value)).toBeGreaterThan(0n);
    const { body } = await resolve(lead, conflict.id);
    expect(body).toMatchObject({
      state: 'written_off',
      resolution: { by: { id: lead.staffId }, reason: REASON },
    });
    expect((await lead.call('conflict', { params: { id: conflict.id } })).body).toEqual(body);
    const open = await lead.call('conflicts', {
      query: { venue_id: other.venue.id, state: 'open' },
    });
    expect(open.body.items).toEqual([]);
    const auditor = await consoleAs(test, ['auditor']);
    const audit = await auditor.call('auditEntries', {
      query: { subject_type: 'conflict', subject_id: String(conflict.id) },
    });
    expect(audit.body.items).toMatchObject([{ action: 'conflict.resolve' }]);
  });

  it('is decided on once, with at least ten characters, by who may manage scanners', async () => {
    const { conflict } = await makeConflict();
    expect(refusalOf(await resolve(lead, conflict.id, { reason: 'short' })).status).toBe(400);
    const support = await consoleAs(test, ['support']);
    expect(refusalOf(await resolve(support, conflict.id)).code).toBe('permission_missing');
    const answers = await Promise.all([1, 2, 3].map(() => resolve(lead, conflict.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusalOf(await resolve(lead, conflict.id, { as: 'explained' }))).toEqual({
      status: 409,
      code: 'state_changed',
    });
  });

  it('is seen by leads of both venues, and by no other lead who is bound to venues', async () => {
    const { one, other, conflict } = await makeConflict();
    for (const venue of [one.venue, other.venue]) {
      const bound = await boundLead(venue);
      const { body } = await bound.call('conflicts', {});
      expect(body.items.map(({ id }: { id: number }) => id)).toEqual([conflict.id]);
    }
    const elsewhere = await boundLead(await createVenue(test));
    expect((await elsewhere.call('conflicts', {})).body.items).toEqual([]);
    const foreign = await elsewhere.call('conflict', { params: { id: conflict.id } });
    expect(refusalOf(foreign).code).toBe('not_found');
    expect(refusalOf(await resolve(elsewhere, conflict.id)).code).toBe('not_found');
  });

  it('is listed page by page, newest first', async () => {
    const { other, conflict } = await makeConflict();
    const guest = await createGuest(test, { count: 2 });
    const first = await createReadyGate(test, lead);
    await syncLog(test, first, writeLog(first, [guest.show(now())]));
    const again = writeLog(other, [guest.show(now() + 2_000)]);
    const { body: pack } = await test.request({
      method: 'GET',
      url: `/api/scanner/offline/pack?venue_id=${other.venue.id}`,
      user: other.staff,
      headers: other.headers,
    });
    const entry = {
      ...(again[0] as TestEntry),
      seq: 2,
      previous_hash: String(pack.device.last_hash),
    };
    await syncLog(test, other, writeLog(other, [entry]));
    const page = await lead.call('conflicts', { query: { venue_id: other.venue.id, limit: 2 } });
    expect(page.body).toMatchObject({ count: { value: 3 } });
    const next = await lead.call('conflicts', {
      query: { venue_id: other.venue.id, limit: 2, cursor: page.body.next_cursor },
    });
    expect(next.body.items.map(({ id }: { id: number }) => id)).toEqual([conflict.id]);
  });
});

describe('an item that was refunded before the server heard of its handover', () => {
  const conflictsAt = async ({ venue }: TestGate) =>
    (await lead.call('conflicts', { query: { venue_id: venue.id } })).body.items;

  it('is a conflict with both times and its value, which is explained with words', async () => {
    const [gate, guest] = [await createReadyGate(test, lead), await createGuest(test)];
    const advance = stopClock(test);
    const atMs = now();
    advance(5_000);
    const refundedAt = new Date(now()).toISOString();
    await refund(guest.itemIds);
    advance(5_000);
    const entries = writeLog(gate, [guest.show(atMs)]);
    for (let count = 0; count < 2; count++) await syncLog(test, gate, entries);
    const [conflict, ...others] = await conflictsAt(gate);
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      item: { id: guest.itemIds[0] },
      state: 'open',
      refunded_at: refundedAt,
      first: null,
      second: {
        at: new Date(atMs).toISOString(),
        venue: { id: gate.venue.id },
        device: { id: await deviceAt(gate) },
      },
      customer_uuid: guest.user.uuid,
    });
    expect(BigInt(conflict.value)).toBeGreaterThan(0n);
    const { body } = await resolve(lead, conflict.id, { as: 'explained' });
    expect(body).toMatchObject({ state: 'explained', refunded_at: refundedAt, first: null });
  });

  it('is one for each entry and item, and the rest of the code is redeemed', async () => {
    const gate = await createReadyGate(test, lead);
    const guest = await createGuest(test, { count: 3 });
    await refund(guest.itemIds.slice(0, 2));
    test.clock.advance(1_000);
    await syncLog(test, gate, writeLog(gate, [guest.show(now())]));
    const items = await conflictsAt(gate);
    expect(items.map(({ item }: { item: { id: number } }) => item.id).toSorted()).toEqual(
      guest.itemIds.slice(0, 2),
    );
    const redemptions = await lead.call('redemptions', {
      query: { customer_uuid: guest.user.uuid },
    });
    expect(redemptions.body.items).toMatchObject([{ item_count: 1 }]);
  });

  it('is a handover twice if it had been redeemed and was refunded after that', async () => {
    const [one, other] = [await createReadyGate(test, lead), await createReadyGate(test, lead)];
    const guest = await createGuest(test);
    const handover = guest.show(now());
    await syncLog(test, one, writeLog(one, [handover]));
    await refund(guest.itemIds);
    await syncLog(test, other, writeLog(other, [handover]));
    expect(await conflictsAt(other)).toMatchObject([
      { refunded_at: null, first: { venue: { id: one.venue.id } } },
    ]);
  });

  it('stays known as long as any conflict', async () => {
    const [gate, guest] = [await createReadyGate(test, lead), await createGuest(test)];
    await refund(guest.itemIds);
    test.clock.advance(1_000);
    await syncLog(test, gate, writeLog(gate, [guest.show(now())]));
    test.clock.advance(100 * DAY_MS);
    await enqueueJob(test.deps.db, 'scanner_prune', {});
    await test.runJobs();
    lead = await consoleAs(test, ['scanner_lead']);
    expect(await conflictsAt(gate)).toMatchObject([{ first: null }]);
  });
});

describe('a suspect device', () => {
  /** Sends a log whose second of three entries is missing, together with the items that the third hands out. */
  async function makeSuspect(count = 3) {
    const gate = await createReadyGate(test, lead);
    const guest = await createGuest(test, { count });
    const entries = writeLog(
      gate,
      guest.itemIds.map((id, index) => guest.show(now() - 10_000 + index, [id])),
    );
    await syncLog(test, gate, entries.slice(0, 1));
    const answer = await syncLog(test, gate, entries.slice(2));
    expect(answer.body.state).toBe('suspect');
    return { gate, guest, entries, id: await deviceAt(gate) };
  }
  const clear = (by: ConsoleCaller, id: string, isBooked: boolean) =>
    by.call('clearScanner', { params: { id }, body: { is_booked: isBooked, reason: REASON } });

  async function redeemedIds(itemIds: readonly number[]) {
    const rows = await test.deps.db
      .selectFrom('purchase_items')
      .select('id')
      .where('id', 'in', itemIds.map(BigInt))
      .where('redeemed_at', 'is not', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => Number(id));
  }

  it('is shown with what it kept, and found by its state', async () => {
    const { gate, id } = await makeSuspect();
    const { body } = await lead.call('scanner', { params: { id } });
    expect(body).toMatchObject({
      offline_state: 'suspect',
      offline: { kept_count: 1, conflict_count: 0, items_max: 200, value_max: '5000000000' },
    });
    const found = await lead.call('scanners', {
      query: { venue_id: gate.venue.id, state: 'suspect' },
    });
    expect(found.body.items).toMatchObject([{ id, offline_state: 'suspect' }]);
  });

  it('goes on after a person has booked what it kept, and its next entries count', async () => {
    const { gate, guest, entries, id } = await makeSuspect(4);
    const [first = 0, , third = 0, fourth = 0] = guest.itemIds;
    expect((await clear(lead, id, true)).body).toEqual({
      booked_count: 2,
      conflict_count: 0,
      left_count: 0,
    });
    expect(await redeemedIds(guest.itemIds)).toEqual([first, third, fourth]);
    const more = await createGuest(test);
    const next = writeLog(gate, [more.show(now())], entries.at(-1));
    const answer = await syncLog(test, gate, [...entries.slice(2), ...next]);
    expect(answer.body).toMatchObject({ state: 'active', last_seq: 5 });
    expect(answer.body.results).toMatchObject([
      { seq: 3, items: [{ item_id: third, outcome: 'redeemed' }] },
      { seq: 4, items: [{ item_id: fourth, outcome: 'redeemed' }] },
      { seq: 5, items: [{ outcome: 'redeemed' }] },
    ]);
  });

  it('goes on after a person has left what it kept', async () => {
    const { gate, guest, entries, id } = await makeSuspect();
    expect((await clear(lead, id, false)).body).toEqual({
      booked_count: 0,
      conflict_count: 0,
      left_count: 1,
    });
    expect(await redeemedIds(guest.itemIds)).toEqual(guest.itemIds.slice(0, 1));
    const answer = await syncLog(test, gate, entries.slice(2));
    expect(answer.body).toMatchObject({
      state: 'active',
      last_seq: 3,
      results: [{ seq: 3, items: [{ outcome: 'refused' }] }],
    });
  });

  it('books nothing that its own key, the server and the guest have not signed', async () => {
    const gate = await createReadyGate(test, lead);
    const guest = await createGuest(test, { count: 2 });
    const [first = 0, second = 0] = guest.itemIds;
    const [own] = writeLog(gate, [guest.show(now(), [first])]);
    if (own === undefined) throw new Error('no entry');
    const forged = { ...own, seq: 7, item_ids: [second] };
    await syncLog(test, gate, [forged]);
    const id = await deviceAt(gate);
    expect((await clear(lead, id, true)).body).toEqual({
      booked_count: 0,
      conflict_count: 0,
      left_count: 1,
    });
    expect(await redeemedIds(guest.itemIds)).toEqual([]);
    // Entries that the device did not sign do not move the end of its log.
    expect((await syncLog(test, gate, [own])).body).toMatchObject({ state: 'active', last_seq: 1 });
  });

  it('what it kept becomes a conflict if it was redeemed elsewhere meanwhile', async () => {
    const { guest, id } = await makeSuspect();
    const other = await createReadyGate(test, lead);
    const third = guest.itemIds.slice(2);
    await syncLog(test, other, writeLog(other, [guest.show(now(), third)]));
    expect((await clear(lead, id, true)).body).toMatchObject({
      booked_count: 0,
      conflict_count: 1,
    });
  });

  it('what a blocked device sent can be booked as well', async () => {
    const gate = await createReadyGate(test, lead);
    const guest = await createGuest(test);
    const id = await deviceAt(gate);
    await lead.call('blockScanner', { params: { id }, body: { is_blocked: true } });
    const { userId, uuid: userUuid } = gate.staff;
    const token = await test.deps.sessions.open(test.deps.db, { userId, userUuid });
    const staff = { ...gate.staff, token };
    await syncLog(test, { ...gate, staff }, writeLog(gate, [guest.show(now())]));
    expect((await clear(lead, id, true)).body).toMatchObject({ booked_count: 1 });
    expect(await redeemedIds(guest.itemIds)).toEqual(guest.itemIds);
  });

  it('is cleared once, with a reason, by who may manage the scanners of its venue', async () => {
    const { gate, id } = await makeSuspect();
    const support = await consoleAs(test, ['support']);
    expect(refusalOf(await clear(support, id, true)).code).toBe('permission_missing');
    const elsewhere = await boundLead(await createVenue(test));
    expect(refusalOf(await clear(elsewhere, id, true)).code).toBe('not_found');
    const answers = await Promise.all([1, 2, 3].map(() => clear(lead, id, true)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusalOf(await clear(lead, id, false)).code).toBe('state_changed');
    expect((await lead.call('scanner', { params: { id } })).body.offline_state).toBe('active');
    expect(gate.deviceId).not.toBe(id);
  });
});
