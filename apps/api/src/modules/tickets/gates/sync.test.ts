/** Synced redemptions that were made without a network: each counts once, and nothing that was tampered with counts. */
import { randomBytes, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeBase45, encodeBase45 } from '@athos/domain/base45';
import { encodeTicket, parseTicket, ticketToSign } from '@athos/domain/ticket-code';
import { createOffer } from '../../../../test/build-catalog.ts';
import {
  createGuest,
  createGuests,
  createReadyGate,
  hashOfEntry,
  syncLog,
  writeLog,
  type TestEntry,
  type TestGate,
} from '../../../../test/build-gate.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
  unbindStaff,
} from '../../../../test/build-redemption.ts';
import { createPhone, showTicket } from '../../../../test/build-ticket.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { createSigningKeys } from '../../../platform/keys/signing-keys.ts';
import { keyByteOf } from '../offline/read-ticket-code.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let test: TestApp;
let lead: ConsoleCaller;
let gate: TestGate;
const recorded = recordLog();
beforeAll(async () => {
  test = await createTestApp({ log: recorded.log });
});
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
  gate = await createReadyGate(test, lead);
});
afterAll(() => test.close());

const now = (): number => test.clock.nowMs();

async function itemsOf(itemIds: readonly number[]) {
  const rows = await test.deps.db
    .selectFrom('purchase_items as item')
    .leftJoin('redemptions as redemption', 'redemption.id', 'item.redemption_id')
    .select(['item.id', 'item.redeemed_at', 'redemption.venue_id', 'redemption.user_id'])
    .where('item.id', 'in', itemIds.map(BigInt))
    .orderBy('item.id')
    .execute();
  return rows.map((row) => ({
    id: Number(row.id),
    atMs: row.redeemed_at?.getTime(),
    venueId: row.venue_id,
    userId: row.user_id,
  }));
}
const redeemedIds = async (itemIds: readonly number[]) =>
  (await itemsOf(itemIds)).flatMap(({ id, atMs }) => (atMs === undefined ? [] : [id]));

const conflictsOf = (itemIds: readonly number[]) =>
  test.deps.db
    .selectFrom('redemption_conflicts')
    .selectAll()
    .where('item_id', 'in', itemIds.map(BigInt))
    .orderBy('id')
    .execute();

const entriesOf = ({ deviceId }: TestGate) =>
  test.deps.db
    .selectFrom('offline_entries')
    .select(['seq', 'state', 'fault'])
    .where('log_id', '=', deviceId)
    .orderBy('seq')
    .execute();

const redeemOnline = (user: TestUser, payload: string) =>
  test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    key: crypto.randomUUID(),
    payload: { payload },
  });

const outcomesOf = (answer: { body: { results: { items: { outcome: string }[] }[] } }) =>
  answer.body.results.map(({ items }) => items.map(({ outcome }) => outcome));

