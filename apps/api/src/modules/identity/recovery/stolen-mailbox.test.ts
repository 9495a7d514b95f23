/** The obstacles between the account and a thief who reads the owner's mail. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  forgotPassword,
  latestCodeTo,
  mailsTo,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import {
  askForRecovery,
  beginRecovery,
  beginRecoveryOf,
  mailedRecoveryCode,
  passTime,
  subjectsTo,
} from '../../../../test/recovery.ts';
import { bearer, challengeFor, codeOf, openProtected, post } from '../../../../test/second-step.ts';
import { SoftwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** The tests' PUBLIC_URL with the host name, since an IP address can have no passkeys. */
const SITE = 'http://localhost:8080';
const NEEDS_CODE = [403, 'second_factor_required'];
const TOO_EARLY = [409, 'recovery_after_reset'];

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const newEmail = (): string => `mailbox-${randomUUID()}@athos.example`;
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];

async function resetByMail(email: string, password = OTHER_PASSWORD): Promise<void> {
  await forgotPassword(test, email);
  await test.runJobs();
  expect((await resetPassword(test, latestCodeTo(test, email), password)).status).toBe(200);
}

const challengeOf = async (email: string, password = OTHER_PASSWORD): Promise<string> =>
  String((await signIn(test, email, password)).body.challenge_id);

const finish = async (challenge: string, code: string): Promise<TestAnswer> =>
  post(test, 'login/second_factor', { challenge_id: challenge, code });

const waitOf = async (token: string): Promise<string | null> =>
  (await test.request({ method: 'GET', url: '/api/account/second_step', headers: bearer(token) }))
    .body.recovery_ends_at;

describe('a reset by mail, then a recovery', () => {
  it('is refused for 7 days, and nothing is mailed meanwhile', async () => {
    const { email } = await openProtected(test, newEmail());
    const resetAtMs = test.clock.nowMs();
    await resetByMail(email);
    await test.runJobs();
    const { length } = mailsTo(test, email);
    const refused = await askForRecovery(test, await challengeOf(email));
    expect(outcomeOf(refused)).toEqual(TOO_EARLY);
    const possibleMs = Date.parse(refused.body.possible_from);
    expect(Math.abs(possibleMs - resetAtMs - 7 * DAY_MS)).toBeLessThan(60_000);
    await passTime(test, 7 * DAY_MS - 60_000);
    expect(outcomeOf(await askForRecovery(test, await challengeOf(email)))).toEqual(TOO_EARLY);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(length);
    await passTime(test, 60_000);
    expect((await askForRecovery(test, await challengeOf(email))).status).toBe(200);
    expect(await test.admin.selectFrom('mailed_resets').selectAll().execute()).toEqual([]);
  });

  it('is refused again after each reset', async () => {
    const { email } = await openProtected(test, newEmail());
    await resetByMail(email);
    await passTime(test, 6 * DAY_MS);
    await resetByMail(email, PASSWORD);
    await passTime(test, 2 * DAY_MS);
    const refused = await askForRecovery(test, await challengeOf(email, PASSWORD));
    expect(outcomeOf(refused)).toEqual(TOO_EARLY);
  });

  it('does not begin with a link that was mailed or asked for before the reset', async () => {
    const { email } = await openProtected(test, newEmail());
    const link = await mailedRecoveryCode(test, email);
    await forgotPassword(test, email);
    await test.runJobs();
    const resetCode = latestCodeTo(test, email);
    expect((await askForRecovery(test, await challengeFor(test, email))).status).toBe(200);
    expect((await resetPassword(test, resetCode, OTHER_PASSWORD)).status).toBe(200);
    await test.runJobs();
    expect(outcomeOf(await beginRecovery(test, link))).toEqual([422, 'invalid_code']);
    const links = subjectsTo(test, email).filter((subject) => subject.startsWith('Remove the'));
    expect(links).toHaveLength(1);
  });

  it('is possible at once for somebody who has signed in with the new password and a code', async () => {
    const { email, secret } = await openProtected(test, newEmail());
    await resetByMail(email);
    expect((await finish(await challengeOf(email), codeOf(test, secret))).status).toBe(200);
    expect((await askForRecovery(test, await challengeOf(email))).status).toBe(200);
  });
});

