/** How staff of the console see, sign out, block and enrol the devices of the scanner. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount, signIn } from '../../../../test/accounts.ts';
import { createVenue, type TestVenue } from '../../../../test/build-redemption.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import { refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, TEST_ENV, type TestApp } from '../../../../test/test-app.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
const MINUTE_MS = 60_000;

let test: TestApp;
let second: SecondApp;
let lead: ConsoleCaller;
let venue: TestVenue;
beforeAll(async () => {
  test = await createTestApp();
  second = await openSecondApp(test);
});
// One person may make twenty calls a second.
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
  venue = await createVenue(test);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

interface Phone {
  readonly token: string;
  readonly uuid: string;
  readonly headers: Readonly<Record<string, string>>;
}

const newDeviceId = (): string => randomBytes(18).toString('base64url');

let lastNumber = 0;
/** Creates a user who scans at the venue and is not signed in yet. */
async function staffOf({ id }: TestVenue) {
  lastNumber += 1;
  const email = `scanner-${lastNumber}@athos.example`;
  const { uuid } = await openAccount(test, email);
  await lead.call('bindVenueStaff', { params: { id }, body: { account: uuid } });
  return { email, uuid };
}

const call = (
  { token, headers }: Pick<Phone, 'token' | 'headers'>,
  path: string,
  { payload, at = test }: { payload?: object; at?: Pick<TestApp, 'request'> } = {},
) =>
  at.request({
    method: payload === undefined ? 'GET' : 'POST',
    url: `/api/scanner/${path}`,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(payload !== undefined && { payload }),
  });

/** Signs in on a device and lists the venues, as the app does. */
async function open(
  { email, uuid }: { email: string; uuid: string },
  headers: Phone['headers'] = { 'x-device-id': newDeviceId(), 'user-agent': PHONE },
): Promise<Phone & { readonly status: number; readonly code: unknown }> {
  const { body } = await signIn(test, email, undefined, { headers });
  const phone = { token: String(body.token), uuid, headers };
  const answer = await call(phone, 'venues');
  return { ...phone, status: answer.status, code: answer.body.code };
}

const scannersAt = async (by: ConsoleCaller, venueId = venue.id) =>
  (await by.call('scanners', { query: { venue_id: venueId } })).body.items;

const deviceOf = async (): Promise<string> => String((await scannersAt(lead))[0].id);

/** A lead who is bound to a venue. */
async function boundLead({ id }: TestVenue): Promise<ConsoleCaller> {
  const caller = await consoleAs(test, ['scanner_lead']);
  await test.deps.db
    .insertInto('staff_venues')
    .values({ staff_id: caller.staffId, venue_id: id })
    .execute();
  return caller;
}

describe('a device', () => {
  it('that signs in as ever is listed, with who uses it, its app, and its last scan to the minute', async () => {
    const ada = await staffOf(venue);
    const headers = {
      'x-device-id': newDeviceId(),
      'x-app-version': 'index-DkPbY2xQ',
      'user-agent': PHONE,
    };
    const phone = await open(ada, headers);
    expect(phone.status).toBe(200);
    expect(await scannersAt(lead)).toMatchObject([
      {
        name: null,
        label: 'Safari on iOS',
        venue: null,
        user_uuid: ada.uuid,
        app_version: 'index-DkPbY2xQ',
        last_scan_at: null,
        is_signed_in: true,
        blocked_at: null,
      },
    ]);
    test.clock.advance(MINUTE_MS);
    await call(phone, 'scan', { payload: { payload: 'x' } });
    const [seen] = await scannersAt(lead);
    expect(seen.last_scan_at).toBe(seen.last_seen_at);
    const { body } = await lead.call('scanner', { params: { id: seen.id } });
    expect(body).toEqual({ ...seen, offline: null });
  });

  it(
    'is one, whoever signs in on it, and without an id of its own one for each person and browser',
    { tags: 'long' },
    async () => {
      const [ada, ben] = [await staffOf(venue), await staffOf(venue)];
      const shared = { 'x-device-id': newDeviceId(), 'user-agent': PHONE };
      await open(ada, shared);
      await open(ben, shared);
      expect(await scannersAt(lead)).toHaveLength(1);
      for (const id of [undefined, '', 'short', "'; drop table users", 'é'.repeat(30)]) {
        const headers = { 'user-agent': PHONE, ...(id !== undefined && { 'x-device-id': id }) };
        for (const person of [ada, ben]) expect((await open(person, headers)).status).toBe(200);
      }
      expect(await scannersAt(lead)).toHaveLength(3);
    },
  );

  it('costs a scan no statement within a minute', async () => {
    const phone = await open(await staffOf(venue));
    await call(phone, 'scan', { payload: { payload: 'x' } });
    const before = await test.deps.db
      .selectFrom('scanner_devices')
      .select('last_seen_at')
      .where('id', '=', await deviceOf())
      .executeTakeFirst();
    test.clock.advance(10_000);
    await twenty(() => call(phone, 'scan', { payload: { payload: 'x' } }));
    const after = await test.deps.db
      .selectFrom('scanner_devices')
      .select('last_seen_at')
      .where('id', '=', await deviceOf())
      .executeTakeFirst();
    expect(after).toEqual(before);
  });
});

