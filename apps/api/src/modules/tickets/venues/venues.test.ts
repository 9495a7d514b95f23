/** How staff manage venues and their scanning staff in the console. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../../test/build-catalog.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
  type TestVenue,
} from '../../../../test/build-redemption.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import { refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

const TEXT = { name: 'Harbour Stage', address: '1 Quay', hours: 'Mon to Sat\n10 to 22' };

let test: TestApp;
let second: SecondApp;
let lead: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  second = await openSecondApp(test);
});
// One person may make twenty calls a second.
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

/** A lead who is bound to these venues. */
async function boundLead(venues: readonly TestVenue[]): Promise<ConsoleCaller> {
  const caller = await consoleAs(test, ['scanner_lead']);
  for (const { id } of venues) {
    await test.deps.db
      .insertInto('staff_venues')
      .values({ staff_id: caller.staffId, venue_id: id })
      .execute();
  }
  return caller;
}

const bind = (by: ConsoleCaller, venueId: number, account: string, key = randomUUID()) =>
  by.call('bindVenueStaff', { params: { id: venueId }, body: { account }, key });

const unbind = (by: ConsoleCaller, venueId: number, uuid: string) =>
  by.call('unbindVenueStaff', { params: { id: venueId, uuid } });

/** Scans a new code with one of the processes. */
async function scan(
  user: TestUser,
  venueId: number,
  at: Pick<TestApp, 'request'> = test,
): Promise<unknown> {
  const holder = await test.createUser();
  const { itemIds } = await createItems(test, holder);
  const { status, body } = await at.request({
    method: 'POST',
    url: '/api/scanner/scan',
    user,
    payload: { payload: purchaseCode(test, holder, itemIds), venue_id: venueId },
  });
  return status === 200 ? 'scanned' : body.code;
}

