import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  balanceWith,
  codeIn,
  mailsTo,
  makeJobsDue,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  signIn,
  verify,
} from '../../../../test/accounts.ts';
import { openProtected } from '../../../../test/second-step.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const statementText = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');

const seen = (answer: Awaited<ReturnType<typeof signIn>>) => {
  const { request_id: _differs, ...problem } = answer.body;
  return [answer.status, problem];
};

/** The statement with which lasting connections check at intervals whether the server still answers. */
const HEARTBEAT = 'select 1';

describe('signing in', () => {
  it('[S1-006] [S7-009] takes address and password and returns token and uuid', async () => {
    const { uuid } = await openAccount(test, 'in@athos.example');
    const answer = await signIn(test, 'in@athos.example');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ token: expect.any(String), uuid });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await balanceWith(test, answer.body.token)).status).toBe(200);
  });

  it('[D-034] [D-057] gives unknown, wrong and unverified the same response, which reveals no account, SQL or stack', async () => {
    await openAccount(test, 'known@athos.example');
    await register(test, 'unverified@athos.example', PASSWORD);
    const answers = [
      await signIn(test, 'unknown@athos.example', PASSWORD),
      await signIn(test, 'known@athos.example', OTHER_PASSWORD),
      await signIn(test, 'unverified@athos.example', OTHER_PASSWORD),
      await signIn(test, 'unverified@athos.example', PASSWORD),
    ].map(seen);
    expect(answers[0]?.[0]).toBe(401);
    expect(answers[0]?.[1]).toEqual({
      type: 'urn:athos:problem:incorrect_credentials',
      title: 'Incorrect credentials.',
      status: 401,
      code: 'incorrect_credentials',
      detail: 'Incorrect credentials.',
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('costs one hash and the same statements whether unknown, wrong or unverified, with a second step or without', async () => {
    await openAccount(test, 'work@athos.example');
    await register(test, 'work-unverified@athos.example', PASSWORD);
    await openProtected(test, 'work-protected@athos.example');
    const verifyHash = vi.spyOn(test.deps.passwords, 'verify');
    const verifyNothing = vi.spyOn(test.deps.passwords, 'verifyNothing');
    const work: { hashCount: number; statements: string[] }[] = [];
    for (const [email, password] of [
      ['work-unknown@athos.example', PASSWORD],
      ['work@athos.example', OTHER_PASSWORD],
      ['work-protected@athos.example', OTHER_PASSWORD],
      ['work-unverified@athos.example', OTHER_PASSWORD],
      ['work-unverified@athos.example', PASSWORD],
    ] as const) {
      // Each attempt has a new network place and no earlier failures, so that only the address differs.
      await test.deps.db.deleteFrom('attempt_counters').execute();
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const hashesBefore = verifyHash.mock.calls.length + verifyNothing.mock.calls.length;
      await signIn(test, email, password, { headers: { 'x-device-id': 'new-device'.repeat(3) } });
      const hashCount =
        verifyHash.mock.calls.length + verifyNothing.mock.calls.length - hashesBefore;
      const statements = query.mock.calls
        .map(([statement]) => statementText(statement))
        .filter((statement) => statement !== HEARTBEAT);
      work.push({ hashCount, statements });
      query.mockRestore();
    }
    expect(work[0]?.hashCount).toBe(1);
    expect(work[0]?.statements.length).toBeGreaterThan(5);
    for (const one of work) expect(one).toEqual(work[0]);
  });

  it('[D-058] mails the verification link again if the password is right, at most once a minute', async () => {
    const email = 'again@athos.example';
    await register(test, email);
    await test.runJobs();
    test.clock.advance(61_000);

    await signIn(test, email, OTHER_PASSWORD);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(1);

    await signIn(test, email, PASSWORD);
    await signIn(test, email, PASSWORD);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(2);

    test.clock.advance(61_000);
    await signIn(test, email, PASSWORD);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(3);
    expect((await verify(test, codeIn(mailsTo(test, email).at(-1)))).status).toBe(200);
    expect((await signIn(test, email, PASSWORD)).status).toBe(200);
  });

  it(
    'mails one address at most 10 times in an hour across all its sign-ups',
    { tags: 'long' },
    async () => {
      const email = 'stranger@athos.example';
      await register(test, email);
      await test.runJobs();
      for (let minute = 0; minute < 14; minute += 1) {
        test.clock.advance(61_000);
        await signIn(test, email, PASSWORD);
        await test.runJobs();
      }
      expect(mailsTo(test, email)).toHaveLength(10);
    },
  );

  it('does not mail again within the minute after signing up', async () => {
    const email = 'soon@athos.example';
    await register(test, email);
    await test.runJobs();
    await signIn(test, email, PASSWORD);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(1);
  });

  it('mails the link again later if the mail server is down', async () => {
    const email = 'again-later@athos.example';
    await register(test, email);
    await test.runJobs();
    test.clock.advance(61_000);
    vi.spyOn(test.deps.mailer, 'send').mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
    await signIn(test, email, PASSWORD);
    await test.runJobs();
    await makeJobsDue(test);
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(2);
  });

  it('opens a session for each of twenty right sign-ins at once', { tags: 'long' }, async () => {
    await openAccount(test, 'twenty@athos.example');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(test, 'twenty@athos.example')),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.body.token)).size).toBe(20);
  });
});