it('what is kept of a reset is erased with the account', async () => {
  const email = newEmail();
  await openAccount(test, email);
  await resetByMail(email);
  const { token } = (await signIn(test, email, OTHER_PASSWORD)).body;
  const kept = () => test.admin.selectFrom('mailed_resets').selectAll().execute();
  const { length } = await kept();
  const deleted = await post(test, 'delete', { token, password: OTHER_PASSWORD });
  expect(deleted.status).toBe(200);
  await test.runJobs();
  expect(await kept()).toHaveLength(length - 1);
});

describe('a recovery that waits is stopped', () => {
  async function openWaiting() {
    const account = await openProtected(test, newEmail());
    await beginRecoveryOf(test, account.email);
    test.clock.advance(60_000);
    return account;
  }

  async function expectStopped(email: string, token: string): Promise<void> {
    expect(await waitOf(token)).toBeNull();
    await test.runJobs();
    expect(subjectsTo(test, email)).toContainEqual(expect.stringMatching(/stays$/));
    await passTime(test, 80 * HOUR_MS);
    expect(outcomeOf(await signIn(test, email))).toEqual(NEEDS_CODE);
  }

  it('by a sign-in with a code of the app, and not by a wrong one', async () => {
    const { email, secret, token } = await openWaiting();
    const challenge = await challengeFor(test, email);
    expect((await finish(challenge, '000000')).status).toBe(422);
    expect(await waitOf(token)).not.toBeNull();
    expect((await finish(challenge, codeOf(test, secret))).status).toBe(200);
    await expectStopped(email, token);
  });

  it('by a sign-in with a recovery code', async () => {
    const { email, recoveryCodes, token } = await openWaiting();
    const answer = await finish(await challengeFor(test, email), recoveryCodes[0] ?? '');
    expect(answer.status).toBe(200);
    await expectStopped(email, token);
  });

  it('by a sign-in with a passkey', async () => {
    const account = await openProtected(test, newEmail());
    const authenticator = await addPasskey(account);
    await beginRecoveryOf(test, account.email);
    expect((await signInWith(authenticator)).status).toBe(200);
    await expectStopped(account.email, account.token);
  });
});

it('a recovery removes the passkeys too, because they may be in the lost phone', async () => {
  const account = await openProtected(test, newEmail());
  const authenticator = await addPasskey(account);
  await beginRecoveryOf(test, account.email);
  await passTime(test, 24 * HOUR_MS);
  await passTime(test, 48 * HOUR_MS);
  expect(mailsTo(test, account.email).at(-1)?.text).toContain('all passkeys were removed');
  expect(outcomeOf(await signInWith(authenticator))).toEqual([401, 'incorrect_credentials']);
  const { token } = (await signIn(test, account.email)).body;
  const url = '/api/account/passkeys';
  const { body } = await test.request({ method: 'GET', url, headers: bearer(token) });
  expect(body.passkeys).toEqual([]);
});

type Opened = Awaited<ReturnType<typeof openProtected>>;

async function addPasskey({ token, secret }: Opened): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(SITE);
  const proof = { password: PASSWORD, code: codeOf(test, secret) };
  const { body } = await post(test, 'passkey/begin', { token, ...proof });
  const passkey = authenticator.create(body as never);
  expect((await post(test, 'passkey/register', { token, passkey })).status).toBe(200);
  return authenticator;
}

async function signInWith(authenticator: SoftwareAuthenticator): Promise<TestAnswer> {
  const { body } = await post(test, 'passkey/options');
  return post(test, 'passkey/sign_in', { passkey: authenticator.get(body as never) });
}