describe('a good entry', () => {
  it('[W-049] is redeemed once, with its own time and venue, however often it is sent', async () => {
    const guest = await createGuest(test, { count: 3 });
    const [first = 0, second = 0, third = 0] = guest.itemIds;
    test.clock.advance(MINUTE_MS);
    const atMs = now();
    const entries = writeLog(gate, [
      guest.show(atMs, [first, second]),
      guest.show(atMs + 500, [third]),
    ]);
    test.clock.advance(MINUTE_MS);
    const answer = await syncLog(test, gate, entries);
    expect(answer.body).toEqual({
      results: [
        { seq: 1, items: [first, second].map((id) => ({ item_id: id, outcome: 'redeemed' })) },
        { seq: 2, items: [{ item_id: third, outcome: 'redeemed' }] },
      ],
      state: 'active',
      last_seq: 2,
      last_hash: entries.flatMap((entry) => hashOfEntry(gate, entry))[1],
    });
    const items = await itemsOf(guest.itemIds);
    expect(items.map(({ atMs: ms }) => ms)).toEqual([atMs, atMs, atMs + 500]);
    expect(
      items.every(
        ({ venueId, userId }) => venueId === gate.venue.id && userId === gate.staff.userId,
      ),
    ).toBe(true);
    expect((await syncLog(test, gate, entries)).body).toEqual(answer.body);
    expect((await syncLog(test, gate, entries.slice(1))).body.results).toEqual(
      answer.body.results.slice(1),
    );
    expect(await itemsOf(guest.itemIds)).toEqual(items);
    expect(await conflictsOf(guest.itemIds)).toEqual([]);
  });

  it('[W-049] is redeemed once when the same batch is sent twenty times at once', async () => {
    const guest = await createGuest(test, { count: 5 });
    const entries = writeLog(
      gate,
      guest.itemIds.map((id, index) => guest.show(now() - 1_000 + index, [id])),
    );
    const answers = await twenty(() => syncLog(test, gate, entries));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    for (const { body } of taken) expect(body).toEqual(taken[0]?.body);
    expect(await redeemedIds(guest.itemIds)).toEqual(guest.itemIds);
    expect(await conflictsOf(guest.itemIds)).toEqual([]);
    const { rows } = { rows: await entriesOf(gate) };
    expect(rows.map(({ seq, state }) => [seq, state])).toEqual(
      [1n, 2n, 3n, 4n, 5n].map((seq) => [seq, 'booked']),
    );
  });

  it('is in the history of its holder, the log of scans and the list of redemptions like any other', async () => {
    const guest = await createGuest(test, { count: 2 });
    test.clock.advance(MINUTE_MS);
    const atMs = now() - 1_000;
    await syncLog(test, gate, writeLog(gate, [guest.show(atMs)]));
    const { body } = await lead.call('redemptions', { query: { customer_uuid: guest.user.uuid } });
    expect(body.items).toMatchObject([
      { item_count: 2, venue: { id: gate.venue.id }, scanner_uuid: gate.staff.uuid },
    ]);
    const scans = await lead.call('scans', { query: { customer_uuid: guest.user.uuid } });
    expect(scans.body.items).toMatchObject([
      { action: 'redeem', outcome: 'ok', redeemed_count: 2 },
    ]);
    const purchases = await test.request({
      method: 'GET',
      url: '/api/my_purchases',
      user: guest.user,
    });
    expect(purchases.text).toContain(new Date(atMs).toISOString());
    const reversed = await lead.call('reverseRedemption', {
      params: { id: body.items[0].id },
      body: { item_ids: [...guest.itemIds], reason: 'Handed back' },
      key: crypto.randomUUID(),
    });
    expect(reversed.status).toBe(200);
    expect(await redeemedIds(guest.itemIds)).toEqual([]);
  });

  it('[W-050] counts although ticket, offer and staff have ended meanwhile', async () => {
    const guest = await createGuest(test);
    const entries = writeLog(gate, [guest.show(now() - 1_000)]);
    const url = '/api/account/ticket_phone/end';
    expect((await test.request({ method: 'POST', url, user: guest.user })).status).toBe(200);
    await test.deps.db.updateTable('offers').set({ active: false }).execute();
    await unbindStaff(test, gate.staff, gate.venue.id);
    expect(outcomesOf(await syncLog(test, gate, entries))).toEqual([['redeemed']]);
    await test.deps.db.updateTable('offers').set({ active: true }).execute();
    expect(await redeemedIds(guest.itemIds)).toEqual(guest.itemIds);
  });

  it('is refused for an item that was refunded, which makes a conflict', async () => {
    const guest = await createGuest(test, { count: 2 });
    const [first = 0, second = 0] = guest.itemIds;
    await test.deps.db
      .updateTable('purchase_items')
      .set({ voided_at: new Date(now()) })
      .where('id', '=', BigInt(first))
      .execute();
    const answer = await syncLog(test, gate, writeLog(gate, [guest.show(now())]));
    expect(outcomesOf(answer)).toEqual([['refused', 'redeemed']]);
    expect(await redeemedIds(guest.itemIds)).toEqual([second]);
    expect(await conflictsOf(guest.itemIds)).toMatchObject([
      { item_id: BigInt(first), holder_user_id: guest.user.userId },
    ]);
  });

  it('is the same handover as the online redemption of the same code whose answer was lost', async () => {
    const guest = await createGuest(test);
    const handover = guest.show(now());
    expect((await redeemOnline(gate.staff, handover.code)).body.redeemed_count).toBe(1);
    expect(outcomesOf(await syncLog(test, gate, writeLog(gate, [handover])))).toEqual([
      ['redeemed'],
    ]);
    expect(await conflictsOf(guest.itemIds)).toEqual([]);
  });

  it('1,000 entries are taken in five calls', { tags: 'long' }, async () => {
    const guests = await createGuests(test, 10, { count: 99 });
    const shows = guests.flatMap((guest) =>
      guest.itemIds.map((id) => guest.show(now() - 10_000, [id])),
    );
    const entries = writeLog(gate, shows);
    for (let at = 0; at < entries.length; at += 200) {
      const { body } = await syncLog(test, gate, entries.slice(at, at + 200));
      expect(body.state).toBe('active');
    }
    expect(await redeemedIds(guests.flatMap(({ itemIds }) => itemIds))).toHaveLength(990);
  });
});

