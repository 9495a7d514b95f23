/** The enrolment of devices with a key, and the data that they get to redeem without a network. */
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeIds } from '@athos/domain/id-list';
import { FIRST_PREVIOUS_HASH } from '@athos/domain/offline-log';
import { parseTicket } from '@athos/domain/ticket-code';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import { setBrake } from '../../../../test/brakes.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import {
  askPack,
  createGate,
  createGuest,
  createReadyGate,
  enrolmentCode,
  newDevice,
  scannerProof,
  type TestGate,
} from '../../../../test/build-gate.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
  unbindStaff,
} from '../../../../test/build-redemption.ts';
import { createPhone, ticketsOf } from '../../../../test/build-ticket.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { refusalOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { halvedAllowance } from './allowance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let test: TestApp;
let lead: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
});
afterAll(() => test.close());

const enrol = (user: TestUser, payload: object, headers: Record<string, string> = newDevice()) =>
  test.request({ method: 'POST', url: '/api/scanner/device', user, headers, payload });

const idsIn = (text: string) => decodeIds(Uint8Array.from(Buffer.from(text, 'base64url')));

const holdRedemption = (user: TestUser) =>
  test.deps.db
    .insertInto('account_holds')
    .values({
      user_id: user.userId,
      kinds: ['redeem'],
      cause: 'staff',
      cause_id: crypto.randomUUID(),
      reason: 'test',
      placed_at: new Date(test.clock.nowMs()),
    })
    .execute();

async function redeemOnline(user: TestUser, guest: TestUser, itemIds: readonly number[]) {
  const { body } = await test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    key: crypto.randomUUID(),
    payload: { payload: purchaseCode(test, guest, itemIds) },
  });
  expect(body.redeemed_count).toBe(itemIds.length);
}

describe('an enrolment with a key', () => {
  it('[W-034] takes a code once, within 15 minutes, and gives the key a log of its own', async () => {
    const venue = await createVenue(test);
    const staff = await createStaff(test, [venue]);
    const key = scannerProof(createPhone(), staff);
    const code = await enrolmentCode(lead, venue.id);
    const answer = await enrol(staff, { enrolment_code: code, key });
    expect(answer.body).toEqual({
      device_id: expect.any(String),
      name: 'Gate',
      venue: { id: venue.id, name: venue.name },
    });
    expect(refusalOf(await enrol(staff, { enrolment_code: code, key }))).toEqual({
      status: 422,
      code: 'invalid_code',
    });
    const late = await enrolmentCode(lead, venue.id);
    test.clock.advance(15 * MINUTE_MS + 1);
    expect(refusalOf(await enrol(staff, { enrolment_code: late, key })).code).toBe('invalid_code');
  });

  it('refuses a key that the device does not prove to hold, and leaves the code as it was', async () => {
    const venue = await createVenue(test);
    const [staff, other] = [await createStaff(test, [venue]), await createStaff(test, [venue])];
    const own = createPhone();
    const code = await enrolmentCode(lead, venue.id);
    const { public_key: publicKey } = scannerProof(createPhone(), staff);
    for (const key of [
      scannerProof(own, other),
      { ...scannerProof(own, staff), public_key: publicKey },
      { ...scannerProof(own, staff), public_key: 'A'.repeat(44) },
    ]) {
      expect(refusalOf(await enrol(staff, { enrolment_code: code, key })).code).toBe(
        'invalid_proof',
      );
    }
    const right = await enrol(staff, { enrolment_code: code, key: scannerProof(own, staff) });
    expect(right.status).toBe(200);
  });

  it('begins a new log with a new key, and goes on with that of a known one', async () => {
    const first = await createGate(test, lead);
    const again = await createGate(test, lead, first);
    expect(again.deviceId).toBe(first.deviceId);
    const other = await createGate(test, lead, { ...first, key: createPhone() });
    expect(other.deviceId).not.toBe(first.deviceId);
    expect((await askPack(test, first)).body.device.id).toBe(other.deviceId);
  });

  it('does not free the key of a blocked device, whatever device it says it is', async () => {
    const gate = await createGate(test, lead);
    const [{ id }] = (await lead.call('scanners', { query: { venue_id: gate.venue.id } })).body
      .items;
    await lead.call('blockScanner', { params: { id }, body: { is_blocked: true } });
    const staff = await createStaff(test, [gate.venue]);
    const payload = {
      enrolment_code: await enrolmentCode(lead, gate.venue.id),
      key: scannerProof(gate.key, staff),
    };
    expect(refusalOf(await enrol(staff, payload))).toEqual({ status: 403, code: 'device_blocked' });
  });
});

