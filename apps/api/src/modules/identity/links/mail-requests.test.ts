/** The number of mails that a network place may request, and the order in which mails are sent. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  forgotPassword,
  mailsTo,
  openAccount,
  PASSWORD,
  register,
  signIn,
} from '../../../../test/accounts.ts';
import {
  createTestApp,
  stopClock,
  testConfig,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const MINUTE_MS = 60_000;
/** With a limit of 60 in an hour, 30 can be requested at once, and one more every 2 minutes. */
const env = { MAIL_REQUESTS_PER_ADDRESS_AND_HOUR: '60' };

let test: TestApp;
let advance: (byMs: number) => void;
let counter = 0;
let placeCount = 0;
/** The network place of a flood, different in each test. */
let cafe = '';
beforeAll(async () => {
  test = await createTestApp({ env });
});
beforeEach(() => {
  cafe = `203.0.113.${(placeCount += 1)}`;
  advance = stopClock(test);
});
afterAll(() => test.close());

const newEmail = (): string => `mails-${(counter += 1)}@athos.example`;
const newDevice = () => ({ 'x-device-id': randomBytes(16).toString('hex') });
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const OK = [200, 'ok'];
const REFUSED = [429, 'too_many_requests'];

const forgetAt = (remoteAddress: string, email = newEmail()) =>
  forgotPassword(test, email, { remoteAddress });
const signUpAt = (remoteAddress: string, email = newEmail()) =>
  register(test, email, PASSWORD, { remoteAddress });

/** Requests mails to new addresses until the place is refused. Returns how many were accepted. */
async function flood(remoteAddress: string): Promise<number> {
  for (let count = 0; count < 100; count += 1) {
    if ((await forgetAt(remoteAddress)).status === 429) return count;
  }
  throw new Error('no limit');
}

/** Opens an account that has signed in on a device. */
async function ownerOn(headers: ReturnType<typeof newDevice>): Promise<string> {
  const email = newEmail();
  await openAccount(test, email);
  await signIn(test, email, PASSWORD, { headers, remoteAddress: '198.51.100.1' });
  await test.runJobs();
  return email;
}

describe('the mails that a network place may request', () => {
  it('are 2000 an hour by default', () => {
    const { limits } = testConfig('postgres://127.0.0.1/none');
    expect(limits.mailRequestsPerAddressAndHour).toBe(2_000);
  });

  it('can be taken at once by half; the others come back evenly, for sign-ups and resets together', async () => {
    expect(await flood(cafe)).toBe(30);
    const refused = await signUpAt(cafe);
    expect(outcomeOf(refused)).toEqual(REFUSED);
    expect(refused.headers['retry-after']).toBe('120');
    expect(outcomeOf(await signUpAt('198.51.100.2'))).toEqual(OK);
    advance(2 * MINUTE_MS - 1);
    expect(outcomeOf(await signUpAt(cafe))).toEqual(REFUSED);
    advance(1);
    expect(outcomeOf(await signUpAt(cafe))).toEqual(OK);
    expect(outcomeOf(await signUpAt(cafe))).toEqual(REFUSED);
  });

  it('are no more than the limit within an hour, whoever asks again and again', async () => {
    let acceptedCount = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      acceptedCount += await flood(cafe);
      advance(MINUTE_MS);
    }
    expect(acceptedCount).toBe(59);
  });

  it('are there for others minutes after a flood has ended, not an hour later', async () => {
    await flood(cafe);
    advance(2 * MINUTE_MS);
    const email = newEmail();
    expect(outcomeOf(await signUpAt(cafe, email))).toEqual(OK);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(1);
  });

  it('are counted together for the networks of an IPv6 site', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, network) => forgetAt(`2001:db8:1:${network}::1`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  });

  it('are no more if a hundred are requested at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => forgetAt(cafe)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  });

  it(
    'do not include the resets of a device that has signed in to the account before, which has 10 an hour',
    { tags: 'long' },
    async () => {
      const headers = newDevice();
      const email = await ownerOn(headers);
      const before = mailsTo(test, email).length;
      await flood(cafe);
      const askOn = (device: typeof headers) =>
        forgotPassword(test, email, { remoteAddress: cafe, headers: device });
      expect(outcomeOf(await askOn(newDevice()))).toEqual(REFUSED);
      expect(outcomeOf(await askOn(headers))).toEqual(OK);
      await test.runJobs();
      expect(mailsTo(test, email).length - before).toBe(1);
      for (let count = 2; count <= 10; count += 1)
        expect(outcomeOf(await askOn(headers))).toEqual(OK);
      expect(outcomeOf(await askOn(headers))).toEqual(REFUSED);
      // A device is known only to its own accounts.
      const others = await forgotPassword(test, newEmail(), { remoteAddress: cafe, headers });
      expect(outcomeOf(others)).toEqual(REFUSED);
    },
  );
});

describe('waiting mails', () => {
  beforeEach(() => test.runJobs());

  const noticeTo = async (email: string): Promise<void> => {
    const { id } = await test.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const payload = { userId: String(id), at: new Date().toISOString() };
    await enqueueJob(test.deps.db, 'auth_mail_password_changed', payload);
  };
  /** Sends the waiting mails, and returns their recipients in order. */
  async function sendAll(): Promise<string[]> {
    const before = test.mails.length;
    await test.runJobs();
    return test.mails.slice(before).map(({ to }) => to);
  }

  it('of a flood from one place are sent after the first mails of every other place', async () => {
    const crowd = Array.from({ length: 15 }, newEmail);
    for (const email of crowd) await signUpAt(cafe, email);
    const [guest, other] = [newEmail(), newEmail()];
    await signUpAt('198.51.100.3', guest);
    await signUpAt('198.51.100.4', other);
    expect(await sendAll()).toEqual([crowd[0], guest, other, ...crowd.slice(1)]);
  });

  it(
    'that somebody waits for are sent before notices, but for those of a flood',
    { tags: 'long' },
    async () => {
      const headers = newDevice();
      const owner = await ownerOn(headers);
      const crowd = Array.from({ length: 22 }, newEmail);
      const notified = Array.from({ length: 300 }, () => owner);
      for (const email of notified) await noticeTo(email);
      for (const email of crowd) await signUpAt(cafe, email);
      await forgotPassword(test, owner, { headers });
      const sent = await sendAll();
      expect(sent).toEqual([owner, ...crowd.slice(0, 20), ...notified, ...crowd.slice(20)]);
      expect(mailsTo(test, owner)[2]?.subject).toBe('Reset your Athos Rewards password');
    },
  );
});
