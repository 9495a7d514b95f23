import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { legal } from '@athos/brand/legal';
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

const userCount = async (email: string): Promise<number> => {
  const rows = await test.deps.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .execute();
  return rows.length;
};

/** The statements that a request sends to the database, in order. */
async function statementsOf(request: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await request();
  const statements = query.mock.calls.map(([statement]) =>
    typeof statement === 'object' ? String((statement as { text?: string }).text) : statement,
  );
  query.mockRestore();
  // Heartbeats of lasting connections come at any time.
  return statements.filter((statement) => statement !== 'select 1');
}

describe('signing up', () => {
  it('[S1-004] [S7-007] creates an account with email and password', async () => {
    const answer = await register(test, 'new@athos.example');
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    await test.runJobs();
    expect((await verify(test, codeIn(mailsTo(test, 'new@athos.example')[0]))).status).toBe(200);
    expect((await signIn(test, 'new@athos.example')).status).toBe(200);
  });

  it('mails a link to the verification screen, as text and as HTML', async () => {
    await register(test, 'link@athos.example');
    await test.runJobs();
    const [mail, ...others] = mailsTo(test, 'link@athos.example');
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Verify your Athos Rewards account');
    const url = `http://127.0.0.1:8080/auth/verify-account?code=${codeIn(mail)}`;
    expect(mail?.text).toContain(url);
    expect(mail?.html).toContain(`href="${url}"`);
  });

  it('[D-050] treats a taken address like a free one, down to the database statements', async () => {
    await openAccount(test, 'taken@athos.example');
    let taken, free;
    const takenStatements = await statementsOf(async () => {
      taken = await register(test, 'taken@athos.example', OTHER_PASSWORD);
    });
    const freeStatements = await statementsOf(async () => {
      free = await register(test, 'free@athos.example', OTHER_PASSWORD);
    });
    const shown = (answer: any) => [answer.status, answer.body, Object.keys(answer.headers)]; // oxlint-disable-line typescript/no-explicit-any -- assigned in a closure
    expect(shown(taken)).toEqual(shown(free));
    expect(takenStatements.length).toBeGreaterThan(3);
    expect(takenStatements).toEqual(freeStatements);
  });

  it('hashes once for a taken address and once for a free one', async () => {
    await openAccount(test, 'hashed@athos.example');
    const hash = vi.spyOn(test.deps.passwords, 'hash');
    await register(test, 'hashed@athos.example');
    await register(test, 'hashed-free@athos.example');
    expect(hash).toHaveBeenCalledTimes(2);
  });

  it('[D-051] mails the owner of a taken address that it has an account, without a link', async () => {
    await openAccount(test, 'owner@athos.example');
    await register(test, 'owner@athos.example', OTHER_PASSWORD);
    await test.runJobs();
    const mail = mailsTo(test, 'owner@athos.example').at(-1);
    expect(mail?.subject).toBe('Your Athos Rewards account already exists');
    expect(mail?.text).not.toContain('code=');
    expect((await signIn(test, 'owner@athos.example', OTHER_PASSWORD)).status).toBe(401);
    expect((await signIn(test, 'owner@athos.example', PASSWORD)).status).toBe(200);
  });

  it('stores the version of the accepted terms and when they were accepted', async () => {
    await openAccount(test, 'terms@athos.example');
    const row = await test.deps.db
      .selectFrom('users')
      .select(['terms_version', 'terms_accepted_at'])
      .where('email', '=', 'terms@athos.example')
      .executeTakeFirstOrThrow();
    expect(row.terms_version).toBe(legal.terms.version);
    expect(Math.abs((row.terms_accepted_at?.getTime() ?? 0) - test.clock.nowMs())).toBeLessThan(
      60_000,
    );
  });

  it('[D-144] [D-143] [S5-007] trims both fields and lowercases the address, so that sign-up and sign-in agree', async () => {
    await register(test, '  MiXed@Athos.Example ', `  ${PASSWORD} `);
    await test.runJobs();
    await verify(test, codeIn(mailsTo(test, 'mixed@athos.example')[0]));
    expect((await signIn(test, ' MIXED@athos.example', PASSWORD)).status).toBe(200);
    expect((await signIn(test, 'mixed@athos.example', ` ${PASSWORD}\t`)).status).toBe(200);
  });

  it.each([
    ['no symbol', 'Correct7Horse'],
    ['no number', 'Correct-Horse'],
    ['no uppercase letter', 'correct-horse-7'],
    ['7 characters', 'Corr-7x'],
    ['8 characters only with the spaces around', ' Corr-7x  '],
  ])('[D-049] refuses a password with %s as weak', async (_fault, password) => {
    const answer = await register(test, 'weak@athos.example', password);
    expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
    await test.runJobs();
    expect(mailsTo(test, 'weak@athos.example')).toEqual([]);
  });

  it('[D-047] stores passwords as argon2id hashes, each with its own salt', async () => {
    await openAccount(test, 'argon-1@athos.example');
    await openAccount(test, 'argon-2@athos.example');
    const rows = await test.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('email', 'like', 'argon-%')
      .execute();
    const hashes = rows.map((row) => row.password_hash ?? '');
    expect(hashes).toHaveLength(2);
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('mails a new link when the address signs up again; each link activates only its own password', async () => {
    await register(test, 'twice@athos.example', PASSWORD);
    await test.runJobs();
    await register(test, 'twice@athos.example', OTHER_PASSWORD);
    await test.runJobs();
    const [first, second] = mailsTo(test, 'twice@athos.example').map(codeIn);
    expect(first).not.toBe(second);
    expect((await verify(test, first ?? '')).status).toBe(200);
    expect((await signIn(test, 'twice@athos.example', PASSWORD)).status).toBe(200);
    expect((await signIn(test, 'twice@athos.example', OTHER_PASSWORD)).status).toBe(401);
    expect((await verify(test, second ?? '')).body.code).toBe('invalid_code');
    expect(await userCount('twice@athos.example')).toBe(1);
  });

  it('mails one address at most 3 times in a minute and 10 times in an hour', async () => {
    const email = 'flooded@athos.example';
    const minutes = [];
    for (let minute = 0; minute < 4; minute += 1) {
      for (let count = 0; count < 4; count += 1) await register(test, email);
      await test.runJobs();
      minutes.push(mailsTo(test, email).length);
      test.clock.advance(61_000);
    }
    expect(minutes).toEqual([3, 6, 9, 10]);
  });

  it('mails the link later if the mail server is down', async () => {
    const send = vi
      .spyOn(test.deps.mailer, 'send')
      .mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
    await register(test, 'later@athos.example');
    await test.runJobs();
    expect(send).toHaveBeenCalledTimes(1);
    expect(mailsTo(test, 'later@athos.example')).toEqual([]);
    await makeJobsDue(test);
    await test.runJobs();
    const [mail] = mailsTo(test, 'later@athos.example');
    expect((await verify(test, codeIn(mail))).status).toBe(200);
  });

  it('withdraws the code of a mail that could not be sent', async () => {
    let lost = '';
    vi.spyOn(test.deps.mailer, 'send').mockImplementationOnce((mail) => {
      lost = codeIn(mail);
      return Promise.reject(new Error('connection lost'));
    });
    await register(test, 'lost@athos.example');
    await test.runJobs();
    expect((await verify(test, lost)).body.code).toBe('invalid_code');
  });
});

describe('verifying', () => {
  async function mailedCode(email: string): Promise<string> {
    await register(test, email);
    await test.runJobs();
    return codeIn(mailsTo(test, email).at(-1));
  }

  it('[S1-005] [S7-008] takes the code of the mailed link and returns the token and uuid of the account', async () => {
    const answer = await verify(test, await mailedCode('verify@athos.example'));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['token', 'uuid']);
    const user = await test.deps.db
      .selectFrom('users')
      .select('uuid')
      .where('email', '=', 'verify@athos.example')
      .executeTakeFirstOrThrow();
    expect(answer.body.uuid).toBe(user.uuid);
    const balance = await balanceWith(test, answer.body.token);
    expect(balance.body.balances).toEqual({ ATH: '0', ATH2: '0', ATH3: '0' });
  });

  it('[D-054] refuses a code that was used', async () => {
    const code = await mailedCode('once@athos.example');
    expect((await verify(test, code)).status).toBe(200);
    const again = await verify(test, code);
    expect([again.status, again.body.code]).toEqual([422, 'invalid_code']);
  });

  it('[D-052] accepts a code for 24 h and not longer', async () => {
    const inTime = await mailedCode('in-time@athos.example');
    const late = await mailedCode('late@athos.example');
    test.clock.advance(24 * HOUR_MS - 60_000);
    expect((await verify(test, inTime)).status).toBe(200);
    test.clock.advance(60_000);
    const answer = await verify(test, late);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_code']);
  });

  it('[D-055] stores the hash of a code and never the code itself', async () => {
    const code = await mailedCode('hash@athos.example');
    const rows = await test.deps.db.selectFrom('link_codes').selectAll().execute();
    expect(rows.some((row) => row.code_hash.equals(hashLinkCode(code)))).toBe(true);
    expect(rows.some((row) => row.code_hash.toString('utf8').includes(code))).toBe(false);
  });

  it.each([
    ['unknown', 'A'.repeat(43), 422, 'invalid_code'],
    ['empty', '', 400, 'invalid_request'],
    ['SQL', "' or 1=1 --", 400, 'invalid_request'],
  ])('refuses a code that is %s', async (_kind, code, status, errorCode) => {
    const answer = await verify(test, code);
    expect([answer.status, answer.body.code]).toEqual([status, errorCode]);
  });

  it('opens one account when one link is opened twenty times at once', async () => {
    const code = await mailedCode('crowd@athos.example');
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(test, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refusals = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refusals.map((answer) => answer.body.code))).toEqual(new Set(['invalid_code']));
    expect(await userCount('crowd@athos.example')).toBe(1);
  });

  it('opens one account when three links of one address are opened at once', async () => {
    const email = 'race@athos.example';
    const codes = [await mailedCode(email), await mailedCode(email), await mailedCode(email)];
    const answers = await Promise.all(codes.map((code) => verify(test, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'invalid_code')).toHaveLength(2);
    expect(await userCount(email)).toBe(1);
  });
});