describe('a venue', () => {
  it('is added, changed and archived, and each change names the version that was seen', async () => {
    const added = await lead.call('createVenue', { body: TEXT });
    expect(added.status).toBe(200);
    expect(added.body).toMatchObject({ ...TEXT, version: 1, archived_at: null, staff: [] });
    const { id } = added.body;
    const moved = { ...TEXT, address: '2 Quay' };
    const change = (version: number) =>
      lead.call('changeVenue', { params: { id }, body: moved, version });
    expect((await change(1)).body).toMatchObject({ address: '2 Quay', version: 2 });
    const late = await change(1);
    expect(refusalOf(late)).toEqual({ status: 412, code: 'version_conflict' });
    expect(late.body.present).toMatchObject({ address: '2 Quay', version: 2 });
    const archive = (version: number, isArchived: boolean) =>
      lead.call('archiveVenue', { params: { id }, body: { is_archived: isArchived }, version });
    expect((await archive(2, true)).body.archived_at).not.toBeNull();
    const named = async (state: 'open' | 'archived') =>
      (await lead.call('venues', { query: { state, limit: 100 } })).body.items.map(
        ({ name }: { name: string }) => name,
      );
    expect(await named('open')).not.toContain(TEXT.name);
    expect(await named('archived')).toContain(TEXT.name);
    expect((await archive(3, false)).body.archived_at).toBeNull();
  });

  it('has a name of its own, however many are given the same one at once', async () => {
    const name = `Pier ${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        lead.call('createVenue', { body: { ...TEXT, name }, key: randomUUID() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    const { id, version } = (
      await lead.call('createVenue', { body: { ...TEXT, name: `${name} 2` } })
    ).body;
    const renamed = await lead.call('changeVenue', {
      params: { id },
      body: { ...TEXT, name },
      version,
    });
    expect(refusalOf(renamed)).toEqual({ status: 409, code: 'venue_exists' });
  });

  it.each([
    ['no name', { ...TEXT, name: '  ' }],
    ['a name of two lines', { ...TEXT, name: 'a\nb' }],
    ['a name of 81 letters', { ...TEXT, name: 'a'.repeat(81) }],
    ['a novel for hours', { ...TEXT, hours: 'a'.repeat(501) }],
  ])('is refused with %s', async (_what, body) => {
    const answer = await lead.call('createVenue', { body });
    expect(refusalOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('shows what can be redeemed there: offers that name it, and those that name none', async () => {
    const [here, there] = [await createVenue(test), await createVenue(test)];
    const mine = await createOffer(test, { title: 'Only here' });
    const other = await createOffer(test, { title: 'Only there' });
    await createOffer(test, { title: 'Withdrawn', active: false });
    await createOffer(test, { title: 'At every venue' });
    await test.deps.db
      .insertInto('offer_venues')
      .values([
        { offer_id: mine.id, venue_id: here.id },
        { offer_id: other.id, venue_id: there.id },
      ])
      .execute();
    const { body } = await lead.call('venue', { params: { id: here.id } });
    const shown = new Map(
      body.offers.map((offer: { title: string; is_everywhere: boolean }) => [
        offer.title,
        offer.is_everywhere,
      ]),
    );
    expect(shown.get('Only here')).toBe(false);
    expect(shown.get('At every venue')).toBe(true);
    expect(shown.has('Only there') || shown.has('Withdrawn')).toBe(false);
  });
});

describe('staff of a venue', () => {
  it('are customers who were bound by uuid or by their whole address, and are shown masked', async () => {
    const venue = await createVenue(test);
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    expect((await bind(lead, venue.id, ada.uuid)).status).toBe(200);
    const { body } = await bind(lead, venue.id, ben.email.toUpperCase());
    expect(body.staff.map(({ uuid }: { uuid: string }) => uuid)).toEqual([ada.uuid, ben.uuid]);
    expect(JSON.stringify(body)).not.toContain(ben.email);
    expect(await scan(ada, venue.id)).toBe('scanned');
    const seen = (await lead.call('venue', { params: { id: venue.id } })).body.staff;
    expect(seen[0].last_scan_at).not.toBeNull();
    expect(seen[1].last_scan_at).toBeNull();
  });

  it('[O-106] who are unbound are refused from the next scan on, in every process', async () => {
    const [bar, hall] = [await createVenue(test), await createVenue(test)];
    const user = await test.createUser();
    for (const { id } of [bar, hall]) await bind(lead, id, user.uuid);
    expect([await scan(user, bar.id), await scan(user, bar.id, second)]).toEqual([
      'scanned',
      'scanned',
    ]);
    expect((await unbind(lead, bar.id, user.uuid)).body.staff).toEqual([]);
    expect([await scan(user, bar.id), await scan(user, bar.id, second)]).toEqual([
      'foreign_venue',
      'foreign_venue',
    ]);
    expect(await scan(user, hall.id, second)).toBe('scanned');
    await unbind(lead, hall.id, user.uuid);
    expect([await scan(user, hall.id), await scan(user, hall.id, second)]).toEqual([
      'staff_revoked',
      'staff_revoked',
    ]);
    expect(refusalOf(await unbind(lead, hall.id, user.uuid))).toEqual({
      status: 404,
      code: 'not_found',
    });
    await bind(lead, hall.id, user.uuid);
    expect(await scan(user, hall.id, second)).toBe('scanned');
  });

  it('scan nothing at a venue that is archived, from the next scan on', async () => {
    const staff = await createStaff(test);
    const [venue] = staff.venues;
    const id = venue?.id ?? 0;
    expect(await scan(staff, id, second)).toBe('scanned');
    await lead.call('archiveVenue', { params: { id }, body: { is_archived: true }, version: 1 });
    expect(await scan(staff, id, second)).toBe('staff_revoked');
    const bound = await bind(lead, id, (await test.createUser()).uuid);
    expect(refusalOf(bound)).toEqual({ status: 409, code: 'state_changed' });
  });

  it('are bound once by twenty at once, and once more after a replay', async () => {
    const venue = await createVenue(test);
    const user = await test.createUser();
    // These are more calls than one person may make in a second.
    const leads = await Promise.all(
      Array.from({ length: 2 }, () => consoleAs(test, ['scanner_lead'])),
    );
    const key = randomUUID();
    const answers = await twenty((index) =>
      bind(leads[index % 2] ?? lead, venue.id, user.uuid, index < 2 ? key : randomUUID()),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await bind(leads[0] ?? lead, venue.id, user.uuid, key)).body.staff).toHaveLength(1);
  });

  it('are nobody without an account, with a closed one, or whoever asks', async () => {
    const venue = await createVenue(test);
    for (const account of [randomUUID(), 'nobody@athos.example']) {
      expect(refusalOf(await bind(lead, venue.id, account))).toEqual({
        status: 404,
        code: 'recipient_not_found',
      });
    }
    const own = await test.createUser();
    const self = await consoleAs(test, ['scanner_lead'], { walletUuid: own.uuid });
    expect(refusalOf(await bind(self, venue.id, own.uuid))).toEqual({
      status: 403,
      code: 'own_account',
    });
    expect(refusalOf(await bind(self, venue.id, own.email))).toEqual({
      status: 403,
      code: 'own_account',
    });
  });

  it('are asked for sixty times an hour at most, since the answer tells who has an account', async () => {
    const venue = await createVenue(test);
    const curious = await consoleAs(test, ['scanner_lead']);
    const guess = (index: number) => bind(curious, venue.id, `guess-${index}@athos.example`);
    for (let index = 0; index < 60; index += 1) {
      if (index % 15 === 0) test.clock.advance(1_000);
      expect((await guess(index)).body.code).toBe('recipient_not_found');
    }
    test.clock.advance(1_000);
    expect(refusalOf(await guess(60))).toEqual({ status: 429, code: 'too_many_requests' });
  });
});

describe('a lead who is bound to venues', () => {
  it('manages these, and finds no others', async () => {
    const [own, foreign] = [await createVenue(test), await createVenue(test)];
    const bound = await boundLead([own]);
    const user = await test.createUser();
    expect((await bind(bound, own.id, user.uuid)).status).toBe(200);
    await bind(lead, foreign.id, user.uuid);
    const answers = [
      await bind(bound, foreign.id, user.uuid),
      await unbind(bound, foreign.id, user.uuid),
      await bound.call('changeVenue', { params: { id: foreign.id }, body: TEXT, version: 1 }),
      await bound.call('archiveVenue', {
        params: { id: foreign.id },
        body: { is_archived: true },
        version: 1,
      }),
    ];
    expect(answers.map(refusalOf)).toEqual(answers.map(() => ({ status: 404, code: 'not_found' })));
    const added = await bound.call('createVenue', { body: { ...TEXT, name: 'A third one' } });
    expect(refusalOf(added)).toEqual({ status: 403, code: 'forbidden' });
    expect((await unbind(bound, own.id, user.uuid)).status).toBe(200);
  });

  it('may not be one who only reads', async () => {
    const venue = await createVenue(test);
    const support = await consoleAs(test, ['support']);
    const answer = await bind(support, venue.id, (await test.createUser()).uuid);
    expect([answer.status, answer.body.permission]).toEqual([403, 'venues.edit']);
  });
});
