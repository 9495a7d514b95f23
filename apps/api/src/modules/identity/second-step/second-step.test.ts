import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  balanceWith,
  forgotPassword,
  latestCodeTo,
  mailsTo,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import { bearer, challengeFor, codeOf, openProtected, post } from '../../../../test/second-step.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const newEmail = (): string => `second-${randomUUID()}@athos.example`;
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];
const answerCode = (challenge: string, code: string): Promise<TestAnswer> =>
  post(test, 'login/second_factor', { challenge_id: challenge, code });
const statusOf = (token: string): Promise<TestAnswer> =>
  test.request({ method: 'GET', url: '/api/account/second_step', headers: bearer(token) });
const subjectsTo = (email: string): string[] => mailsTo(test, email).map(({ subject }) => subject);
/** A code that is wrong for the current step and its neighbours. */
const wrongCode = (secret: string): string => {
  const right = [-1, 0, 1].map((steps) => codeOf(test, secret, steps));
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code)) ?? '';
};

describe('signing in', () => {
  it('[W-106] answers token and uuid for an account without a second factor', async () => {
    const email = newEmail();
    const { uuid } = await openAccount(test, email);
    const answer = await signIn(test, email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ token: expect.any(String), uuid });
  });

  it('[W-004] [W-107] answers 403 and no token for an account with one, and opens no session', async () => {
    const { email, token } = await openProtected(test, newEmail());
    const answer = await signIn(test, email);
    expect(outcomeOf(answer)).toEqual([403, 'second_factor_required']);
    expect(answer.body).toMatchObject({
      challenge_id: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
    });
    expect(answer.body).not.toHaveProperty('token');
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const { body } = await test.request({
      method: 'GET',
      url: '/api/account/sessions',
      headers: bearer(token),
    });
    expect(body.sessions).toHaveLength(1);
  });

  it('opens a session with a code of the app, of a step before or after too', async () => {
    for (const steps of [0, 1]) {
      const { email, secret } = await openProtected(test, newEmail());
      const answer = await answerCode(await challengeFor(test, email), codeOf(test, secret, steps));
      expect(answer.status).toBe(200);
      expect((await balanceWith(test, answer.body.token as string)).status).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('refuses a code of the next step but one', async () => {
    const { email, secret } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    for (const steps of [2, -2]) {
      const answer = await answerCode(challenge, codeOf(test, secret, steps));
      expect(outcomeOf(answer)).toEqual([422, 'invalid_code']);
    }
  });

  it(
    '[W-108] takes each code once, also when it is sent 20 times at once',
    { tags: 'long' },
    async () => {
      const { email, secret } = await openProtected(test, newEmail());
      const challenges: string[] = [];
      for (let count = 0; count < 20; count += 1) challenges.push(await challengeFor(test, email));
      const code = codeOf(test, secret);
      const answers = await Promise.all(challenges.map((challenge) => answerCode(challenge, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status } of answers) expect([200, 409, 422, 429, 503]).toContain(status);
    },
  );

  it('takes a challenge once, also when it is sent with two right codes at once', async () => {
    const { email, secret, recoveryCodes } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    const answers = await Promise.all([
      answerCode(challenge, codeOf(test, secret)),
      answerCode(challenge, recoveryCodes[0] ?? ''),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomeOf(await answerCode(challenge, recoveryCodes[1] ?? ''))).toEqual([
      409,
      'challenge_ended',
    ]);
  });

  it('[W-109] ends the challenge after 5 wrong codes, even for a right one, and counts them as failed sign-ins', async () => {
    const { email, secret } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    for (let count = 0; count < 5; count += 1) {
      expect(outcomeOf(await answerCode(challenge, wrongCode(secret)))).toEqual([
        422,
        'invalid_code',
      ]);
    }
    expect(outcomeOf(await answerCode(challenge, codeOf(test, secret)))).toEqual([
      409,
      'challenge_ended',
    ]);
    expect(outcomeOf(await signIn(test, email))).toEqual([429, 'too_many_attempts']);
  });

  it('judges no more than 5 of 20 wrong codes at once', async () => {
    const { email, secret } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => answerCode(challenge, wrongCode(secret))),
    );
    const judged = answers.filter(({ body }) => body.code === 'invalid_code');
    expect(judged.length).toBeLessThanOrEqual(5);
  });

  it('ends the challenge after 5 minutes, and with a new password', async () => {
    const advance = stopClock(test);
    const { email, secret, token } = await openProtected(test, newEmail());
    const [late, overtaken] = [await challengeFor(test, email), await challengeFor(test, email)];
    await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      headers: bearer(token),
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
    });
    expect(outcomeOf(await answerCode(overtaken, codeOf(test, secret)))).toEqual([
      409,
      'challenge_ended',
    ]);
    advance(5 * MINUTE_MS);
    expect(outcomeOf(await answerCode(late, codeOf(test, secret)))).toEqual([
      409,
      'challenge_ended',
    ]);
  });

  it('refuses a challenge that never was, and one of another account’s code', async () => {
    const [ada, eve] = [
      await openProtected(test, newEmail()),
      await openProtected(test, newEmail()),
    ];
    const made = 'a'.repeat(43);
    expect(outcomeOf(await answerCode(made, codeOf(test, ada.secret)))).toEqual([
      409,
      'challenge_ended',
    ]);
    const challenge = await challengeFor(test, ada.email);
    for (const code of [codeOf(test, eve.secret), eve.recoveryCodes[0] ?? '']) {
      expect(outcomeOf(await answerCode(challenge, code))).toEqual([422, 'invalid_code']);
    }
  });

  it('tells a wrong password nothing of the second step', async () => {
    const { email } = await openProtected(test, newEmail());
    const answer = await signIn(test, email, OTHER_PASSWORD);
    const unknown = await signIn(test, newEmail(), OTHER_PASSWORD);
    expect(outcomeOf(answer)).toEqual(outcomeOf(unknown));
    expect(Object.keys(answer.body as object)).toEqual(Object.keys(unknown.body as object));
  });

  it('[W-111] still asks for the code after a reset of the password', async () => {
    const { email, secret } = await openProtected(test, newEmail());
    await forgotPassword(test, email);
    await test.runJobs();
    expect((await resetPassword(test, latestCodeTo(test, email), OTHER_PASSWORD)).status).toBe(200);
    const answer = await signIn(test, email, OTHER_PASSWORD);
    expect(outcomeOf(answer)).toEqual([403, 'second_factor_required']);
    const done = await answerCode(String(answer.body.challenge_id), codeOf(test, secret));
    expect(done.status).toBe(200);
  });
});