describe('signing out', () => {
  it('[O-107] ends a scanner in every process, and its user can sign in again', async () => {
    const ada = await staffOf(venue);
    const [phone, other] = [await open(ada), await open(ada)];
    const [newest, oldest] = await scannersAt(lead);
    for (const at of [test, second]) {
      expect((await call(phone, 'venues', { at })).status).toBe(200);
    }
    const answer = await lead.call('signOutScanner', { params: { id: oldest.id } });
    expect(answer.body).toEqual({ session_count: 1 });
    const refused = await call(phone, 'scan', { payload: { payload: 'x' } });
    expect(refusalOf(refused)).toEqual({ status: 401, code: 'session_ended' });
    // The other process learns of it by a notification.
    await expect
      .poll(async () => (await call(phone, 'venues', { at: second })).body.code, {
        timeout: 10_000,
      })
      .toBe('session_ended');
    expect((await call(other, 'venues')).status).toBe(200);
    const states = new Map(
      (await scannersAt(lead)).map(
        ({ id, is_signed_in: is }: { id: string; is_signed_in: boolean }) => [id, is],
      ),
    );
    expect([states.get(oldest.id), states.get(newest.id)]).toEqual([false, true]);
    expect((await open(ada, phone.headers)).status).toBe(200);
  });

  it('of a venue ends the devices of its staff and those enrolled there, and no others', async () => {
    const elsewhere = await createVenue(test);
    const [ada, ben] = [await staffOf(venue), await staffOf(venue)];
    const cleo = await staffOf(elsewhere);
    const [one, two, three] = [await open(ada), await open(ben), await open(cleo)];
    const answer = await lead.call('signOutVenue', {
      params: { id: venue.id },
      body: { is_blocked: false },
    });
    expect(answer.body).toEqual({ device_count: 2, session_count: 2 });
    expect([(await call(one, 'venues')).status, (await call(two, 'venues')).status]).toEqual([
      401, 401,
    ]);
    expect((await call(three, 'venues')).status).toBe(200);
  });
});

describe('a blocked device', () => {
  it('is signed out, and nobody can scan with it until it is allowed again', async () => {
    const ada = await staffOf(venue);
    const phone = await open(ada);
    const id = await deviceOf();
    const block = (isBlocked: boolean) =>
      lead.call('blockScanner', { params: { id }, body: { is_blocked: isBlocked } });
    expect((await block(true)).body).toEqual({ session_count: 1 });
    expect((await call(phone, 'venues')).status).toBe(401);
    const again = await open(ada, phone.headers);
    expect([again.status, again.code]).toEqual([403, 'device_blocked']);
    // The session has ended, whatever the next call is.
    expect((await call(again, 'scan', { payload: { payload: 'x' } })).body.code).toBe(
      'session_ended',
    );
    expect((await open(ada)).status).toBe(200);
    await block(false);
    expect((await open(ada, phone.headers)).status).toBe(200);
  });

  it('[P-073] stays blocked under a new hashing key', async () => {
    const ada = await staffOf(venue);
    const { headers } = await open(ada);
    const id = await deviceOf();
    await lead.call('blockScanner', { params: { id }, body: { is_blocked: true } });
    const keys = [randomBytes(32).toString('base64url'), TEST_ENV.HASHING_KEY];
    const at = await openSecondApp(test, {
      env: { HASHING_KEY: '', HASHING_KEYS: keys.join(',') },
    });
    const token = String((await signIn(test, ada.email, undefined, { headers })).body.token);
    expect((await call({ token, headers }, 'venues', { at })).body.code).toBe('device_blocked');
    expect(await scannersAt(lead)).toHaveLength(1);
    await at.close();
  });

  it('has no session left when it is blocked while twenty sign in', async () => {
    const ada = await staffOf(venue);
    const headers = { 'x-device-id': newDeviceId(), 'user-agent': PHONE };
    await open(ada, headers);
    const id = await deviceOf();
    const tokens = await Promise.all(
      Array.from({ length: 5 }, async () =>
        String((await signIn(test, ada.email, undefined, { headers })).body.token),
      ),
    );
    const calls = tokens.map((token) => call({ token, headers }, 'venues'));
    await Promise.all([
      ...calls,
      lead.call('blockScanner', { params: { id }, body: { is_blocked: true } }),
    ]);
    for (const token of tokens) {
      expect((await call({ token, headers }, 'venues')).status).toBeGreaterThanOrEqual(401);
    }
    const { body } = await lead.call('scanner', { params: { id } });
    expect(body.is_signed_in).toBe(false);
  });
});

