import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  balanceWith,
  codeIn,
  forgotPassword,
  latestCodeTo,
  mailsTo,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import { openSecondApp } from '../../../../test/second-app.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';

const WRONG = 'Wrong-Password-1';
const THIRD_PASSWORD = 'Stapler-Horse-9';
const DAY_MS = 86_400_000;
const CHANGED_SUBJECT = 'Your Athos Rewards password was changed';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** Sends the request, with a key only if one is given. */
const put = (token: string, payload: unknown, key?: string): Promise<TestAnswer> =>
  test.request({
    method: 'PUT',
    url: '/api/account/update_password',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...(key !== undefined && { key }),
  });

interface Wanted {
  old?: string;
  password?: string;
  key?: string;
}
const change = (
  token: string,
  { old = PASSWORD, password = OTHER_PASSWORD, key = randomUUID() }: Wanted = {},
) => put(token, { old_password: old, password }, key);

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? body];
const DONE = [200, { success: true }];

let counter = 0;
async function openOne(): Promise<{ email: string; token: string }> {
  const email = `changer-${(counter += 1)}@athos.example`;
  const { token } = await openAccount(test, email);
  return { email, token };
}
const changeMails = (email: string) =>
  mailsTo(test, email).filter(({ subject }) => subject === CHANGED_SUBJECT);

