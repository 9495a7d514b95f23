import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  balanceWith,
  codeIn,
  forgotPassword,
  mailsTo,
  makeJobsDue,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { hashLinkCode } from '../links/link-code.ts';

const HOUR_MS = 3_600_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates an account and returns the reset code mailed to it. */
async function mailedCode(email: string): Promise<string> {
  await openAccount(test, email);
  await forgotPassword(test, email);
  await test.runJobs();
  return codeIn(mailsTo(test, email).at(-1));
}

describe('requesting a reset', () => {
  it('[S1-007] [S7-011] mails a link to the reset screen', async () => {
    await openAccount(test, 'forgot@athos.example');
    const answer = await forgotPassword(test, ' FORGOT@athos.example ');
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    await test.runJobs();
    const mail = mailsTo(test, 'forgot@athos.example').at(-1);
    expect(mail?.subject).toBe('Reset your Athos Rewards password');
    expect(mail?.text).toContain(`http://127.0.0.1:8080/auth/reset-password?code=${codeIn(mail)}`);
    expect((await resetPassword(test, codeIn(mail), OTHER_PASSWORD)).status).toBe(200);
    expect((await signIn(test, 'forgot@athos.example', OTHER_PASSWORD)).status).toBe(200);
  });

  it('[D-034] treats an unknown address like a known one, down to the database statements', async () => {
    await openAccount(test, 'asked@athos.example');
    const seen = [];
    for (const email of ['asked@athos.example', 'nobody@athos.example']) {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const answer = await forgotPassword(test, email);
      const statements = query.mock.calls.map(([statement]) =>
        typeof statement === 'object' ? (statement as { text?: string }).text : statement,
      );
      query.mockRestore();
      seen.push([answer.status, answer.body, Object.keys(answer.headers), statements]);
    }
    expect(seen[0]).toEqual(seen[1]);
    await test.runJobs();
    expect(mailsTo(test, 'nobody@athos.example')).toEqual([]);
  });

  it('mails nothing for an unverified sign-up, which has no account', async () => {
    await register(test, 'unverified@athos.example');
    await test.runJobs();
    await forgotPassword(test, 'unverified@athos.example');
    await test.runJobs();
    expect(mailsTo(test, 'unverified@athos.example')).toHaveLength(1);
  });

  it('mails one address at most 3 times in a minute and 10 times in an hour', async () => {
    const email = 'reset-flood@athos.example';
    await openAccount(test, email);
    const before = mailsTo(test, email).length;
    const minutes = [];
    for (let minute = 0; minute < 4; minute += 1) {
      for (let count = 0; count < 4; count += 1) await forgotPassword(test, email);
      await test.runJobs();
      minutes.push(mailsTo(test, email).length - before);
      test.clock.advance(61_000);
    }
    expect(minutes).toEqual([3, 6, 9, 10]);
  });

  it('mails the link later if the mail server is down', async () => {
    const email = 'reset-later@athos.example';
    await openAccount(test, email);
    vi.spyOn(test.deps.mailer, 'send').mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
    await forgotPassword(test, email);
    await test.runJobs();
    await makeJobsDue(test);
    await test.runJobs();
    const code = codeIn(mailsTo(test, email).at(-1));
    expect((await resetPassword(test, code, OTHER_PASSWORD)).status).toBe(200);
  });
});