describe('a log that does not hold', () => {
  /** Expects that none of the entries is booked, that all of them are kept, and that the device is suspect. */
  async function expectSuspect(
    entries: readonly TestEntry[],
    itemIds: readonly number[],
    fault: string,
  ) {
    const before = await entriesOf(gate);
    const answer = await syncLog(test, gate, entries);
    expect(answer.body).toMatchObject({ state: 'suspect' });
    expect(await redeemedIds(itemIds)).toEqual([]);
    const kept = (await entriesOf(gate)).filter(({ state }) => state === 'kept');
    expect(kept.length).toBe(new Set(entries.map((entry) => hashOfEntry(gate, entry))).size);
    expect(kept.map((row) => row.fault)).toContain(fault);
    expect(before.every(({ state }) => state === 'booked')).toBe(true);
    const alarms = recorded.lines.filter((line) => line.includes('"offline_suspect"'));
    expect(JSON.parse(alarms.at(-1) ?? '{}')).toMatchObject({ logId: gate.deviceId });
    return answer;
  }

  const chain = async (count = 3) => {
    const guest = await createGuest(test, { count });
    const entries = writeLog(
      gate,
      guest.itemIds.map((id, index) => guest.show(now() - 10_000 + index * 1_000, [id])),
    );
    return { guest, entries, itemIds: guest.itemIds };
  };

  it('[W-052] because an entry was dropped', async () => {
    const { entries, itemIds } = await chain();
    await expectSuspect([...entries.slice(0, 1), ...entries.slice(2)], itemIds, 'order');
  });

  it('[W-052] because the first entries were dropped', async () => {
    const { entries, itemIds } = await chain();
    await expectSuspect(entries.slice(1), itemIds, 'order');
  });

  it('[W-052] because entries were reordered', async () => {
    const { entries, itemIds } = await chain();
    await expectSuspect(entries.toReversed(), itemIds, 'order');
  });

  it('[W-052] because an entry was edited', async () => {
    const { entries, itemIds } = await chain();
    const [first, second, third] = entries as [TestEntry, TestEntry, TestEntry];
    await expectSuspect(
      [first, { ...second, at_ms: second.at_ms + 1 }, third],
      itemIds,
      'signature',
    );
  });

  it('[W-052] because a known number comes with other content', async () => {
    const { guest, entries } = await chain(2);
    const [id = 0, other = 0] = guest.itemIds;
    expect((await syncLog(test, gate, entries.slice(0, 1))).body.state).toBe('active');
    const again = writeLog(gate, [guest.show(now(), [other])]);
    const answer = await syncLog(test, gate, again);
    expect(answer.body.state).toBe('suspect');
    expect(await redeemedIds(guest.itemIds)).toEqual([id]);
  });

  it('because another device signed it', async () => {
    const { guest, itemIds } = { ...(await chain(1)) };
    const stranger = { ...gate, key: createPhone() };
    await expectSuspect(writeLog(stranger, [guest.show(now())]), itemIds, 'signature');
  });

  it('because its time lies in the future', async () => {
    const { guest, itemIds } = await chain(1);
    await expectSuspect(writeLog(gate, [guest.show(now() + 2 * MINUTE_MS)]), itemIds, 'future');
  });

  it.each([Number.MAX_SAFE_INTEGER, 1])('because its time is %d', async (atMs) => {
    const { guest, itemIds } = await chain(1);
    const entry = writeLog(gate, [{ ...guest.show(now()), at_ms: atMs }]);
    await expectSuspect(entry, itemIds, atMs === 1 ? 'code_time' : 'future');
  });

  it('because its time lies before the last entry', async () => {
    const { guest } = await chain(2);
    const [one = 0, two = 0] = guest.itemIds;
    const entries = writeLog(gate, [guest.show(now(), [one]), guest.show(now() - 5_000, [two])]);
    await expectSuspect(entries, guest.itemIds, 'backwards');
  });

  it('because the code was older than 45 s', async () => {
    const { guest, itemIds } = await chain(1);
    const entry = { ...guest.show(now() - 50_000), at_ms: now() };
    await expectSuspect(writeLog(gate, [entry]), itemIds, 'code_time');
  });

  it('because the code was more than 15 s ahead', async () => {
    const { guest, itemIds } = await chain(2);
    const [first = 0, second = 0] = itemIds;
    const near = { ...guest.show(now() + 15_000, [first]), at_ms: now() };
    const [entry] = writeLog(gate, [near]);
    if (entry === undefined) throw new Error('no entry');
    expect(outcomesOf(await syncLog(test, gate, [entry]))).toEqual([['redeemed']]);
    const far = { ...guest.show(now() + 16_000, [second]), at_ms: now() };
    expect((await syncLog(test, gate, writeLog(gate, [far], entry))).body.state).toBe('suspect');
    expect((await entriesOf(gate)).at(-1)).toMatchObject({ state: 'kept', fault: 'code_time' });
  });

  it('because the ticket was over', async () => {
    const { guest, itemIds } = await chain(1);
    test.clock.advance(49 * HOUR_MS);
    lead = await consoleAs(test, ['scanner_lead']);
    gate = await createReadyGate(test, lead, { venue: gate.venue, key: gate.key });
    await expectSuspect(writeLog(gate, [guest.show(now())]), itemIds, 'ticket_time');
  });

  it('because nobody was granted to redeem at the time, or at the venue, or as this person', async () => {
    const { guest, itemIds } = await chain(1);
    const other = await createReadyGate(test, lead);
    const foreign = { ...guest.show(now()), venue_id: other.venue.id };
    await expectSuspect(writeLog(gate, [foreign]), itemIds, 'grant');
    const second = await createReadyGate(test, lead);
    const asOther = { ...guest.show(now()), staff_uuid: gate.staff.uuid };
    gate = second;
    await expectSuspect(writeLog(gate, [asOther]), itemIds, 'grant');
    gate = await createReadyGate(test, lead);
    test.clock.advance(12 * HOUR_MS + 2 * MINUTE_MS);
    await expectSuspect(writeLog(gate, [guest.show(now())]), itemIds, 'grant');
  });

  it('because the code joins the ticket of one guest with the showing of another', async () => {
    const [one, other] = [await createGuest(test), await createGuest(test)];
    const bytesOf = (code: string) => decodeBase45(code.slice(3)) ?? new Uint8Array();
    const [theirs, own] = [bytesOf(one.show(now()).code), bytesOf(other.show(now()).code)];
    const joined = [...theirs.slice(0, one.ticket.length), ...own.slice(other.ticket.length)];
    const code = `T1:${encodeBase45(Uint8Array.from(joined))}`;
    const entry = { ...one.show(now()), code };
    await expectSuspect(writeLog(gate, [entry]), [...one.itemIds, ...other.itemIds], 'code');
  });

  it('because another server signed the ticket, or the code shows other items, or is no ticket', async () => {
    const guest = await createGuest(test, { count: 2 });
    const content = parseTicket(guest.ticket)?.content;
    if (content === undefined) throw new Error('not a ticket');
    const foreign = createSigningKeys([randomBytes(32)]);
    const body = encodeTicket({ ...content, keyByte: keyByteOf(test.deps.qrKeys.current.kid) });
    const signature = sign(null, ticketToSign(body), foreign.current.privateKey);
    const forged = showTicket(guest.phone, Uint8Array.from([...body, ...signature]), {
      atMs: now(),
    });
    const [first = 0] = guest.itemIds;
    const codes = [
      { ...guest.show(now()), code: forged },
      { ...guest.show(now(), [first]), item_ids: guest.itemIds },
      { ...guest.show(now()), code: purchaseCode(test, guest.user, guest.itemIds) },
    ];
    for (const entry of codes) {
      gate = await createReadyGate(test, lead);
      await expectSuspect(writeLog(gate, [entry]), guest.itemIds, 'code');
    }
  });

  it('stays suspect, and what comes later is kept too, once each', async () => {
    const { entries, itemIds } = await chain(4);
    await expectSuspect(entries.slice(1, 3), itemIds, 'order');
    for (let count = 0; count < 3; count++) await syncLog(test, gate, entries);
    expect(await redeemedIds(itemIds)).toEqual([]);
    expect(await entriesOf(gate)).toHaveLength(4);
  });
});