describe('an enrolment', () => {
  const codeFor = async (at = venue, name = 'Bar 2') => {
    const { body } = await lead.call('createEnrolment', { params: { id: at.id }, body: { name } });
    return String(body.code);
  };
  const enrol = (phone: Phone, code: string) =>
    call(phone, 'device', { payload: { enrolment_code: code } });

  it('gives a device its name and venue, once, however many try', async () => {
    const [ada, ben] = [await open(await staffOf(venue)), await open(await staffOf(venue))];
    const code = await codeFor();
    const answers = await twenty((index) =>
      enrol(index % 2 === 0 ? ada : ben, index % 3 === 0 ? code.toLowerCase() : ` ${code} `),
    );
    const right = answers.filter(({ status }) => status === 200);
    expect(right.map(({ body }) => body)).toEqual([
      { device_id: expect.any(String), name: 'Bar 2', venue: { id: venue.id, name: venue.name } },
    ]);
    const named = (await scannersAt(lead)).filter(
      ({ name }: { name: string | null }) => name !== null,
    );
    expect(named).toMatchObject([{ name: 'Bar 2', venue: { id: venue.id } }]);
  });

  it('is refused alike when unknown, late, or for a venue of others', async () => {
    const elsewhere = await createVenue(test);
    const phone = await open(await staffOf(venue));
    const late = await codeFor();
    test.clock.advance(15 * MINUTE_MS + 1);
    for (const code of [late, await codeFor(elsewhere), 'ABCDEFGH']) {
      expect(refusalOf(await enrol(phone, code))).toEqual({ status: 422, code: 'invalid_code' });
    }
    expect(refusalOf(await enrol(phone, 'x'))).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('is guessed ten times an hour at most', async () => {
    const phone = await open(await staffOf(venue));
    const answers = await twenty(() => enrol(phone, 'ABCDEFGH'));
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(10);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(10);
    expect(refusalOf(await enrol(phone, await codeFor())).status).toBe(429);
  });

  it('is kept as a hash only', async () => {
    const code = await codeFor();
    const rows = await test.deps.db.selectFrom('scanner_enrolments').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('a lead who is bound to venues', () => {
  it('sees and ends the devices of these only', async () => {
    const elsewhere = await createVenue(test);
    await open(await staffOf(venue));
    const foreignId = await deviceOf();
    const mine = await open(await staffOf(elsewhere));
    const bound = await boundLead(elsewhere);
    expect((await bound.call('scanners', {})).body.items).toMatchObject([{ user_uuid: mine.uuid }]);
    expect(await scannersAt(bound)).toEqual([]);
    const answers = [
      await bound.call('scanner', { params: { id: foreignId } }),
      await bound.call('signOutScanner', { params: { id: foreignId } }),
      await bound.call('blockScanner', { params: { id: foreignId }, body: { is_blocked: true } }),
      await bound.call('signOutVenue', { params: { id: venue.id }, body: { is_blocked: true } }),
      await bound.call('createEnrolment', { params: { id: venue.id }, body: { name: 'Mine' } }),
    ];
    expect(answers.map(refusalOf)).toEqual(answers.map(() => ({ status: 404, code: 'not_found' })));
  });
});
