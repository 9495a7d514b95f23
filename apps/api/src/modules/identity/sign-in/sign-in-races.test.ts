import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  balanceWith,
  codeIn,
  forgotPassword,
  mailsTo,
  openAccount,
  OTHER_PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';
import { attemptSubject } from '../../../platform/limits/attempt-counters.sql.ts';
import { makeAttempt } from '../../../platform/limits/guesses.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs `between` after the next sign-in's password is checked and before its session opens. */
function afterNextCheck(between: () => Promise<void>): void {
  const { passwords } = test.deps;
  const verify = passwords.verify.bind(passwords);
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (hash, password) => {
    const isRight = await verify(hash, password);
    await between();
    return isRight;
  });
}

it('a sign-in opens no session if its password is reset meanwhile', async () => {
  const email = 'overtaken@athos.example';
  const { token } = await openAccount(test, email);
  await forgotPassword(test, email);
  await test.runJobs();
  const code = codeIn(mailsTo(test, email).at(-1));
  afterNextCheck(async () => {
    expect((await resetPassword(test, code, OTHER_PASSWORD)).status).toBe(200);
  });
  const late = await signIn(test, email);
  expect([late.status, late.body.code]).toEqual([401, 'incorrect_credentials']);
  expect((await balanceWith(test, token)).status).toBe(401);
  expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
});

it('a sign-in whose session could not be opened does not count as a failure', async () => {
  const email = 'unlucky@athos.example';
  await openAccount(test, email);
  const nowMs = test.clock.nowMs();
  vi.spyOn(test.clock, 'nowMs').mockReturnValue(nowMs);
  const open = vi.spyOn(test.deps.sessions, 'open').mockRejectedValue(new Error('out of order'));
  for (let count = 0; count < 6; count += 1) expect((await signIn(test, email)).status).toBe(500);
  open.mockRestore();
  expect((await signIn(test, email)).status).toBe(200);
});

it('guesses at once at an account without failures get no further than guesses in a row', async () => {
  const { db, config } = test.deps;
  const attempt = { delayed: attemptSubject(config.hashingKeys, 'account new'), networks: [] };
  // The pool opens its connections for these, so that the guesses need not wait for them.
  await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.3)`.execute(db)));
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      makeAttempt(db, test.deps, attempt, () =>
        Promise.reject(new AppError('incorrect_credentials')),
      ).catch((error: unknown) => (error instanceof AppError ? error.code : error)),
    ),
  );
  const judged = answers.filter((code) => code === 'incorrect_credentials');
  expect(judged.length).toBe(config.limits.signInFreeFailures);
  expect(answers.filter((code) => code === 'too_many_attempts')).toHaveLength(30 - judged.length);
});
