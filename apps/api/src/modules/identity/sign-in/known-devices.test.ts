import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  forgotPassword,
  latestCodeTo,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const DAY_MS = 86_400_000;
const WRONG = 'Wrong-Password-1';
/** The network place of owners and guessers, different in each test. */
let cafe = '';
let counter = 0;

const newDeviceId = (): string => randomBytes(16).toString('hex');

let test: TestApp;
let advance: (byMs: number) => void;
beforeAll(async () => {
  test = await createTestApp({ env: { SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: '30' } });
});
beforeEach(() => {
  cafe = `203.0.113.${(counter += 1)}`;
  // The clock is stopped, so that no delay ends early on a slow machine.
  advance = stopClock(test);
});
afterAll(() => test.close());

const on = (deviceId: string | undefined, remoteAddress: string = cafe) => ({
  remoteAddress,
  headers: deviceId === undefined ? {} : { 'x-device-id': deviceId },
});
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];

interface Owner {
  readonly email: string;
  readonly deviceId: string;
  readonly token: string;
}
/** Opens an account and signs in to it on a device. */
async function ownerOnDevice(deviceId: string = newDeviceId()): Promise<Owner> {
  const email = `owner-${(counter += 1)}@athos.example`;
  await openAccount(test, email);
  const { body } = await signIn(test, email, PASSWORD, on(deviceId, '198.51.100.1'));
  return { email, deviceId, token: body.token as string };
}

/** Guesses at an account from the café until every guess is refused. */
async function guessAt(email: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    await signIn(test, email, WRONG, on(newDeviceId()));
  }
}
/** Uses up the failures of the café with guesses at many addresses. */
async function exhaustCafe(): Promise<void> {
  for (let count = 0; count < 31; count += 1) {
    await signIn(test, `nobody-${randomUUID()}@athos.example`, WRONG, on(undefined));
  }
}