describe('a pack', () => {
  let gate: TestGate;
  beforeEach(async () => {
    gate = await createGate(test, lead);
  });

  it('grants staff of the venue 12 hours, and says what is redeemed there', async () => {
    const [here, elsewhere] = [await createOffer(test), await createOffer(test)];
    const other = await createVenue(test);
    await test.deps.db
      .insertInto('offer_venues')
      .values([
        { offer_id: here.id, venue_id: gate.venue.id },
        { offer_id: elsewhere.id, venue_id: other.id },
      ])
      .execute();
    const { body } = await askPack(test, gate);
    expect(body).toMatchObject({
      device: { id: gate.deviceId, state: 'active', last_seq: 0, last_hash: FIRST_PREVIOUS_HASH },
      grant: {
        staff_uuid: gate.staff.uuid,
        venue_id: gate.venue.id,
        items_max: 200,
        value_max_ath_hundredths: 500_000,
        item_value_max_ath_hundredths: 50_000,
      },
      is_whole: true,
    });
    const until = Date.parse(body.grant.until) - Date.parse(body.server_time);
    expect(until).toBe(12 * HOUR_MS);
    const ids = body.offers.map(({ id }: { id: number }) => id);
    expect(ids).toContain(here.id);
    expect(ids).not.toContain(elsewhere.id);
    const { body: jwks } = await test.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
    expect(body.keys.map((key: { public_key: string }) => key.public_key)).toEqual(
      jwks.keys.map(({ x }: { x: string }) => x),
    );
  });

  it('[W-035] is refused without a key, at another venue, and to who is not bound there', async () => {
    const plain = await createStaff(test, [gate.venue]);
    const headers = newDevice();
    await enrol(plain, { enrolment_code: await enrolmentCode(lead, gate.venue.id) }, headers);
    const unkeyed = await askPack(test, { ...gate, staff: plain, headers });
    expect(refusalOf(unkeyed)).toEqual({ status: 403, code: 'device_not_enrolled' });
    const other = await createVenue(test);
    expect(refusalOf(await askPack(test, { ...gate, venue: other })).code).toBe('foreign_venue');
    await test.deps.db
      .insertInto('venue_staff')
      .values({ venue_id: other.id, user_id: gate.staff.userId })
      .execute();
    const away = await askPack(test, { ...gate, venue: other });
    expect(refusalOf(away).code).toBe('device_not_enrolled');
    await unbindStaff(test, gate.staff, gate.venue.id);
    await unbindStaff(test, gate.staff, other.id);
    expect(refusalOf(await askPack(test, gate)).code).toBe('staff_revoked');
    // The device still works online.
    const venues = await test.request({
      method: 'GET',
      url: '/api/scanner/venues',
      user: plain,
      headers,
    });
    expect(venues.status).toBe(200);
  });

  it('names tickets whose phone has ended or whose holder may not redeem, while they are in time', async () => {
    const [moved, held, live] = [
      await createGuest(test),
      await createGuest(test),
      await createGuest(test),
    ];
    const numberOf = (ticket: Uint8Array<ArrayBuffer>) => parseTicket(ticket)?.content.number;
    const url = '/api/account/ticket_phone/end';
    expect((await test.request({ method: 'POST', url, user: moved.user })).status).toBe(200);
    await holdRedemption(held.user);
    const ended = idsIn((await askPack(test, gate)).body.ended_tickets);
    expect(ended).toEqual(expect.arrayContaining([numberOf(moved.ticket), numberOf(held.ticket)]));
    expect(ended).not.toContain(numberOf(live.ticket));
    test.clock.advance(49 * HOUR_MS);
    lead = await consoleAs(test, ['scanner_lead']);
    const gateNow = await createGate(test, lead);
    expect(idsIn((await askPack(test, gateNow)).body.ended_tickets)).toEqual([]);
  });

  it('names the tickets of a deleted account until they run out, also after its erasure', async () => {
    const [ada, phone] = [await openUser(test), createPhone()];
    await createItems(test, ada);
    const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
    const before = (await askPack(test, gate)).body;
    const answer = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: ada,
      key: crypto.randomUUID(),
      payload: { password: PASSWORD },
    });
    expect(answer.status).toBe(200);
    await test.runJobs();
    const number = parseTicket(ticket)?.content.number;
    for (const since of [undefined, before.next_since]) {
      expect(idsIn((await askPack(test, gate, since)).body.ended_tickets)).toContain(number);
    }
    test.clock.advance(49 * HOUR_MS);
    lead = await consoleAs(test, ['scanner_lead']);
    const later = await createGate(test, lead);
    expect(idsIn((await askPack(test, later)).body.ended_tickets)).not.toContain(number);
  });

  it('names items that were redeemed or refunded, and later only the new ones', async () => {
    const guest = await createGuest(test, { count: 4 });
    const [first = 0, second = 0, third = 0, fourth = 0] = guest.itemIds;
    const staff = await createStaff(test);
    await redeemOnline(staff, guest.user, [first]);
    const whole = (await askPack(test, gate)).body;
    expect(idsIn(whole.spent_items)).toEqual(expect.arrayContaining([first]));
    expect(idsIn(whole.spent_items)).not.toContain(second);
    test.clock.advance(10 * MINUTE_MS);
    const none = (await askPack(test, gate, whole.next_since)).body;
    test.clock.advance(10 * MINUTE_MS);
    const quiet = (await askPack(test, gate, none.next_since)).body;
    expect([quiet.is_whole, idsIn(quiet.spent_items)]).toEqual([false, []]);
    await redeemOnline(staff, guest.user, [second]);
    await test.deps.db
      .updateTable('purchase_items')
      .set({ voided_at: new Date(test.clock.nowMs()) })
      .where('id', '=', BigInt(third))
      .execute();
    const next = (await askPack(test, gate, quiet.next_since)).body;
    expect([next.is_whole, idsIn(next.spent_items)]).toEqual([false, [second, third]]);
    expect(fourth).toBeGreaterThan(0);
  });

  it('does not lose what was committed after the list that its time would belong to', async () => {
    const { itemIds } = await createItems(test, await test.createUser());
    const before = (await askPack(test, gate)).body;
    // Simulates a transaction that began before the list was read and committed a minute later.
    await test.deps.db
      .updateTable('purchase_items')
      .set({ voided_at: new Date(Date.parse(before.server_time) - MINUTE_MS) })
      .where('id', '=', BigInt(itemIds[0] ?? 0))
      .execute();
    const { body } = await askPack(test, gate, before.next_since);
    expect(idsIn(body.spent_items)).toContain(itemIds[0]);
  });

  it('names no item of an offer that is redeemed elsewhere', async () => {
    const [offer, elsewhere] = [await createOffer(test), await createVenue(test)];
    await test.deps.db
      .insertInto('offer_venues')
      .values({ offer_id: offer.id, venue_id: elsewhere.id })
      .execute();
    const guest = await createGuest(test, { offer });
    await redeemOnline(await createStaff(test, [elsewhere]), guest.user, guest.itemIds);
    expect(idsIn((await askPack(test, gate)).body.spent_items)).not.toContain(guest.itemIds[0]);
  });

  it('is whole again after something in it was taken back', async () => {
    const guest = await createGuest(test);
    await holdRedemption(guest.user);
    const held = (await askPack(test, gate)).body;
    await test.deps.db
      .updateTable('account_holds')
      .set({ lifted_at: new Date(test.clock.nowMs()) })
      .where('user_id', '=', guest.user.userId)
      .execute();
    const after = (await askPack(test, gate, held.next_since)).body;
    expect(after.is_whole).toBe(true);
    expect(idsIn(after.ended_tickets)).not.toContain(parseTicket(guest.ticket)?.content.number);
  });

  it('grants nothing anew while redemption is stopped', async () => {
    await setBrake(test, 'redeeming', { notice: 'Later.' });
    expect((await askPack(test, gate)).body.grant).toBeNull();
    await setBrake(test, 'redeeming', null);
    expect((await askPack(test, gate)).body.grant).not.toBeNull();
  });

  it('is asked for so often only', async () => {
    const answers = [];
    for (let count = 0; count < 25; count++) answers.push((await askPack(test, gate)).status);
    expect(answers).toContain(429);
    expect(answers.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 200));
  });

  it('says what the programme allows', async () => {
    const { db, notifications } = test.deps;
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
    for (const [key, value] of Object.entries({
      offline_items_max: 40,
      offline_value_max_ath: 1000,
    })) {
      const at = new Date(test.clock.nowMs());
      await db
        .insertInto('programme_settings')
        .values({ key, value: String(value), changed_by: 'test', changed_at: at })
        .execute();
    }
    await sql`select pg_notify('programme_changed', '')`.execute(db);
    await expect
      .poll(async () => (await askPack(test, gate)).body.grant, { interval: 1_000 })
      .toMatchObject({ items_max: 40, value_max_ath_hundredths: 100_000 });
    await db.deleteFrom('programme_settings').execute();
    await sql`select pg_notify('programme_changed', '')`.execute(db);
  });
});