describe('changing the password', () => {
  it('[S7-010] [D-140] [D-142] [S1-021] takes old_password, password and a key; then only the new one signs in', async () => {
    const { email, token } = await openOne();
    const wrong = await change(token, { old: WRONG });
    expect(outcomeOf(wrong)).toEqual([422, 'incorrect_password']);
    expect((await balanceWith(test, token)).status).toBe(200);
    expect(outcomeOf(await change(token))).toEqual(DONE);
    expect((await signIn(test, email, PASSWORD)).status).toBe(401);
    expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('works without a key', async () => {
    const { token } = await openOne();
    const body = { old_password: PASSWORD, password: OTHER_PASSWORD };
    expect(outcomeOf(await put(token, body))).toEqual(DONE);
    expect(outcomeOf(await put(token, body))).toEqual([422, 'incorrect_password']);
  });

  it('[D-056] ends every other session after a change, and all of them after a reset', async () => {
    const { email, token } = await openOne();
    const others = [];
    for (let count = 0; count < 2; count += 1) {
      const other = (await signIn(test, email)).body.token as string;
      expect((await balanceWith(test, other)).status).toBe(200);
      others.push(other);
    }
    const { token: strangers } = await openOne();
    expect(outcomeOf(await change(token))).toEqual(DONE);
    for (const other of others) {
      expect(outcomeOf(await balanceWith(test, other))).toEqual([401, 'session_ended']);
      const url = `/api/account/refresh_jwt?token=${other}`;
      expect((await test.request({ method: 'GET', url })).body.code).toBe('session_ended');
    }
    expect((await balanceWith(test, token)).status).toBe(200);
    expect((await balanceWith(test, strangers)).status).toBe(200);

    await forgotPassword(test, email);
    await test.runJobs();
    await resetPassword(test, latestCodeTo(test, email), THIRD_PASSWORD);
    expect(outcomeOf(await balanceWith(test, token))).toEqual([401, 'session_ended']);
  });

  it('informs the owner once, with a way to recover the account', async () => {
    const { email, token } = await openOne();
    await change(token, { old: WRONG });
    await change(token);
    await test.runJobs();
    const [mail, ...more] = changeMails(email);
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/was changed on \w+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M UTC\./);
    expect(mail?.text).toContain('http://127.0.0.1:8080/auth/forgot-password');
  });

  it('invalidates a reset link that was mailed before', async () => {
    const { email, token } = await openOne();
    await forgotPassword(test, email);
    await test.runJobs();
    const code = codeIn(mailsTo(test, email).at(-1));
    await change(token);
    expect((await resetPassword(test, code, THIRD_PASSWORD)).body.code).toBe('invalid_code');
  });

  it.each(['Correct7Horse', 'Correct-Horse', 'correct-horse-7', 'Corr-7x'])(
    '[D-048] [D-049] refuses %s as sign-up and reset do, and changes nothing',
    async (weak) => {
      const { email, token } = await openOne();
      const answer = await change(token, { password: weak });
      expect(outcomeOf(answer)).toEqual([422, 'weak_password']);
      expect((await signIn(test, email, PASSWORD)).status).toBe(200);
    },
  );

  it('trims both passwords', async () => {
    const { email, token } = await openOne();
    const answer = await change(token, { old: ` ${PASSWORD}  `, password: `  ${OTHER_PASSWORD} ` });
    expect(outcomeOf(answer)).toEqual(DONE);
    expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('needs a session', async () => {
    const answer = await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
    });
    expect(outcomeOf(answer)).toEqual([401, 'unauthenticated']);
  });
});

describe('the same key', () => {
  it('gets the same response, although the old password is wrong by now, and mails once', async () => {
    const { email, token } = await openOne();
    const key = randomUUID();
    expect(outcomeOf(await change(token, { key }))).toEqual(DONE);
    expect(outcomeOf(await change(token, { key }))).toEqual(DONE);
    await change(token, { old: OTHER_PASSWORD, password: THIRD_PASSWORD });
    expect(outcomeOf(await change(token, { key }))).toEqual(DONE);
    await test.runJobs();
    expect(changeMails(email)).toHaveLength(2);
    expect((await signIn(test, email, THIRD_PASSWORD)).status).toBe(200);
  });

  it(
    'changes the password once when twenty requests carry it at once',
    { tags: 'long' },
    async () => {
      const { email, token } = await openOne();
      const other = (await signIn(test, email)).body.token as string;
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 20 }, () => change(token, { key })));
      expect(answers.map(outcomeOf)).toEqual(Array.from({ length: 20 }, () => DONE));
      await test.runJobs();
      expect(changeMails(email)).toHaveLength(1);
      expect((await balanceWith(test, other)).body.code).toBe('session_ended');
      expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
    },
  );

  it('changes the password once in two processes at once; the later request gets try_again', async () => {
    const second = await openSecondApp(test);
    const { email, token } = await openOne();
    const request = {
      method: 'PUT' as const,
      url: '/api/account/update_password',
      headers: { authorization: `Bearer ${token}` },
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
      key: randomUUID(),
    };
    const answers = await Promise.all([test.request(request), second.request(request)]);
    expect(answers.map(outcomeOf)).toContainEqual(DONE);
    for (const answer of answers) expect([200, 503]).toContain(answer.status);
    for (const { request: ask } of [test, second]) {
      expect(outcomeOf(await ask(request))).toEqual(DONE);
    }
    await second.close();
    await test.runJobs();
    expect(changeMails(email)).toHaveLength(1);
  });

  it('is refused with another old or new password', async () => {
    const { email, token } = await openOne();
    const key = randomUUID();
    await change(token, { key });
    for (const wanted of [{ password: THIRD_PASSWORD }, { old: WRONG }]) {
      const answer = await change(token, { ...wanted, key });
      expect(outcomeOf(answer)).toEqual([409, 'idempotency_key_reused']);
    }
    expect((await signIn(test, email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('is not used up by a refusal', async () => {
    const { token } = await openOne();
    const key = randomUUID();
    expect((await change(token, { key, old: WRONG })).status).toBe(422);
    expect((await change(token, { key, password: 'weak' })).status).toBe(422);
    expect(outcomeOf(await change(token, { key }))).toEqual(DONE);
  });

  it('is independent of the same key of another user', async () => {
    const key = randomUUID();
    for (const { token } of [await openOne(), await openOne()]) {
      expect(outcomeOf(await change(token, { key }))).toEqual(DONE);
    }
  });

  it('is deleted after a day, with the hash stored with it', async () => {
    const { token } = await openOne();
    await change(token);
    const keptCount = async () =>
      (await test.deps.db.selectFrom('password_changes').select('key').execute()).length;
    expect(await keptCount()).toBeGreaterThan(0);
    vi.spyOn(test.clock, 'nowMs').mockReturnValue(test.clock.nowMs() + DAY_MS);
    await enqueueJob(test.deps.db, 'auth_prune', {});
    await test.runJobs();
    vi.restoreAllMocks();
    expect(await keptCount()).toBe(0);
  });
});

it('makes exactly one of twenty different changes at once', async () => {
  const { email, token } = await openOne();
  const wanted = Array.from({ length: 20 }, (_, index) => `${OTHER_PASSWORD}${index}`);
  const nowMs = test.clock.nowMs();
  vi.spyOn(test.clock, 'nowMs').mockReturnValue(nowMs);
  const answers = await Promise.all(wanted.map((password) => change(token, { password })));
  const made = wanted.filter((_, index) => answers[index]?.status === 200);
  expect(made).toHaveLength(1);
  const codes = new Set(answers.map(({ body }) => body.code as string | undefined));
  expect(codes).toEqual(new Set([undefined, 'incorrect_password', 'too_many_attempts']));
  vi.restoreAllMocks();
  test.clock.advance(60_000);
  expect((await signIn(test, email, made[0])).status).toBe(200);
});

describe('a wrong old password', () => {
  it('[D-063] causes the same delays as at sign-in, and the right one has to wait too', async () => {
    const { token } = await openOne();
    let nowMs = test.clock.nowMs();
    vi.spyOn(test.clock, 'nowMs').mockImplementation(() => nowMs);
    for (let count = 0; count < 5; count += 1) {
      expect((await change(token, { old: WRONG })).body.code).toBe('incorrect_password');
    }
    for (const seconds of [1, 2, 4]) {
      const refused = await change(token);
      expect(outcomeOf(refused)).toEqual([429, 'too_many_attempts']);
      expect(refused.headers['retry-after']).toBe(String(seconds));
      nowMs += seconds * 1000;
      expect((await change(token, { old: WRONG })).body.code).toBe('incorrect_password');
    }
    nowMs += 60_000;
    expect(outcomeOf(await change(token))).toEqual(DONE);
    vi.restoreAllMocks();
  });

  it('counts together with failed sign-ins, in both directions', async () => {
    const { email, token } = await openOne();
    const nowMs = test.clock.nowMs();
    vi.spyOn(test.clock, 'nowMs').mockImplementation(() => nowMs);
    for (let count = 0; count < 3; count += 1) await signIn(test, email, WRONG);
    for (let count = 0; count < 2; count += 1) await change(token, { old: WRONG });
    expect((await change(token)).body.code).toBe('too_many_attempts');
    expect((await signIn(test, email)).body.code).toBe('too_many_attempts');
    vi.restoreAllMocks();
  });

  it('is limited even if twenty attempts run at once', async () => {
    const { token } = await openOne();
    const nowMs = test.clock.nowMs();
    vi.spyOn(test.clock, 'nowMs').mockImplementation(() => nowMs);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => change(token, { old: WRONG })),
    );
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code) => code === 'incorrect_password')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(15);
    vi.restoreAllMocks();
  });

  it('does not count if the attempt ends before the password is judged', async () => {
    const { email, token } = await openOne();
    const { passwords } = test.deps;
    for (let count = 0; count < 6; count += 1) {
      vi.spyOn(passwords, 'verify').mockRejectedValueOnce(new Error('no thread'));
      expect((await change(token)).status).toBe(500);
    }
    expect((await signIn(test, email)).status).toBe(200);
  });
});

