/** The data that a lead bound to venues can read. Generated from the contract, so that no call is forgotten. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consoleApi } from '@athos/contract/console/calls';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import { BUILT_IN_GRANTS, mayAct } from '@athos/contract/console/permissions';
import { createOffer } from '../test/build-catalog.ts';
import {
  createStaff,
  createVenue,
  purchaseCode,
  type TestVenue,
} from '../test/build-redemption.ts';
import { publishTestRate } from '../test/card-purchase.ts';
import { consoleAs, createStaffMember, signInStaff, type TestStaff } from '../test/console.ts';
import { ath, buy, myPurchases } from '../test/shop.ts';
import { createTestApp, stopClock, type TestApp, type TestUser } from '../test/test-app.ts';

const HOUR_MS = 60 * 60_000;
const FOREIGN_NAME = 'Foreign Quay';

let test: TestApp;
let free: TestStaff;
let bound: TestStaff;
let own: TestVenue;
let foreign: TestVenue;
/** Data that belongs only to the other venue. */
let secrets: readonly string[];
/** Ids of the other venue's objects, for calls that take an id. */
let foreignIds: readonly (string | number)[];

async function redeem(user: TestUser, payload: string): Promise<void> {
  const { body } = await test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    payload: { payload },
    key: randomUUID(),
  });
  expect(body.redeemed_count).toBe(1);
}

/** Redeems one item of a purchase at each venue, and requests to undo the redemption at the other venue. */
async function redeemAtBoth() {
  const [mine, theirs] = [await createStaff(test, [own]), await createStaff(test, [foreign])];
  const guest = await test.createUser({ balance: ath(200) });
  const offer = await createOffer(test, { stock_left: 10 });
  await buy(test, guest, [[offer.id, 2]]);
  const items: { id: number; purchase_id: number }[] = (await myPurchases(test, guest)).body
    .purchases;
  const [here, there] = items.map(({ id }) => id);
  await redeem(mine, purchaseCode(test, guest, [here ?? 0]));
  test.clock.advance(1);
  await redeem(theirs, purchaseCode(test, guest, [there ?? 0]));
  const { db } = test.deps;
  const [{ id: redemptionId }, { id: scanId }] = await Promise.all(
    (['redemptions', 'scans'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('id')
        .where('venue_id', '=', foreign.id)
        .executeTakeFirstOrThrow(),
    ) as [Promise<{ id: bigint }>, Promise<{ id: bigint }>],
  );
  // After the time within which leads may undo a redemption without a vote.
  test.clock.advance(2 * HOUR_MS);
  const lead = await signInStaff(test, free);
  const { body } = await lead.call('reverseRedemption', {
    params: { id: Number(redemptionId) },
    body: { item_ids: [there ?? 0], reason: 'The wrong guest was scanned' },
  });
  expect(body.outcome).toBe('requested');
  const purchaseId = items[0]?.purchase_id ?? 0;
  return {
    scannerUuid: theirs.uuid,
    ids: [foreign.id, Number(redemptionId), Number(scanId), purchaseId, String(body.approval_id)],
  };
}

beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
  own = await createVenue(test, 'Own Bar');
  foreign = await createVenue(test, FOREIGN_NAME);
  free = await createStaffMember(test, ['scanner_lead']);
  bound = await createStaffMember(test, ['scanner_lead']);
  await test.deps.db
    .insertInto('staff_venues')
    .values({ staff_id: bound.staffId, venue_id: own.id })
    .execute();
  const { scannerUuid, ids } = await redeemAtBoth();
  secrets = [FOREIGN_NAME, scannerUuid];
  foreignIds = ids;
});
afterAll(() => test.close());

const CALLS: [string, ConsoleCall][] = Object.entries(consoleApi);
const READS = CALLS.filter(
  ([, call]) =>
    call.method === 'GET' &&
    call.auth === 'console' &&
    // The stream of change notices is left out, because it does not end.
    !('stream' in call) &&
    (call.permission === 'own' ||
      call.permission === 'enrol' ||
      mayAct(BUILT_IN_GRANTS.scanner_lead[call.permission])),
);