describe('resetting', () => {
  it('[S7-012] takes the code and the new password and returns a truthy value', async () => {
    const email = 'reset@athos.example';
    const answer = await resetPassword(test, await mailedCode(email), OTHER_PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body).toBeTruthy();
    expect((await signIn(test, email, PASSWORD)).status).toBe(401);
    expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('ends every session and informs the owner', async () => {
    const email = 'sessions@athos.example';
    const { token } = await openAccount(test, email);
    const second = (await signIn(test, email)).body.token as string;
    expect((await balanceWith(test, token)).status).toBe(200);
    expect((await balanceWith(test, second)).status).toBe(200);
    await forgotPassword(test, email);
    await test.runJobs();
    await resetPassword(test, codeIn(mailsTo(test, email).at(-1)), OTHER_PASSWORD);
    for (const ended of [token, second]) {
      const answer = await balanceWith(test, ended);
      expect([answer.status, answer.body.code]).toEqual([401, 'session_ended']);
    }
    await test.runJobs();
    const mail = mailsTo(test, email).at(-1);
    expect(mail?.subject).toBe('Your Athos Rewards password was reset');
    expect(mail?.text).toMatch(/was reset on \w+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M UTC\./);
  });

  it('leaves the sessions of others alone', async () => {
    const { token } = await openAccount(test, 'bystander@athos.example');
    await resetPassword(test, await mailedCode('resetter@athos.example'), OTHER_PASSWORD);
    expect((await balanceWith(test, token)).status).toBe(200);
  });

  it('[D-054] refuses a code that was used, and every other code of the account', async () => {
    const email = 'reset-once@athos.example';
    const first = await mailedCode(email);
    await forgotPassword(test, email);
    await test.runJobs();
    const second = codeIn(mailsTo(test, email).at(-1));
    expect((await resetPassword(test, second, OTHER_PASSWORD)).status).toBe(200);
    for (const code of [first, second]) {
      const answer = await resetPassword(test, code, PASSWORD);
      expect([answer.status, answer.body.code]).toEqual([422, 'invalid_code']);
    }
  });

  it('[D-055] stores the hash of a code and never the code itself', async () => {
    const code = await mailedCode('reset-hash@athos.example');
    const rows = await test.deps.db.selectFrom('link_codes').selectAll().execute();
    expect(rows.some((row) => row.code_hash.equals(hashLinkCode(code)))).toBe(true);
    const kept = rows.flatMap((row) => Object.values(row)).map(String);
    expect(kept.some((text) => text.includes(code))).toBe(false);
  });

  it('[D-053] accepts a code for 1 h and not longer', async () => {
    const inTime = await mailedCode('reset-in-time@athos.example');
    const late = await mailedCode('reset-late@athos.example');
    test.clock.advance(HOUR_MS - 60_000);
    expect((await resetPassword(test, inTime, OTHER_PASSWORD)).status).toBe(200);
    test.clock.advance(60_000);
    const answer = await resetPassword(test, late, OTHER_PASSWORD);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_code']);
  });

  it('[D-049] refuses a weak password and leaves the code usable', async () => {
    const code = await mailedCode('reset-weak@athos.example');
    for (const weak of ['Correct7Horse', 'Correct-Horse', 'correct-horse-7', 'Corr-7x']) {
      const answer = await resetPassword(test, code, weak);
      expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
    }
    expect((await resetPassword(test, code, OTHER_PASSWORD)).status).toBe(200);
  });

  it('resets once when one code is used twenty times at once', async () => {
    const code = await mailedCode('reset-crowd@athos.example');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        resetPassword(test, code, `${OTHER_PASSWORD}${index}`),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refused.map((answer) => answer.body.code))).toEqual(new Set(['invalid_code']));
  });

  it('lets the owner sign in at once, however many failures came before', async () => {
    const email = 'guessed@athos.example';
    const code = await mailedCode(email);
    for (let count = 0; count < 6; count += 1) await signIn(test, email, 'Wrong-Password-1');
    await resetPassword(test, code, OTHER_PASSWORD);
    expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('does not accept a verification code for a reset, or a reset code for verification', async () => {
    const email = 'crossed@athos.example';
    await register(test, email);
    await test.runJobs();
    const answer = await resetPassword(test, codeIn(mailsTo(test, email)[0]), OTHER_PASSWORD);
    expect(answer.body.code).toBe('invalid_code');
    const reset = await mailedCode('crossed-too@athos.example');
    const verified = await test.request({
      method: 'POST',
      url: '/api/account/verify',
      payload: { code: reset },
    });
    expect(verified.body.code).toBe('invalid_code');
  });
});