it('[W-053] an allowance is halved for each conflict, of items and of value, down to 10 items', () => {
  const whole = {
    itemsMax: 200,
    valueMaxAthHundredths: 500_000,
    itemValueMaxAthHundredths: 50_000,
  };
  const items = [0, 1, 2, 3, 4, 5, 50].map((count) => halvedAllowance(whole, count));
  expect(items.map(({ itemsMax }) => itemsMax)).toEqual([200, 100, 50, 25, 12, 10, 10]);
  expect(items.map(({ valueMaxAthHundredths: value }) => value)).toEqual([
    500_000, 250_000, 125_000, 62_500, 30_000, 25_000, 25_000,
  ]);
  expect(halvedAllowance({ ...whole, itemsMax: 4 }, 3).itemsMax).toBe(4);
});

it('100,000 redeemed items are at most 400 kB', { tags: 'long' }, async () => {
  const gate = await createReadyGate(test, lead);
  const { id: offerId } = await createOffer(test);
  const { userId } = gate.staff;
  // Of each purchase with eight items, every second item is redeemed, so that the ids are less dense than possible.
  await sql`
    with bought as (
      insert into purchases (user_id, key, total_ath_hundredths, created_at)
      select ${userId}, gen_random_uuid(), 100, now() from generate_series(1, 25000) returning id
    ), line as (
      insert into purchase_lines (purchase_id, line, offer_id, item_count, price_ath_hundredths, title, note, img, kind)
      select id, 0, ${offerId}, 8, 100, 'x', 'x', 'x', 0 from bought returning purchase_id
    ), phone as (
      insert into ticket_phones (user_id, public_key, label, made_at)
      values (${userId}, ${Buffer.alloc(33, 2)}, 'x', now()) returning id
    ), ticket as (
      insert into tickets (phone_id, purchase_id, ticket, valid_from, valid_until)
      select phone.id, purchase_id, ${Buffer.alloc(1)}, now(), now() + interval '10 days' from line, phone
    ), redemption as (
      insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
      select ${userId}, gen_random_uuid(), ${Buffer.alloc(1)}, ${gate.venue.id}, '{"redeemed_count": 4, "results": []}',
             ${new Date(test.clock.nowMs())}::timestamptz
        from generate_series(1, 25000) returning id
    ), one as (select id, row_number() over (order by id) as n from redemption
    ), other as (select purchase_id, row_number() over (order by purchase_id) as n from line
    )
    insert into purchase_items (purchase_id, line, redeemed_at, redemption_id)
    select other.purchase_id, 0, case when part % 2 = 0 then now() end, case when part % 2 = 0 then one.id end
      from other join one using (n), generate_series(1, 8) part`.execute(test.deps.db);
  await sql`analyze`.execute(test.admin);
  const answer = await askPack(test, gate);
  expect(idsIn(answer.body.spent_items)?.length).toBeGreaterThanOrEqual(100_000);
  expect(gzipSync(answer.text).length).toBeLessThanOrEqual(400_000);
});