describe('a log with an item that is not redeemed at its venue', () => {
  async function createForeign() {
    const [offer, other] = [await createOffer(test), await createVenue(test)];
    await test.deps.db
      .insertInto('offer_venues')
      .values({ offer_id: offer.id, venue_id: other.id })
      .execute();
    return createGuest(test, { offer });
  }

  it('is booked, and makes the device suspect with an alarm and its reason', async () => {
    const [guest, foreign] = [await createGuest(test), await createForeign()];
    const entries = writeLog(gate, [guest.show(now() - 1_000), foreign.show(now())]);
    const answer = await syncLog(test, gate, entries);
    expect(answer.body).toMatchObject({ state: 'suspect', last_seq: 2 });
    expect(outcomesOf(answer)).toEqual([['redeemed'], ['redeemed']]);
    const itemIds = [...guest.itemIds, ...foreign.itemIds];
    expect(await redeemedIds(itemIds)).toEqual(itemIds);
    const alarms = recorded.lines.filter((line) => line.includes('"offline_suspect"'));
    expect(JSON.parse(alarms.at(-1) ?? '{}')).toMatchObject({
      logId: gate.deviceId,
      fault: 'elsewhere',
    });
    const { body } = await lead.call('scanners', { query: { venue_id: gate.venue.id } });
    const { id } = body.items[0];
    expect((await lead.call('scanner', { params: { id } })).body).toMatchObject({
      offline_state: 'suspect',
      offline: { is_elsewhere: true, is_above_allowance: false, kept_count: 0 },
    });
    const later = await createGuest(test);
    await syncLog(test, gate, writeLog(gate, [later.show(now())], entries.at(-1)));
    expect(await redeemedIds(later.itemIds)).toEqual([]);
  });

  it('is not suspect for an item that names its venue', async () => {
    const offer = await createOffer(test);
    await test.deps.db
      .insertInto('offer_venues')
      .values({ offer_id: offer.id, venue_id: gate.venue.id })
      .execute();
    const guest = await createGuest(test, { offer });
    const answer = await syncLog(test, gate, writeLog(gate, [guest.show(now())]));
    expect(answer.body.state).toBe('active');
  });
});

