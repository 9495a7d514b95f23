/** Keys are replaced while processes run, step by step as in docs/operating.md (decision 0049). */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { openUser, PASSWORD, signIn } from '../test/accounts.ts';
import { createGuest, createReadyGate, syncLog, writeLog } from '../test/build-gate.ts';
import { createStaff } from '../test/build-redemption.ts';
import { createCampaign, drawCode, redeem } from '../test/build-reward.ts';
import { consoleAs } from '../test/console.ts';
import { expectBooksBalance } from '../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../test/second-app.ts';
import { ath } from '../test/shop.ts';
import { createTestApp, TEST_ENV, type TestApp, type TestUser } from '../test/test-app.ts';
import { startHeartbeat } from './platform/health/heartbeat.ts';

type Env = Readonly<Record<string, string>>;

const HOUR_MS = 3_600_000;
/** `ticket_hours` of a new programme. */
const TICKET_HOURS = 48;
const LIMITS: Env = { REWARD_GUESSES_PER_ACCOUNT_AND_HOUR: '3' };
const drawKey = (): string => randomBytes(32).toString('base64url');

let test: TestApp;
let running: RunningApi[];
beforeEach(async () => {
  test = await createTestApp();
  running = [];
});
afterEach(async () => {
  for (const api of running) await api.kill();
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

interface RunningApi extends SecondApp {
  beat(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the process without telling the others. */
  kill(): Promise<void>;
}

/** Starts an API as its program does: it listens once the other processes know its keys. */
async function start(env: Env): Promise<RunningApi> {
  const app = await openSecondApp(test, { env: { ...LIMITS, HASHING_KEY: '', ...env } });
  const heartbeat = startHeartbeat(app.deps, 'api');
  await heartbeat.first;
  let isOpen = true;
  const kill = async () => {
    if (isOpen) await app.close();
    isOpen = false;
    running = running.filter((other) => other !== api);
  };
  const api = {
    ...app,
    beat: () => heartbeat.beat(),
    kill,
    async stop() {
      await heartbeat.stop();
      await kill();
    },
  };
  running.push(api);
  return api;
}

/** Replaces the processes one by one, and calls `look` after each. */
async function roll(env: Env, look: () => Promise<void>): Promise<void> {
  const replaced = running;
  for (const old of replaced) {
    await old.stop();
    await start(env);
    for (const api of running) await api.beat();
    await look();
  }
}

const isSignedIn = async (api: RunningApi, user: TestUser): Promise<boolean> =>
  (await api.request({ method: 'GET', url: '/api/account/balance', user })).status === 200;

/** The wallet's own code, signed by this process. */
async function showCode(api: RunningApi, user: TestUser): Promise<string> {
  const content: QrContent = { t: 'tier', d: { a: user.uuid, t: test.clock.nowMs(), v: 1 } };
  const answer = await api.request({
    method: 'POST',
    url: '/api/account/sign',
    user,
    payload: { data: canonicalQrText(content) },
  });
  expect(answer.status).toBe(200);
  return signedQrText(content, answer.body.signature);
}

describe('signing keys', { tags: 'long' }, () => {
  const [oldKey, newKey, qrKey] = [TEST_ENV.SIGNING_KEYS, drawKey(), drawKey()];
  const HASHING = { HASHING_KEYS: TEST_ENV.HASHING_KEY };
  const withKeys = (...keys: readonly string[]): Env => ({
    ...HASHING,
    SIGNING_KEYS: keys.join(','),
  });
  const withQrKey = (...keys: readonly string[]): Env => ({
    ...withKeys(...keys),
    QR_SIGNING_KEYS: qrKey,
  });

  it('[P-072] are rotated over running processes, and QR codes get their own, without signing out one user', async () => {
    const staff = await createStaff(test);
    await start(withKeys(oldKey));
    await start(withKeys(oldKey));
    const users = [await test.createUser()];
    let earlierCodes: string[] = [];
    /** Checks that every process accepts all earlier users and codes, and those of each process. */
    const look = async (): Promise<void> => {
      const codes = [...earlierCodes];
      for (const { deps } of running) {
        const user = await test.createUser();
        const { userId, uuid } = user;
        const token = await deps.sessions.open(deps.db, { userId, userUuid: uuid });
        users.push({ ...user, token });
      }
      const [ada] = users;
      for (const api of running) codes.push(await showCode(api, ada ?? staff));
      for (const api of running) {
        for (const user of users) expect(await isSignedIn(api, user)).toBe(true);
        for (const code of codes) {
          const { status } = await api.request({
            method: 'POST',
            url: '/api/scanner/scan',
            user: staff,
            payload: { payload: code },
          });
          expect(status).toBe(200);
        }
      }
      earlierCodes = codes;
      test.clock.advance(1_000);
    };
    await roll(withQrKey(oldKey, newKey), look);
    await roll(withQrKey(newKey, oldKey), look);
    const [firstApi] = running;
    const late = await test.createUser();
    const { userId, uuid } = late;
    test.clock.advance(HOUR_MS);
    const token = await firstApi?.deps.sessions.open(test.deps.db, { userId, userUuid: uuid });
    // More than 24 h after the old key signed its last token, every valid token is signed with the new key.
    test.clock.advance(23 * HOUR_MS + 1_000);
    await roll(withQrKey(newKey), async () => {
      for (const api of running) {
        expect(await isSignedIn(api, { ...late, token: token ?? '' })).toBe(true);
      }
    });
  });

  it('[P-072] sign nothing that another process cannot verify, even if they are put first at once', async () => {
    const kidOf = (api: RunningApi) => api.deps.keys.current.kid;
    const old = await start(withKeys(oldKey));
    const oldKid = kidOf(old);
    const api = await start(withQrKey(newKey, oldKey));
    expect(kidOf(api)).toBe(oldKid);
    expect(api.deps.qrKeys.current.kid).toBe(oldKid);
    // A process that was killed counts as alive for three beats.
    await old.kill();
    await api.beat();
    expect(kidOf(api)).toBe(oldKid);
    test.clock.advance(46_000);
    await api.beat();
    expect(kidOf(api)).not.toBe(oldKid);
    expect(api.deps.qrKeys.current.kid).not.toBe(kidOf(api));
    // A process that has only the old key comes back: from the next beat on, the old key signs again.
    const back = await start(withKeys(oldKey));
    await api.beat();
    expect([kidOf(api), kidOf(back)]).toEqual([oldKid, oldKid]);
  });

  it('[P-072] of codes stay until no ticket is left that they signed, nor a redemption that a scanner has not reported', async () => {
    const [oldQrKey, newQrKey] = [drawKey(), drawKey()];
    const withQrKeys = (...keys: readonly string[]): Env => ({
      ...withKeys(oldKey),
      QR_SIGNING_KEYS: keys.join(','),
    });
    const at = { ...test, ...(await start(withQrKeys(oldQrKey))) };
    await start(withQrKeys(oldQrKey));
    const [shown, handedOut] = [await createGuest(at), await createGuest(at)];
    await roll(withQrKeys(oldQrKey, newQrKey), () => Promise.resolve());
    await roll(withQrKeys(newQrKey, oldQrKey), () => Promise.resolve());
    test.clock.advance(TICKET_HOURS * HOUR_MS - HOUR_MS);
    // A session does not live as long as a ticket.
    const staff = await createStaff(test);
    const scanAt = (api: RunningApi) => {
      const { code: payload } = shown.show(test.clock.nowMs());
      const call = { method: 'POST', url: '/api/scanner/scan', payload: { payload } } as const;
      return api.request({ ...call, user: staff });
    };
    for (const api of running) expect((await scanAt(api)).body.kind).toBe('purchase');
    const [withIt] = running;
    const lead = await consoleAs(withIt ?? test, ['scanner_lead']);
    const gate = await createReadyGate(test, lead);
    const log = writeLog(gate, [handedOut.show(test.clock.nowMs())]);

    const withoutIt = await start(withQrKeys(newQrKey));
    expect((await scanAt(withoutIt)).body.code).toBe('invalid_signature');
    expect((await syncLog(withoutIt, gate, log)).body).toMatchObject({ state: 'suspect' });
    // Whoever removed the key too soon appends it again before the entries are cleared.
    const { body } = await lead.call('scanners', { query: { venue_id: gate.venue.id } });
    const cleared = await lead.call('clearScanner', {
      params: { id: body.items[0].id },
      body: { is_booked: true, reason: 'The key was removed too soon' },
    });
    expect(cleared.body).toMatchObject({ booked_count: 1, left_count: 0 });
  });

  it('of tokens and codes are published', async () => {
    const api = await start(withQrKey(newKey, oldKey));
    const { body } = await api.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
    expect(body.keys).toHaveLength(3);
  });
});

describe('hashing keys', { tags: 'long' }, () => {
  const [oldKey, newKey] = [TEST_ENV.HASHING_KEY, drawKey()];
  const withKeys = (...keys: readonly string[]): Env => ({ HASHING_KEYS: keys.join(',') });
  const DEVICE = { 'x-device-id': 'd'.repeat(32) };

  it('[P-073] are rotated without spoiling one reward code', async () => {
    const user = await test.createUser();
    const [used = '', ...old] = await createCampaign(test, { codeCount: 6 });
    await start(withKeys(oldKey));
    await start(withKeys(oldKey));
    const key = randomUUID();
    const first = await redeem(test, user, used, { key });
    expect(first.status).toBe(200);
    const look = async (): Promise<void> => {
      const [one, two] = running;
      if (one === undefined || two === undefined) throw new Error('two processes run');
      const [fresh = ''] = await createCampaign({ ...test, deps: two.deps });
      for (const code of [old.shift() ?? '', fresh]) {
        expect((await redeem(one, await test.createUser(), code)).status).toBe(200);
      }
      const again = await redeem(two, user, used, { key });
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect((await redeem(two, user, used)).body.code).toBe('reward_claimed');
    };
    await roll(withKeys(oldKey, newKey), look);
    await roll(withKeys(newKey, oldKey), look);
    const marketer = await consoleAs(running[0] ?? test, ['support']);
    const found = await marketer.call('lookUpCode', { body: { code: used } });
    expect(found.body.found).toMatchObject({ claim_count: 1 });
    // Without the old key, its codes are unknown, so the key must stay as long as one of them may be redeemed.
    const retired = await start(withKeys(newKey));
    expect((await redeem(retired, await test.createUser(), old[0] ?? '')).body.code).toBe(
      'invalid_reward_code',
    );
  });

  it('[P-073] give nobody a new count of guesses when they are rotated', async () => {
    const user = await test.createUser();
    const guess = async (api: RunningApi) => (await redeem(api, user, drawCode())).body.code;
    const only = await start(withKeys(oldKey));
    const both = await start(withKeys(oldKey, newKey));
    const newFirst = await start(withKeys(newKey, oldKey));
    expect(await guess(only)).toBe('invalid_reward_code');
    for (let count = 0; count < 2; count += 1) {
      expect(await guess(both)).toBe('invalid_reward_code');
    }
    for (const api of [only, both, newFirst]) expect(await guess(api)).toBe('too_many_attempts');
    test.clock.advance(HOUR_MS);
    for (let count = 0; count < 3; count += 1) {
      expect(await guess(newFirst)).toBe('invalid_reward_code');
    }
    // Guesses are counted under both keys, so that the old one can be removed.
    const newOnly = await start(withKeys(newKey));
    for (const api of [newOnly, newFirst]) expect(await guess(api)).toBe('too_many_attempts');
  });

  it('[P-073] leave a known device known, and under the new key from its next sign-in on', async () => {
    const owner = await openUser(test);
    await signIn(test, owner.email, PASSWORD, { headers: DEVICE });
    await test.runJobs();
    const mailCount = test.mails.length;
    const newFirst = await start(withKeys(newKey, oldKey));
    await signIn({ ...test, ...newFirst }, owner.email, PASSWORD, { headers: DEVICE });
    const newOnly = await start(withKeys(newKey));
    await signIn({ ...test, ...newOnly }, owner.email, PASSWORD, { headers: DEVICE });
    await test.runJobs();
    expect(test.mails).toHaveLength(mailCount);
  });

  it('[P-073] let a device in that signed in under each of them', async () => {
    const { email } = await openUser(test);
    const old = await start(withKeys(oldKey));
    const newOnly = await start(withKeys(newKey));
    const both = await start(withKeys(newKey, oldKey));
    const devices = () =>
      test.admin
        .selectFrom('known_devices')
        .innerJoin('users', 'users.id', 'known_devices.user_id')
        .select('first_seen_at')
        .where('users.email', '=', email)
        .execute();
    const before = (await devices()).length;
    const counts: number[] = [];
    for (const api of [old, newOnly, both, both]) {
      const { status } = await signIn({ ...test, ...api }, email, PASSWORD, { headers: DEVICE });
      expect(status).toBe(200);
      counts.push((await devices()).length - before);
    }
    expect(counts).toEqual([1, 2, 1, 1]);
  });
});

describe('the login of the database', { tags: 'long' }, () => {
  it('is replaced by another member of its role, while requests go on, and then takes no connection any more', async () => {
    const name = `athos_api_${randomBytes(4).toString('hex')}`;
    const [login, spare] = [`${name}_a`, `${name}_b`] as const;
    const as = (role: string, password: string): string => {
      const url = new URL(test.deps.config.databaseUrl);
      [url.username, url.password] = [role, password];
      return url.href;
    };
    const onServer = (statement: string) => sql.raw(statement).execute(test.admin);
    const [first, second] = [drawKey(), drawKey()];
    for (const role of [login, spare])
      await onServer(`create role ${role} login password '${first}' in role athos_api`);
    const [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
    const statusOfSend = async (api: SecondApp): Promise<number> => {
      const answer = await api.request({
        method: 'POST',
        url: '/api/account/transfer',
        user: ada,
        key: randomUUID(),
        payload: { amount: '1000000', to_uuid: ben.uuid },
      });
      return answer.status;
    };
    const old = await openSecondApp(test, { databaseUrl: as(login, first) });
    try {
      expect(await statusOfSend(old)).toBe(200);
      await onServer(`alter role ${spare} password '${second}'`);
      const next = await openSecondApp(test, { databaseUrl: as(spare, second) });
      try {
        expect(await statusOfSend(next)).toBe(200);
        await onServer(`alter role ${login} nologin`);
        // Its open connections still serve the requests that the process finishes.
        expect(await statusOfSend(old)).toBe(200);
        await old.close();
        expect(await statusOfSend(next)).toBe(200);
      } finally {
        await next.close();
      }
      for (const url of [as(login, first), as(spare, first)]) {
        const late = await openSecondApp(test, { databaseUrl: url });
        expect(await statusOfSend(late)).toBe(500);
        await late.close();
      }
    } finally {
      for (const role of [login, spare]) await onServer(`drop role ${role}`);
    }
  });
});
