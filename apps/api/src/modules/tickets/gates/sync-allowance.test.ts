/** Scanners that redeem more without a network than they may: what they handed out is booked, and they are stopped. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import { createOffer } from '../../../../test/build-catalog.ts';
import {
  askPack,
  createGuest,
  createReadyGate,
  syncLog,
  writeLog,
  type TestGate,
  type TestGuest,
} from '../../../../test/build-gate.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;

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

/** Creates guests who together hold this many items, each as many as a code can show. */
async function createGuests(itemCount: number): Promise<TestGuest[]> {
  const guests: TestGuest[] = [];
  for (let left = itemCount; left > 0; left -= QR_ITEMS_MAX) {
    guests.push(await createGuest(test, { count: Math.min(left, QR_ITEMS_MAX) }));
  }
  return guests;
}
/** Creates one entry for each guest, in which all of the guest's items are handed out now. */
const handOut = (guests: readonly TestGuest[], ...last: Parameters<typeof writeLog>[2][]) =>
  writeLog(
    gate,
    guests.map((guest) => guest.show(now())),
    ...last,
  );

async function redeemedCount(guests: readonly TestGuest[]): Promise<number> {
  const ids = guests.flatMap(({ itemIds }) => itemIds.map(BigInt));
  const rows = await test.deps.db
    .selectFrom('purchase_items')
    .select('id')
    .where('id', 'in', ids)
    .where('redeemed_at', 'is not', null)
    .execute();
  return rows.length;
}

async function deviceOf({ venue }: TestGate) {
  const { body } = await lead.call('scanners', { query: { venue_id: venue.id } });
  return (await lead.call('scanner', { params: { id: body.items[0].id } })).body;
}

/** The gate hands out an item that another gate has redeemed, and syncs it. */
async function makeConflict() {
  const guest = await createGuest(test);
  const first = await createReadyGate(test, lead);
  await syncLog(test, first, writeLog(first, [guest.show(now())]));
  test.clock.advance(1_000);
  const entries = handOut([guest]);
  await syncLog(test, gate, entries);
  return entries.at(-1);
}

describe('a log of more items than the device may redeem', () => {
  it('is booked, and makes the device suspect with an alarm', async () => {
    const guests = await createGuests(201);
    const { body } = await syncLog(test, gate, handOut(guests));
    expect(body).toMatchObject({ state: 'suspect', last_seq: guests.length });
    expect(body.results).toHaveLength(guests.length);
    expect(await redeemedCount(guests)).toBe(201);
    const alarms = recorded.lines.filter((line) => line.includes('"offline_suspect"'));
    expect(JSON.parse(alarms.at(-1) ?? '{}')).toMatchObject({
      logId: gate.deviceId,
      fault: 'allowance',
    });
    expect((await askPack(test, gate)).body.grant).toBeNull();
    expect(await deviceOf(gate)).toMatchObject({
      offline_state: 'suspect',
      offline: { is_above_allowance: true, kept_count: 0 },
    });
  });

  it('is answered the same when it is sent again', async () => {
    const guests = await createGuests(201);
    const entries = handOut(guests);
    const answer = await syncLog(test, gate, entries);
    expect((await syncLog(test, gate, entries)).body).toEqual(answer.body);
  });

  it('keeps what comes after it until a person lets the device go on', async () => {
    const guests = await createGuests(201);
    const entries = handOut(guests);
    await syncLog(test, gate, entries);
    const [later] = await createGuests(2);
    if (later === undefined) throw new Error('no guest');
    const more = writeLog(gate, [later.show(now())], entries.at(-1));
    expect((await syncLog(test, gate, more)).body).toMatchObject({
      state: 'suspect',
      last_seq: guests.length,
    });
    expect(await redeemedCount([later])).toBe(0);
    const { id } = await deviceOf(gate);
    const cleared = await lead.call('clearScanner', {
      params: { id },
      body: { is_booked: true, reason: 'The bar had no network all night' },
    });
    expect(cleared.body).toMatchObject({ booked_count: 2 });
    expect(await redeemedCount([later])).toBe(2);
    expect(await deviceOf(gate)).toMatchObject({
      offline_state: 'active',
      offline: { is_above_allowance: false },
    });
  });

  it('is as large when it is told in parts', async () => {
    const guests = await createGuests(270);
    const entries = handOut(guests);
    test.clock.advance(10 * MINUTE_MS);
    expect((await syncLog(test, gate, entries.slice(0, 4))).body.state).toBe('active');
    expect((await syncLog(test, gate, entries.slice(4))).body.state).toBe('suspect');
    expect(await redeemedCount(guests)).toBe(270);
  });
});

it('a device may redeem its whole allowance again after each sync', async () => {
  let last;
  for (let count = 0; count < 3; count++) {
    const entries = handOut(await createGuests(200), last);
    last = entries.at(-1);
    test.clock.advance(10 * MINUTE_MS);
    expect((await syncLog(test, gate, entries)).body.state).toBe('active');
  }
});

describe('the value of a log', () => {
  const guestOf = async (priceAthHundredths: number, count: number) => {
    const offer = await createOffer(test, { price_ath_hundredths: priceAthHundredths });
    return { offer, guest: await createGuest(test, { count, offer }) };
  };

  it('is bounded like its items', async () => {
    const { guest } = await guestOf(12_500, 40);
    const whole = handOut([guest]);
    expect((await syncLog(test, gate, whole)).body.state).toBe('active');
    gate = await createReadyGate(test, lead);
    const { guest: other } = await guestOf(12_501, 40);
    expect((await syncLog(test, gate, handOut([other]))).body.state).toBe('suspect');
  });

  it('is bounded for each item', async () => {
    const { guest } = await guestOf(50_100, 1);
    expect((await syncLog(test, gate, handOut([guest]))).body.state).toBe('suspect');
    expect(await redeemedCount([guest])).toBe(1);
  });

  it('is that of the list, where the offer has become cheaper since it was bought', async () => {
    const { offer, guest } = await guestOf(60_000, 1);
    await test.deps.db
      .updateTable('offers')
      .set({ price_ath_hundredths: 40_000 })
      .where('id', '=', offer.id)
      .execute();
    expect((await syncLog(test, gate, handOut([guest]))).body.state).toBe('active');
  });
});

describe('after a conflict', () => {
  it('[W-053] more than half of the allowance makes the device suspect', async () => {
    const last = await makeConflict();
    test.clock.advance(2 * MINUTE_MS);
    expect((await askPack(test, gate)).body.grant.items_max).toBe(100);
    const guests = await createGuests(100);
    const half = handOut(guests, last);
    expect((await syncLog(test, gate, half)).body.state).toBe('active');
    test.clock.advance(2 * MINUTE_MS);
    const more = handOut(await createGuests(101), half.at(-1));
    expect((await syncLog(test, gate, more)).body.state).toBe('suspect');
  });

  it('a device that has no list since may redeem what its list had said', async () => {
    const last = await makeConflict();
    test.clock.advance(2 * MINUTE_MS);
    const more = handOut(await createGuests(101), last);
    expect((await syncLog(test, gate, more)).body.state).toBe('active');
  });
});