describe('a device that has signed in to the account before', () => {
  it(
    '[D-063] gets in eight times of eight while a stranger guesses at the account ten times a second',
    { tags: 'long' },
    async () => {
      const { email, deviceId } = await ownerOnDevice();
      const answers: TestAnswer[] = [];
      for (let second = 0; second < 8; second += 1) {
        await guessAt(email);
        answers.push(await signIn(test, email, PASSWORD, on(deviceId)));
        advance(1_000);
      }
      expect(answers.map(outcomeOf)).toEqual(Array(8).fill([200, 'ok']));
      // Any other device must wait, even with the right password.
      expect(
        outcomeOf(await signIn(test, email, PASSWORD, on(newDeviceId(), '192.0.2.1'))),
      ).toEqual([429, 'too_many_attempts']);
    },
  );

  it(
    '[D-063] gets in although the failures of its network place are used up',
    { tags: 'long' },
    async () => {
      const { email, deviceId } = await ownerOnDevice();
      await exhaustCafe();
      expect(outcomeOf(await signIn(test, email, PASSWORD, on(deviceId)))).toEqual([200, 'ok']);
      expect(outcomeOf(await signIn(test, email, PASSWORD, on(newDeviceId())))).toEqual([
        429,
        'too_many_attempts',
      ]);
    },
  );

  it('may also change the password and delete the account then', { tags: 'long' }, async () => {
    const { email, deviceId, token } = await ownerOnDevice();
    await guessAt(email);
    await exhaustCafe();
    const ask = (method: 'PUT' | 'POST', path: string, payload: object, device?: string) =>
      test.request({
        method,
        url: `/api/account/${path}`,
        payload,
        key: randomUUID(),
        remoteAddress: cafe,
        headers: { authorization: `Bearer ${token}`, ...on(device).headers },
      });
    const change = { old_password: PASSWORD, password: OTHER_PASSWORD };
    expect(outcomeOf(await ask('PUT', 'update_password', change))).toEqual([
      429,
      'too_many_attempts',
    ]);
    expect(outcomeOf(await ask('PUT', 'update_password', change, deviceId))).toEqual([200, 'ok']);
    const password = OTHER_PASSWORD;
    expect(outcomeOf(await ask('POST', 'delete', { password }, deviceId))).toEqual([200, 'ok']);
  });

  it('has a limit of its own: growing delays from the fifth failure on, which delay nobody else', async () => {
    const { email, deviceId } = await ownerOnDevice();
    const guess = async () => outcomeOf(await signIn(test, email, WRONG, on(deviceId)));
    for (let count = 0; count < 5; count += 1) {
      expect(await guess()).toEqual([401, 'incorrect_credentials']);
    }
    for (const seconds of [1, 2, 4]) {
      const refused = await signIn(test, email, PASSWORD, on(deviceId));
      expect(outcomeOf(refused)).toEqual([429, 'too_many_attempts']);
      expect(refused.headers['retry-after']).toBe(String(seconds));
      advance(seconds * 1000);
      expect(await guess()).toEqual([401, 'incorrect_credentials']);
    }
    expect(outcomeOf(await signIn(test, email, PASSWORD, on(newDeviceId())))).toEqual([200, 'ok']);
  });

  it('is limited even if it guesses forty times at once', async () => {
    const { email, deviceId } = await ownerOnDevice();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signIn(test, email, WRONG, on(deviceId))),
    );
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code) => code === 'incorrect_credentials')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(35);
  });

  it('does not forgive the failures of others when it gets in', async () => {
    const { email, deviceId } = await ownerOnDevice();
    await guessAt(email);
    expect((await signIn(test, email, PASSWORD, on(deviceId))).status).toBe(200);
    expect(outcomeOf(await signIn(test, email, WRONG, on(newDeviceId())))).toEqual([
      429,
      'too_many_attempts',
    ]);
  });

  it('is not delayed any more after a reset of the password', async () => {
    const { email, deviceId } = await ownerOnDevice();
    for (let count = 0; count < 6; count += 1) await signIn(test, email, WRONG, on(deviceId));
    await forgotPassword(test, email);
    await test.runJobs();
    await resetPassword(test, latestCodeTo(test, email), OTHER_PASSWORD);
    expect((await signIn(test, email, OTHER_PASSWORD, on(deviceId))).status).toBe(200);
  });

  it('is not recognized for another account', async () => {
    const { deviceId } = await ownerOnDevice();
    const other = await ownerOnDevice();
    await guessAt(other.email);
    expect((await signIn(test, other.email, PASSWORD, on(deviceId))).status).toBe(429);
  });

  it.each([
    ['without an id', undefined],
    ['with an id too short to be a secret', 'installation-number-1'],
    ['with an id of foreign characters', `${'a'.repeat(31)};`],
  ])('is not recognized %s, by its browser alone', async (_kind, deviceId) => {
    const email = `kind-${(counter += 1)}@athos.example`;
    await openAccount(test, email);
    const chrome = {
      remoteAddress: cafe,
      headers: {
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0.0.0 Safari/537.36',
        ...on(deviceId).headers,
      },
    };
    expect((await signIn(test, email, PASSWORD, chrome)).status).toBe(200);
    await guessAt(email);
    expect((await signIn(test, email, PASSWORD, chrome)).status).toBe(429);
  });
});

describe('known devices', () => {
  const devicesOf = async (email: string): Promise<number> => {
    const rows = await test.deps.db
      .selectFrom('known_devices')
      .innerJoin('users', 'users.id', 'known_devices.user_id')
      .select('known_devices.user_id')
      .where('users.email', '=', email)
      .execute();
    return rows.length;
  };

  it('are kept up to the 20 of an account that signed in last', { tags: 'long' }, async () => {
    const { email, deviceId } = await ownerOnDevice();
    const [second = '', ...others] = Array.from({ length: 20 }, newDeviceId);
    for (const other of [second, ...others]) {
      advance(1_000);
      expect((await signIn(test, email, PASSWORD, on(other))).status).toBe(200);
      expect((await signIn(test, email, PASSWORD, on(deviceId))).status).toBe(200);
    }
    expect(await devicesOf(email)).toBe(20);
    await guessAt(email);
    expect((await signIn(test, email, PASSWORD, on(deviceId))).status).toBe(200);
    expect((await signIn(test, email, PASSWORD, on(others.at(-1)))).status).toBe(200);
    expect((await signIn(test, email, PASSWORD, on(second))).status).toBe(429);
  });

  it('end 2 years after their last sign-in', async () => {
    const { email, deviceId } = await ownerOnDevice();
    const prune = async (): Promise<number> => {
      await enqueueJob(test.deps.db, 'auth_prune', {});
      await test.runJobs();
      return devicesOf(email);
    };
    advance(729 * DAY_MS);
    expect((await signIn(test, email, PASSWORD, on(deviceId))).status).toBe(200);
    advance(DAY_MS);
    // The device that verified the account has not signed in since.
    expect(await prune()).toBe(1);
    advance(729 * DAY_MS);
    expect(await prune()).toBe(0);
  });
});
