import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  signIn,
} from '../../../../test/accounts.ts';
import { createTestApp, testConfig, type TestApp } from '../../../../test/test-app.ts';
import { delayAfterSeconds } from '../../../platform/limits/guesses.ts';

const HOUR_MS = 3_600_000;
const WRONG = 'Wrong-Password-1';

/** Stops the clock of `test`, so that no delay ends early on a slow machine. Returns a function that advances it. */
function stopClock({ clock }: TestApp): (byMs: number) => void {
  let nowMs = clock.nowMs();
  vi.spyOn(clock, 'nowMs').mockImplementation(() => nowMs);
  return (byMs) => {
    nowMs += byMs;
    // Also advances the underlying clock, from which the next test starts.
    clock.advance(byMs);
  };
}

it('by default, delays double from 1 s to 60 s after 5 failures, and a network place may fail 300 times an hour', () => {
  const { limits } = testConfig('postgres://127.0.0.1/none');
  const { signInFreeFailures, signInDelayMaxSeconds } = limits;
  const delays = Array.from({ length: 14 }, (_, failureCount) =>
    delayAfterSeconds(failureCount, signInFreeFailures, signInDelayMaxSeconds),
  );
  expect(delays).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(delayAfterSeconds(1_000_000, signInFreeFailures, signInDelayMaxSeconds)).toBe(60);
  expect(limits.signInFailuresPerAddressAndHour).toBe(300);
});

describe('wrong passwords on one account', () => {
  let test: TestApp;
  let advance: (byMs: number) => void;
  beforeAll(async () => {
    test = await createTestApp();
  });
  beforeEach(() => {
    advance = stopClock(test);
  });
  afterAll(() => test.close());

  async function failTimes(email: string, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      expect((await signIn(test, email, WRONG)).body.code).toBe('incorrect_credentials');
    }
  }

  it('[D-063] cause growing delays from the fifth on, and the right password has to wait too', async () => {
    const email = 'delayed@athos.example';
    await openAccount(test, email);
    await failTimes(email, 5);
    for (const seconds of [1, 2, 4]) {
      const refused = await signIn(test, email, PASSWORD);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
      expect(refused.headers['retry-after']).toBe(String(seconds));
      advance(seconds * 1000);
      await failTimes(email, 1);
    }
  });

  it(
    '[D-063] never lock the owner out: after at most 60 s the right password works',
    { tags: 'long' },
    async () => {
      const email = 'never-locked@athos.example';
      await openAccount(test, email);
      await failTimes(email, 5);
      for (let count = 0; count < 20; count += 1) {
        advance(60_000);
        await failTimes(email, 1);
      }
      advance(60_000);
      expect((await signIn(test, email)).status).toBe(200);
    },
  );

  it('are forgotten after the right password', async () => {
    const email = 'forgotten@athos.example';
    await openAccount(test, email);
    await failTimes(email, 4);
    expect((await signIn(test, email)).status).toBe(200);
    await failTimes(email, 4);
    expect((await signIn(test, email)).status).toBe(200);
  });

  it('are limited in the same way if there is no account', async () => {
    const email = 'nobody@athos.example';
    await failTimes(email, 5);
    const refused = await signIn(test, email, WRONG);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
  });

  it('are limited in the same way for the right password of an unverified sign-up', async () => {
    const email = 'limits-unverified@athos.example';
    await register(test, email, PASSWORD);
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn(test, email, PASSWORD)).body.code).toBe('incorrect_credentials');
    }
    expect((await signIn(test, email, PASSWORD)).body.code).toBe('too_many_attempts');
  });

  it('are limited even if they are tried at once', async () => {
    const email = 'parallel@athos.example';
    await openAccount(test, email);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signIn(test, email, OTHER_PASSWORD)),
    );
    const codes = answers.map((answer) => answer.body.code as string);
    expect(codes.filter((code) => code === 'incorrect_credentials')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(35);
  });
});

describe('wrong passwords from one network place', () => {
  let test: TestApp;
  let counter = 0;
  let advance: (byMs: number) => void;
  beforeEach(() => {
    advance = stopClock(test);
  });
  beforeAll(async () => {
    test = await createTestApp({
      env: { SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: '6', TRUSTED_PROXIES: '10.9.9.9' },
    });
  });
  afterAll(() => test.close());

  const someone = (): string => `someone-${(counter += 1)}@athos.example`;
  const failFrom = async (remoteAddress: string, headers = {}): Promise<string> =>
    (await signIn(test, someone(), WRONG, { remoteAddress, headers })).body.code as string;
  async function exhaust(remoteAddress: string, headers = {}): Promise<void> {
    for (let count = 0; count < 6; count += 1) {
      expect(await failFrom(remoteAddress, headers)).toBe('incorrect_credentials');
    }
    expect(await failFrom(remoteAddress, headers)).toBe('too_many_attempts');
  }

  it('[D-063] are refused above the hourly limit, also for other accounts', async () => {
    await exhaust('203.0.113.1');
    const refused = await signIn(test, someone(), WRONG, { remoteAddress: '203.0.113.1' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await failFrom('203.0.113.2')).toBe('incorrect_credentials');
    advance(HOUR_MS);
    expect(await failFrom('203.0.113.1')).toBe('incorrect_credentials');
  });

  it('count for the /64 network of an IPv6 address and no other', async () => {
    await exhaust('2001:db8:0:7::1');
    expect(await failFrom('2001:db8:0:7:ffff::2')).toBe('too_many_attempts');
    expect(await failFrom('2001:db8:0:8::1')).toBe('incorrect_credentials');
  });

  it(
    'count together for the /64 networks of a /48, ten times as many as for one',
    { tags: 'long' },
    async () => {
      const codes: string[] = [];
      for (let network = 0; network < 13; network += 1) {
        for (let count = 0; count < 5; count += 1) {
          codes.push(await failFrom(`2001:db8:9:${network.toString(16)}::1`));
        }
      }
      const judged = codes.filter((code) => code === 'incorrect_credentials');
      expect([judged.length, codes.at(-1)]).toEqual([60, 'too_many_attempts']);
      expect(await failFrom('2001:db8:a::1')).toBe('incorrect_credentials');
    },
  );

  it('count for the forwarded address behind a trusted proxy, and for the socket otherwise', async () => {
    await exhaust('10.9.9.9', { 'x-forwarded-for': '198.51.100.1' });
    const other = { 'x-forwarded-for': '198.51.100.2' };
    expect(await failFrom('10.9.9.9', other)).toBe('incorrect_credentials');
    await exhaust('192.0.2.1', { 'x-forwarded-for': '198.51.100.3' });
    expect(await failFrom('192.0.2.1', { 'x-forwarded-for': '198.51.100.4' })).toBe(
      'too_many_attempts',
    );
  });

  it(
    'are the only ones that count: right ones from the same place are not limited',
    { tags: 'long' },
    async () => {
      const email = 'office@athos.example';
      await openAccount(test, email);
      const from = { remoteAddress: '203.0.113.50' };
      for (let count = 0; count < 10; count += 1) {
        expect((await signIn(test, email, PASSWORD, from)).status).toBe(200);
      }
      await exhaust('203.0.113.50');
    },
  );

  it('cannot exceed the limit by concurrent attempts on many accounts', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => failFrom('203.0.113.60')));
    expect(codes.filter((code) => code === 'incorrect_credentials')).toHaveLength(6);
  });
});