describe('hostile input', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await openOne());
  });
  const GOOD = { old_password: PASSWORD, password: OTHER_PASSWORD };
  const HOSTILE: readonly (readonly [kind: string, value: unknown])[] = [
    ['SQL', `'; drop table users; --Aa1`],
    ['a null character', 'Aa1!aaaa\u0000bbbb'],
    ['half a surrogate pair', 'Aa1!aaaa\ud800bbbb'],
    ['nothing', ''],
    ['spaces', '        '],
    ['null', null],
    ['a number', 7],
    ['a list', ['Aa1!aaaa']],
    ['an object', { $gt: '' }],
    ['257 characters', `Aa1!${'a'.repeat(253)}`],
    ['30,000 characters', `Aa1!${'a'.repeat(30_000)}`],
  ];

  it.each(HOSTILE)('is refused in old_password: %s', async (_kind, value) => {
    const answer = await put(token, { ...GOOD, old_password: value });
    expect([400, 422]).toContain(answer.status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    test.clock.advance(60_000);
  });

  it.each(HOSTILE)(
    'is refused in password, together with a wrong old one: %s',
    async (_kind, value) => {
      const answer = await put(token, { old_password: WRONG, password: value });
      expect([400, 422]).toContain(answer.status);
      test.clock.advance(60_000);
    },
  );

  it('is refused as a body of 1 MB, as a body that is not JSON, and as a key that is not a UUID', async () => {
    const huge = { ...GOOD, more: 'x'.repeat(1_000_000) };
    expect(outcomeOf(await put(token, huge))).toEqual([413, 'body_too_large']);
    expect((await put(token, '{"old_password":')).body.code).toBe('malformed_json');
    const answer = await change(token, { key: 'not-a-uuid' });
    expect(outcomeOf(answer)).toEqual([400, 'invalid_idempotency_key']);
  });

  it.each(['old_password', 'password'])('is pointed to if %s is missing', async (field) => {
    const answer = await put(token, { ...GOOD, [field]: undefined });
    expect(outcomeOf(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.errors[0].pointer).toBe(`/${field}`);
  });
});
