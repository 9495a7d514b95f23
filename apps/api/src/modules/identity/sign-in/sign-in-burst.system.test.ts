import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { microAth } from '@athos/domain/money';
import { balanceWith, openAccount, PASSWORD, signIn } from '../../../../test/accounts.ts';
import { createTestApp, stopClock, type TestApp } from '../../../../test/test-app.ts';

/** A busy machine hashes 200 passwords in more than the usual limit. */
const HASHED_WITHIN_MS = 60_000;

let test: TestApp;
beforeAll(async () => {
  // The limit by network place would end the burst early; sign-in-limits.test.ts covers it.
  test = await createTestApp({ env: { SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: '100000' } });
});
afterAll(() => test.close());

it('a burst of sign-ins does not block other requests: 40 of them finish while the first of the burst are hashed', async () => {
  const { token } = await test.createUser({ balance: microAth(1n) });
  const released = Promise.withResolvers<boolean>();
  const hashing = vi
    .spyOn(test.deps.passwords, 'verifyNothing')
    .mockImplementation(() => released.promise);
  const burst = Array.from({ length: 120 }, async (_, index) => {
    return (await signIn(test, `burst-${index}@athos.example`)).status;
  });
  // Sequential reads: from the ledger, from the connection pool and from memory.
  for (let count = 0; count < 20; count += 1) {
    expect((await balanceWith(test, token)).status).toBe(200);
    expect((await test.request({ method: 'GET', url: '/api/tiers' })).status).toBe(200);
  }
  // One sign-in is being hashed, and the next one has finished its statements.
  expect(hashing).toHaveBeenCalledTimes(2);
  released.resolve(false);
  // On a busy machine, the last ones are refused as overloaded.
  for (const status of await Promise.all(burst)) expect([401, 503]).toContain(status);
});

it.each([
  [1, 'neither their neighbours nor anybody elsewhere'],
  [250, 'nobody'],
])(
  '300 sign-ups from %i network places keep %s from signing in',
  async (placeCount) => {
    const email = `beside-${placeCount}@athos.example`;
    await openAccount(test, email);
    const signUps = Array.from({ length: 300 }, (_, index) =>
      test.request({
        method: 'POST',
        url: '/api/account/register',
        payload: {
          email: `flood-${placeCount}-${index}@athos.example`,
          password: PASSWORD,
          tenant_id: 1,
          mode: 'production',
        },
        remoteAddress: `203.0.113.${(index % placeCount) + 1}`,
      }),
    );
    for (const remoteAddress of ['203.0.113.1', '203.0.113.254']) {
      for (let count = 0; count < 4; count += 1) {
        expect((await signIn(test, email, PASSWORD, { remoteAddress })).status).toBe(200);
      }
    }
    const statuses = (await Promise.all(signUps)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(50);
  },
  HASHED_WITHIN_MS,
);

it(
  '300 right passwords for one account keep nobody else from signing in',
  async () => {
    const [busy, other] = ['busy@athos.example', 'other@athos.example'];
    await openAccount(test, busy);
    await openAccount(test, other);
    const flood = Array.from({ length: 300 }, (_, index) =>
      signIn(test, busy, PASSWORD, {
        remoteAddress: `203.0.113.${index % 5}`,
        headers: { 'x-device-id': `installation-with-number-${index}` },
      }),
    );
    for (let count = 0; count < 4; count += 1) {
      expect((await signIn(test, other)).status).toBe(200);
    }
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(50);
  },
  HASHED_WITHIN_MS,
);

it('an attempt that a limit refuses does not queue for hashing', async () => {
  // On a slow machine the delay after five failures would be over before the sixth attempt.
  stopClock(test);
  const email = 'limited@athos.example';
  for (let count = 1; count <= 5; count += 1) await signIn(test, email);
  const released = Promise.withResolvers<boolean>();
  vi.spyOn(test.deps.passwords, 'verifyNothing').mockImplementation(() => released.promise);
  const blocking = [1, 2, 3].map((count) => signIn(test, `blocking-${count}@athos.example`));
  expect((await signIn(test, email)).body.code).toBe('too_many_attempts');
  released.resolve(false);
  expect((await Promise.all(blocking)).map(({ status }) => status)).toEqual([401, 401, 401]);
  vi.restoreAllMocks();
});

it('a full queue refuses a caller, and says when to retry', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.spyOn(test.deps.passwords, 'verifyNothing').mockImplementation(async () => {
    await released;
    return false;
  });
  const refusals: Awaited<ReturnType<typeof signIn>>[] = [];
  // Two are being served and 200 wait, so 13 are refused while the first two are still being served.
  const allRefused = new Promise<void>((resolve) => {
    const burst = Array.from({ length: 215 }, async (_, index) => {
      const answer = await signIn(test, `line-${index}@athos.example`);
      if (answer.body.code === 'overloaded' && refusals.push(answer) === 13) resolve();
      return answer.status;
    });
    void Promise.all(burst).then(() => resolve());
  });
  await allRefused;
  release();
  expect(refusals).toHaveLength(13);
  expect(refusals[0]?.status).toBe(503);
  expect(refusals[0]?.body).toMatchObject({ retry_after_seconds: 2 });
});
