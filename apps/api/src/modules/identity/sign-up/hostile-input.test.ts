import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, register, signIn, verify, codeIn, mailsTo } from '../../../../test/accounts.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const TENANT = { tenant_id: 1, mode: 'production' };
const GOOD = { email: 'good@athos.example', password: PASSWORD, ...TENANT };
const CODE = 'A'.repeat(43);

const post = (path: string, payload: unknown, headers: Record<string, string> = {}) =>
  test.request({
    method: 'POST',
    url: `/api/account/${path}`,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });

const TEXT_FIELDS: readonly (readonly [path: string, field: string, body: object])[] = [
  ['register', 'email', GOOD],
  ['register', 'password', GOOD],
  ['register', 'terms_version', GOOD],
  ['login', 'email', GOOD],
  ['login', 'password', GOOD],
  ['forgot_password', 'email', GOOD],
  ['verify', 'code', { code: CODE }],
  ['reset_password', 'code', { code: CODE, new_password: PASSWORD }],
  ['reset_password', 'new_password', { code: CODE, new_password: PASSWORD }],
];

const HOSTILE: readonly (readonly [kind: string, value: unknown])[] = [
  ['SQL', `'; drop table users; --Aa1`],
  ['HTML', '<script>alert("Aa1")</script>'],
  ['a null character', 'Aa1!aaaa\u0000bbbb'],
  ['half a surrogate pair', 'Aa1!aaaa\ud800bbbb'],
  ['nothing', ''],
  ['spaces', '        '],
  ['null', null],
  ['a number', 7],
  ['a list', ['Aa1!aaaa']],
  ['an object', { $gt: '' }],
  ['30,000 characters', `Aa1!${'a'.repeat(30_000)}`],
];

describe.each(TEXT_FIELDS)('%s with a bad %s', (path, field, body) => {
  it.each(HOSTILE)(
    '%s: is refused or treated as plain text, and nothing breaks',
    async (_kind, value) => {
      const answer = await post(path, { ...body, [field]: value });
      expect([200, 400, 401, 422, 429]).toContain(answer.status);
      if (answer.status !== 200) {
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(answer.text).not.toMatch(/drop table|<script>|select |at \w+ \(|\.ts:/);
      }
      test.clock.advance(60_000);
    },
  );

  it('is pointed to if it is missing', async () => {
    const answer = await post(path, { ...body, [field]: undefined });
    if (field === 'terms_version') {
      expect(answer.status).toBe(200);
      return;
    }
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      `/${field}`,
    ]);
  });
});

describe('every account endpoint that takes a body', () => {
  const paths = ['register', 'verify', 'login', 'forgot_password', 'reset_password'];

  it.each(paths)('%s refuses a body of 1 MB', async (path) => {
    const answer = await post(path, { ...GOOD, code: 'x'.repeat(1_000_000) });
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
  });

  it.each(paths)('%s refuses another content type', async (path) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const answer = await post(path, JSON.stringify(GOOD), { 'content-type': type });
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    }
  });

  it.each(paths)(
    '%s refuses a body that is not JSON, and JSON that is not an object',
    async (path) => {
      expect((await post(path, '{"email":')).body.code).toBe('malformed_json');
      for (const body of ['[]', '"text"', 'null', '7']) {
        expect((await post(path, body)).status).toBe(400);
      }
    },
  );

  it.each(['register', 'login', 'forgot_password'])(
    '%s refuses another tenant or mode',
    async (path) => {
      for (const other of [{ tenant_id: 2 }, { mode: 'test' }, { tenant_id: '1' }]) {
        const answer = await post(path, { ...GOOD, ...other });
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      }
    },
  );
});

describe('a password', () => {
  it('may contain SQL, HTML and any letters, and every character counts', async () => {
    const password = `'; drop table users; -- <b>Ünï</b> 密码 1A`;
    const email = 'odd-password@athos.example';
    await register(test, email, password);
    await test.runJobs();
    await verify(test, codeIn(mailsTo(test, email)[0]));
    expect((await signIn(test, email, password)).status).toBe(200);
    expect((await signIn(test, email, `${password}x`)).status).toBe(401);
    expect((await signIn(test, email, password.slice(0, -1))).status).toBe(401);
  });
});

it('leaves every table in place', async () => {
  expect((await test.deps.db.selectFrom('users').select('id').execute()).length).toBeGreaterThan(0);
});