describe('recovery codes', () => {
  it('[W-110] are ten, stored only as keyed hashes, and each works once, in any spelling', async () => {
    const { email, recoveryCodes } = await openProtected(test, newEmail());
    expect(new Set(recoveryCodes).size).toBe(10);
    const { rows } = await sql<{
      row: string;
    }>`select r::text as row from recovery_codes r`.execute(test.deps.db);
    const stored = rows.map(({ row }) => row).join();
    for (const code of recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
    const [first = ''] = recoveryCodes;
    const spelt = first.toLowerCase().replaceAll('-', ' ');
    const done = await answerCode(await challengeFor(test, email), spelt);
    expect(done.status).toBe(200);
    expect((await statusOf(done.body.token as string)).body.recovery_codes_left).toBe(9);
    const again = await answerCode(await challengeFor(test, email), first);
    expect(outcomeOf(again)).toEqual([422, 'invalid_code']);
    await test.runJobs();
    expect(subjectsTo(email)).toContain('A recovery code of your Athos Rewards account was used');
  });

  it('are not found by 20 well-formed guesses at once, of which few are judged and none uses up a code', async () => {
    const { email, token, recoveryCodes } = await openProtected(test, newEmail());
    const other = await openProtected(test, newEmail());
    const guesses = [...other.recoveryCodes, ...other.recoveryCodes];
    // Each challenge allows five tries.
    const challenges: string[] = [];
    for (let count = 0; count < 4; count += 1) challenges.push(await challengeFor(test, email));
    const answers = await Promise.all(
      guesses.map((guess, index) => answerCode(challenges[index % 4] ?? '', guess)),
    );
    expect(answers).toHaveLength(20);
    const judged = answers.filter(({ body }) => body.code === 'invalid_code');
    expect(judged.length).toBeLessThanOrEqual(5);
    for (const { status } of answers) expect([422, 429, 503]).toContain(status);
    expect((await statusOf(token)).body.recovery_codes_left).toBe(10);
    // The failures delay the next attempt, even with the right password.
    test.clock.advance(MINUTE_MS);
    const challenge = await challengeFor(test, email);
    test.clock.advance(MINUTE_MS);
    expect((await answerCode(challenge, recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('work once of 20 at once', { tags: 'long' }, async () => {
    const { email, recoveryCodes } = await openProtected(test, newEmail());
    const challenges: string[] = [];
    for (let count = 0; count < 20; count += 1) challenges.push(await challengeFor(test, email));
    const answers = await Promise.all(
      challenges.map((challenge) => answerCode(challenge, recoveryCodes[0] ?? '')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the authenticator app', () => {
  it('[W-119] is added with the password and its first code, ends every other session, and the owner is mailed', async () => {
    const email = newEmail();
    const { token } = await openAccount(test, email);
    const other = String((await signIn(test, email)).body.token);
    expect((await statusOf(token)).body).toEqual({
      totp_since: null,
      recovery_codes_left: 0,
      recovery_ends_at: null,
    });
    const begun = await post(test, 'totp/begin', { token, password: PASSWORD });
    expect(begun.headers['cache-control']).toBe('no-store');
    expect(begun.body.address).toContain(`secret=${begun.body.secret}`);
    expect((await signIn(test, email)).status).toBe(200);
    const wrong = await post(test, 'totp/confirm', { token, code: wrongCode(begun.body.secret) });
    expect(outcomeOf(wrong)).toEqual([422, 'invalid_code']);
    const code = codeOf(test, begun.body.secret);
    expect((await post(test, 'totp/confirm', { token, code })).status).toBe(200);
    expect((await statusOf(token)).body).toEqual({
      totp_since: expect.any(String),
      recovery_codes_left: 10,
      recovery_ends_at: null,
    });
    expect((await balanceWith(test, other)).body.code).toBe('session_ended');
    await test.runJobs();
    expect(subjectsTo(email)).toContain('Codes at sign-in are on for your Athos Rewards account');
  });

  it('is not added by a stolen token alone, nor put in place of the present one', async () => {
    const email = newEmail();
    const { token } = await openAccount(test, email);
    const refused = await post(test, 'totp/begin', { token, password: OTHER_PASSWORD });
    expect(outcomeOf(refused)).toEqual([422, 'incorrect_password']);
    const owner = await openProtected(test, newEmail());
    const second = await post(test, 'totp/begin', { token: owner.token, password: PASSWORD });
    expect(outcomeOf(second)).toEqual([409, 'totp_exists']);
  });

  it('is added within half an hour and under the same password, so that nobody can plant a secret for later', async () => {
    const begin = async (token: string, password: string): Promise<string> =>
      (await post(test, 'totp/begin', { token, password })).body.secret;
    const confirm = async (token: string, secret: string) =>
      outcomeOf(await post(test, 'totp/confirm', { token, code: codeOf(test, secret) }));
    const { token } = await openAccount(test, newEmail());
    const late = await begin(token, PASSWORD);
    test.clock.advance(30 * MINUTE_MS);
    expect(await confirm(token, late)).toEqual([422, 'invalid_code']);
    const planted = await begin(token, PASSWORD);
    const changed = await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      headers: bearer(token),
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
    });
    expect(changed.status).toBe(200);
    expect(await confirm(token, planted)).toEqual([422, 'invalid_code']);
    expect((await confirm(token, await begin(token, OTHER_PASSWORD)))[0]).toBe(200);
  });

  it('[W-119] is removed with password and code, never by a token alone, and the owner is mailed', async () => {
    const { email, token, secret, recoveryCodes } = await openProtected(test, newEmail());
    const end = (password: string, code: string) =>
      post(test, 'totp/end', { token, password, code });
    const right = codeOf(test, secret);
    expect((await post(test, 'totp/end', { token })).status).toBe(400);
    expect(outcomeOf(await end(PASSWORD, wrongCode(secret)))).toEqual([422, 'invalid_code']);
    expect(outcomeOf(await end(OTHER_PASSWORD, right))).toEqual([422, 'incorrect_password']);
    expect((await signIn(test, email)).status).toBe(403);
    expect((await end(PASSWORD, right)).status).toBe(200);
    expect((await signIn(test, email)).status).toBe(200);
    expect(outcomeOf(await end(PASSWORD, recoveryCodes[0] ?? ''))).toEqual([404, 'not_found']);
    await test.runJobs();
    expect(subjectsTo(email)).toContain('Codes at sign-in are off for your Athos Rewards account');
  });

  it('gets new recovery codes with password and code, which end the ones before, and the owner is mailed', async () => {
    const { email, token, secret, recoveryCodes } = await openProtected(test, newEmail());
    const renew = (password: string, code: string) =>
      post(test, 'totp/codes', { token, password, code });
    expect((await post(test, 'totp/codes', { token })).status).toBe(400);
    expect(outcomeOf(await renew(PASSWORD, wrongCode(secret)))).toEqual([422, 'invalid_code']);
    const [used = '', kept = ''] = recoveryCodes;
    expect(outcomeOf(await renew(OTHER_PASSWORD, used))).toEqual([422, 'incorrect_password']);
    expect((await statusOf(token)).body.recovery_codes_left).toBe(10);
    const renewed = await renew(PASSWORD, used);
    expect(renewed.status).toBe(200);
    expect(renewed.headers['cache-control']).toBe('no-store');
    const { codes } = renewed.body as unknown as { codes: string[] };
    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20);
    expect((await statusOf(token)).body.recovery_codes_left).toBe(10);
    for (const old of [used, kept]) {
      const refused = await answerCode(await challengeFor(test, email), old);
      expect(outcomeOf(refused)).toEqual([422, 'invalid_code']);
    }
    const challenge = await challengeFor(test, email);
    expect((await answerCode(challenge, codes[9] ?? '')).status).toBe(200);
    await test.runJobs();
    expect(subjectsTo(email)).toContain('New recovery codes for your Athos Rewards account');
  });

  it('gets one set of new recovery codes for one code, also when it is sent twice at once', async () => {
    const { email, token, secret } = await openProtected(test, newEmail());
    const payload = { token, password: PASSWORD, code: codeOf(test, secret) };
    const answers = await Promise.all([
      post(test, 'totp/codes', payload),
      post(test, 'totp/codes', payload),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const [code = ''] = done.flatMap(({ body }) => body.codes as unknown as string[]);
    expect((await answerCode(await challengeFor(test, email), code)).status).toBe(200);
  });

  it('has no new recovery codes for an account without it', async () => {
    const { token } = await openAccount(test, newEmail());
    const answer = await post(test, 'totp/codes', { token, password: PASSWORD, code: '123456' });
    expect(outcomeOf(answer)).toEqual([404, 'not_found']);
  });

  it('keeps its secret sealed', async () => {
    const { secret } = await openProtected(test, newEmail());
    const rows = await test.deps.db.selectFrom('totp_secrets').select('secret').execute();
    for (const { secret: stored } of rows) expect(stored.toString('latin1')).not.toContain(secret);
  });

  it(
    'tells the owner when somebody who knows the password guesses codes, and takes only recovery codes for the rest of the day',
    { tags: 'long' },
    async () => {
      const own = await createTestApp({ env: { SIGN_IN_FREE_FAILURES: '100' } });
      const { email, secret, recoveryCodes } = await openProtected(own, newEmail());
      const guess = (challenge: string, code: string) =>
        post(own, 'login/second_factor', { challenge_id: challenge, code });
      for (let round = 0; round < 4; round += 1) {
        const challenge = await challengeFor(own, email);
        for (let count = 0; count < 5; count += 1) await guess(challenge, 'not a code');
      }
      const refused = await guess(await challengeFor(own, email), codeOf(own, secret));
      expect(outcomeOf(refused)).toEqual([422, 'invalid_code']);
      await own.runJobs();
      expect(mailsTo(own, email).map(({ subject }) => subject)).toContain(
        'Somebody is guessing codes of your Athos Rewards account',
      );
      const done = await guess(await challengeFor(own, email), recoveryCodes[0] ?? '');
      expect(done.status).toBe(200);
      await own.close();
    },
  );
});