describe('a sign-in on a new device', () => {
  const from = (userAgent: string, deviceId?: string) => ({
    headers: {
      'user-agent': userAgent,
      ...(deviceId === undefined ? {} : { 'x-device-id': deviceId }),
    },
  });

  it('is reported to the owner once, with browser and system', async () => {
    const email = 'device@athos.example';
    await openAccount(test, email);
    const before = mailsTo(test, email).length;
    await signIn(test, email, PASSWORD, from(CHROME));
    await signIn(test, email, PASSWORD, from(CHROME.replace('150', '151')));
    await test.runJobs();
    const [mail, ...others] = mailsTo(test, email).slice(before);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('New sign-in to your Athos Rewards account');
    expect(mail?.text).toContain('with a device we had not seen before: Chrome on Windows.');
    await signIn(test, email, PASSWORD, from(FIREFOX));
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(before + 2);
  });

  it('is not reported for the device that verified the account', async () => {
    const email = 'first-device@athos.example';
    await register(test, email);
    await test.runJobs();
    await verify(test, codeIn(mailsTo(test, email)[0]), { headers: { 'user-agent': FIREFOX } });
    await signIn(test, email, PASSWORD, from(FIREFOX));
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(1);
  });

  it('distinguishes installations by the id that they send', async () => {
    const email = 'named@athos.example';
    await openAccount(test, email);
    const before = mailsTo(test, email).length;
    await signIn(test, email, PASSWORD, from(CHROME, 'installation-with-id-1'));
    await signIn(test, email, PASSWORD, from(CHROME, 'installation-with-id-1'));
    await signIn(test, email, PASSWORD, from(CHROME, 'installation-with-id-2'));
    await signIn(test, email, PASSWORD, from(CHROME));
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(before + 3);
  });

  it(
    'is reported at most 10 times a day, so that nobody who knows the password fills the mailbox',
    { tags: 'long' },
    async () => {
      const email = 'many-devices@athos.example';
      await openAccount(test, email);
      const before = mailsTo(test, email).length;
      const signInOn = (count: number) =>
        signIn(test, email, PASSWORD, from(CHROME, `installation-with-id-${count}`));
      for (let count = 1; count <= 15; count += 1) expect((await signInOn(count)).status).toBe(200);
      await test.runJobs();
      expect(mailsTo(test, email)).toHaveLength(before + 10);
      test.clock.advance(24 * 3_600_000);
      await signInOn(16);
      await test.runJobs();
      expect(mailsTo(test, email)).toHaveLength(before + 11);
    },
  );

  it('puts no text from the request into the mail', async () => {
    const email = 'evil-device@athos.example';
    await openAccount(test, email);
    await signIn(
      test,
      email,
      PASSWORD,
      from('<script>alert(1)</script> Chrome/1 visit evil.example'),
    );
    await test.runJobs();
    const mail = mailsTo(test, email).at(-1);
    expect(mail?.text).toContain('an unknown device');
    expect(mail?.html).not.toContain('evil.example');
    expect(mail?.html).not.toContain('<script>');
  });
});