it('a log takes entries from its own device only', async () => {
  const guest = await createGuest(test);
  const other = await createReadyGate(test, lead);
  const entries = writeLog(gate, [guest.show(now())]);
  const foreign = await syncLog(test, { ...other, deviceId: gate.deviceId }, entries);
  expect(refusalOf(foreign)).toEqual({ status: 403, code: 'device_not_enrolled' });
  const unknown = await syncLog(test, { ...gate, deviceId: crypto.randomUUID() }, entries);
  expect(refusalOf(unknown).code).toBe('device_not_enrolled');
  expect(await entriesOf(gate)).toEqual([]);
});

it('an item that was bought by somebody else is refused, although our ticket names it', async () => {
  const guest = await createGuest(test);
  const content = parseTicket(guest.ticket)?.content;
  const { itemIds } = await createItems(test, await test.createUser());
  if (content === undefined) throw new Error('not a ticket');
  // Simulates a restored backup, in which the same ticket numbers were issued for other tickets.
  const body = encodeTicket({
    ...content,
    holder: 'ffffffff',
    groups: [{ offerId: 1, firstItemId: itemIds[0] ?? 0, itemCount: 1 }],
  });
  const signature = sign(null, ticketToSign(body), test.deps.qrKeys.current.privateKey);
  const code = showTicket(guest.phone, Uint8Array.from([...body, ...signature]), { atMs: now() });
  const entry = { at_ms: now(), code, item_ids: itemIds };
  expect(outcomesOf(await syncLog(test, gate, writeLog(gate, [entry])))).toEqual([['refused']]);
  expect(await redeemedIds(itemIds)).toEqual([]);
});

it.each([
  ['no entry', { entries: [] }],
  ['201 entries', (entry: TestEntry) => ({ entries: Array.from({ length: 201 }, () => entry) })],
  ['items that do not rise', (entry: TestEntry) => ({ entries: [{ ...entry, item_ids: [2, 1] }] })],
  [
    'a code of 3,000 characters',
    (entry: TestEntry) => ({ entries: [{ ...entry, code: 'T'.repeat(3_000) }] }),
  ],
])('%s is not a sync', async (_, over) => {
  const guest = await createGuest(test);
  const [entry] = writeLog(gate, [guest.show(now())]);
  if (entry === undefined) throw new Error('no entry');
  const answer = await test.request({
    method: 'POST',
    url: '/api/scanner/offline/sync',
    user: gate.staff,
    headers: gate.headers,
    payload: { device_id: gate.deviceId, ...(typeof over === 'function' ? over(entry) : over) },
  });
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
});

it('staff with an online code at another venue redeem as before', async () => {
  const guest = await createGuest(test);
  const staff = await createStaff(test);
  expect((await redeemOnline(staff, guest.show(now()).code)).body.redeemed_count).toBe(1);
});