/** All answers of the call about the other venue's objects, given to a person with a new session. */
async function answersOf(staff: TestStaff, call: ConsoleCall): Promise<string> {
  const advance = stopClock(test);
  const caller = await signInStaff(test, staff);
  const texts: string[] = [];
  const names = call.path.includes(':') ? foreignIds : [undefined];
  for (const id of names) {
    for (const query of [{}, { venue_id: foreign.id }, { view: 'all' }, { list: '/scans' }]) {
      // One person may not make this many calls within a second.
      advance(1_000);
      const { text } = await caller.ask(call, { params: id === undefined ? {} : { id }, query });
      texts.push(text);
    }
  }
  return texts.join('\n');
}

it.each(READS)(
  '[O-035] %s shows a lead who is bound to a venue nothing of another venue',
  async (_name, call) => {
    const text = await answersOf(bound, call);
    for (const secret of secrets) expect(text).not.toContain(secret);
  },
);

it('shows a lead of all venues what the bound one does not see', { tags: 'long' }, async () => {
  const shown: string[] = [];
  for (const [name, call] of READS) {
    const text = await answersOf(free, call);
    if (secrets.some((secret) => text.includes(secret))) shown.push(name);
  }
  expect(shown.toSorted()).toEqual(
    expect.arrayContaining([
      'approval',
      'purchaseDetail',
      'redemption',
      'redemptions',
      'scans',
      'venue',
      'venueNames',
      'venues',
    ]),
  );
});

it('[O-035] counts a bound lead the scans of their venues alone, also behind the cursor of somebody else', async () => {
  stopClock(test);
  const [all, some] = [await signInStaff(test, free), await signInStaff(test, bound)];
  const ofAll = await all.call('scans', { query: { limit: 1 } });
  const ofSome = await some.call('scans', { query: { limit: 1 } });
  expect([ofAll.body.count.value, ofSome.body.count.value]).toEqual([2, 1]);
  for (const list of ['scans', 'redemptions', 'venues'] as const) {
    const { body } = await all.call(list, { query: { limit: 1 } });
    const stolen = await some.call(list, { query: { limit: 1, cursor: body.next_cursor } });
    expect([list, stolen.status, stolen.body.code]).toEqual([list, 400, 'invalid_cursor']);
  }
  for (const venue of [own, foreign]) {
    const user = await createStaff(test, [venue]);
    await test.request({
      method: 'POST',
      url: '/api/scanner/scan',
      user,
      payload: { payload: 'x' },
    });
  }
  const { body: counts } = await some.call('venueCounts', {});
  expect(counts.counted_from).toBeNull();
  const unreadable = counts.items.filter(
    ({ outcome }: { outcome: string }) => outcome === 'unreadable_code',
  );
  const one = { attempts: 1, redeemed_items: 0 };
  expect(unreadable).toEqual([
    { venue_id: own.id, outcome: 'unreadable_code', day: one, hour: one },
  ]);
});

it('[O-035] exports a bound lead the scans of their venues alone, and keeps the file from whoever is bound later', async () => {
  const [all, some] = [await consoleAs(test, ['scanner_lead']), await signInStaff(test, bound)];
  const linesOf = async (caller: typeof all, id: string) => {
    const { body } = await caller.call('exportLink', { params: { id } });
    const code = new URL(String(body.path), 'http://console').searchParams.get('code') ?? '';
    return (await caller.call('exportFile', { params: { id }, query: { code } })).text
      .trim()
      .split('\r\n');
  };
  const ask = async (caller: typeof all) => {
    const { body } = await caller.call('exportList', { body: { list: 'scans', filters: {} } });
    await test.runJobs();
    return String(body.id);
  };
  const [whole, part] = [await ask(all), await ask(some)];
  const venuesIn = (lines: readonly string[]) =>
    new Set(lines.slice(1).map((line) => line.split(',')[5]));
  expect(venuesIn(await linesOf(all, whole))).toEqual(new Set(['Own Bar', FOREIGN_NAME]));
  expect(venuesIn(await linesOf(some, part))).toEqual(new Set(['Own Bar']));
  await test.deps.db
    .insertInto('staff_venues')
    .values({ staff_id: all.staffId, venue_id: own.id })
    .execute();
  const late = await all.call('exportLink', { params: { id: whole } });
  expect([late.status, late.body.code]).toEqual([404, 'not_found']);
});
