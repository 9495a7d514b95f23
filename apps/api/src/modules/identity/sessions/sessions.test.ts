import { createHmac, sign, verify as verifySignature, createPublicKey } from 'node:crypto';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceWith, openAccount, PASSWORD, signIn } from '../../../../test/accounts.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { createSigningKeys } from '../../../platform/keys/signing-keys.ts';

const HOUR_MS = 3_600_000;

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.createUser();
});
afterAll(() => test.close());

const refresh = (token: string | undefined, headers: Record<string, string> = {}) =>
  test.request({
    method: 'GET',
    url:
      token === undefined
        ? '/api/account/refresh_jwt'
        : `/api/account/refresh_jwt?token=${encodeURIComponent(token)}`,
    headers,
  });
const logout = (token: string) =>
  test.request({
    method: 'POST',
    url: '/api/account/logout',
    headers: { authorization: `Bearer ${token}` },
  });
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partOf = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

describe('tokens', () => {
  it('[D-059] are EdDSA JWTs valid for 24 h, verifiable with the published keys', async () => {
    const { token } = user;
    expect(partOf(token, 0)).toMatchObject({ alg: 'EdDSA', typ: 'JWT' });
    const claims = partOf(token, 1);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(24 * 60 * 60);
    expect(claims['sub']).toBe(user.uuid);
    const { body } = await test.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
    const key = createPublicKey({ key: body.keys[0], format: 'jwk' });
    const [head, payload, signature = ''] = token.split('.');
    expect(
      verifySignature(
        null,
        Buffer.from(`${head}.${payload}`),
        key,
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
  });

  it('[D-074] have published keys that contain nothing private', async () => {
    const answer = await test.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.keys[0]).toSorted()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
    ]);
  });

  it('are refused after 24 h', async () => {
    const other = await createTestApp();
    const { token } = await other.createUser();
    other.clock.advance(24 * HOUR_MS - 60_000);
    expect((await balanceWith(other, token)).status).toBe(200);
    other.clock.advance(60_001);
    const answer = await balanceWith(other, token);
    expect([answer.status, answer.body.code]).toEqual([401, 'session_ended']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    await other.close();
  });

  const forged: readonly (readonly [string, () => string])[] = [
    [
      'without a signature and alg none',
      () => `${part({ alg: 'none', typ: 'JWT' })}.${part(partOf(user.token, 1))}.`,
    ],
    [
      'with alg none in another spelling',
      () => `${part({ alg: 'NONE' })}.${part(partOf(user.token, 1))}.`,
    ],
    [
      'with alg none under the name of our key',
      () => `${part({ ...partOf(user.token, 0), alg: 'none' })}.${part(partOf(user.token, 1))}.`,
    ],
    [
      'signed by HMAC with our public key',
      () => {
        const head = part({ ...partOf(user.token, 0), alg: 'HS256' });
        const text = `${head}.${part(partOf(user.token, 1))}`;
        const key = test.deps.keys.jwks[0]?.x ?? '';
        return `${text}.${createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url')}`;
      },
    ],
    [
      'with a changed claim',
      () => {
        const [head, , signature] = user.token.split('.');
        return `${head}.${part({ ...partOf(user.token, 1), exp: 9_999_999_999 })}.${signature}`;
      },
    ],
    [
      'with a changed signature',
      () => {
        const [head, payload, signature = ''] = user.token.split('.');
        const bytes = Buffer.from(signature, 'base64url');
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        return `${head}.${payload}.${bytes.toString('base64url')}`;
      },
    ],
    [
      'signed by a foreign key under the name of ours',
      () => {
        const foreign = createSigningKeys([Buffer.alloc(32, 7)]);
        const text = user.token.split('.').slice(0, 2).join('.');
        return `${text}.${sign(null, Buffer.from(text), foreign.current.privateKey).toString('base64url')}`;
      },
    ],
    [
      'signed by a foreign key under its own name',
      () => {
        const foreign = createSigningKeys([Buffer.alloc(32, 7)]);
        const head = part({ alg: 'EdDSA', kid: foreign.current.kid });
        const text = `${head}.${part(partOf(user.token, 1))}`;
        return `${text}.${sign(null, Buffer.from(text), foreign.current.privateKey).toString('base64url')}`;
      },
    ],
    [
      'signed by a foreign key that it brings along',
      () => {
        const foreign = createSigningKeys([Buffer.alloc(32, 7)]);
        const [jwk] = foreign.jwks;
        const places = { jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x5u' };
        const head = part({ ...partOf(user.token, 0), ...places, jwk });
        const text = `${head}.${part(partOf(user.token, 1))}`;
        return `${text}.${sign(null, Buffer.from(text), foreign.current.privateKey).toString('base64url')}`;
      },
    ],
    [
      'signed by us for another issuer',
      () => {
        const text = `${part(partOf(user.token, 0))}.${part({ ...partOf(user.token, 1), iss: 'other' })}`;
        const { privateKey } = test.deps.keys.current;
        return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
      },
    ],
    ['that is a signed QR payload of ours', () => `${test.deps.keys.signText('{}')}.${part({})}.`],
    ['that is no token', () => 'token'],
    ['that is the marker of an invalidated session', () => 'invalidated'],
    ['that is empty', () => ''],
  ];
  it.each(forged)('are refused %s', async (_kind, forge) => {
    const token = forge();
    const answers = [await balanceWith(test, token), await refresh(token)];
    for (const answer of answers) {
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    }
  });

  it('are refused if they are signed with our key but name no session', async () => {
    const { current } = test.deps.keys;
    const { sid: _none, ...claims } = partOf(user.token, 1);
    const text = `${part({ alg: 'EdDSA', kid: current.kid })}.${part(claims)}`;
    const token = `${text}.${sign(null, Buffer.from(text), current.privateKey).toString('base64url')}`;
    expect((await balanceWith(test, token)).body.code).toBe('unauthenticated');
  });

  it('are refused with any other scheme than Bearer', async () => {
    const answer = await test.request({
      method: 'GET',
      url: '/api/account/balance',
      headers: { authorization: `Basic ${user.token}` },
    });
    expect(answer.body.code).toBe('unauthenticated');
  });
});

describe('refreshing', () => {
  it('[S7-006] [D-039] takes the token in the query or as a bearer header and returns token and uuid', async () => {
    const { token, uuid } = await test.createUser();
    const answers = [
      await refresh(token),
      await refresh(undefined, { authorization: `Bearer ${token}` }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ token: expect.any(String), uuid });
      expect((await balanceWith(test, answer.body.token)).status).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('keeps a session alive beyond the 24 h of its first token', async () => {
    const other = await createTestApp();
    const first = (await other.createUser()).token;
    other.clock.advance(20 * HOUR_MS);
    const { body } = await other.request({
      method: 'GET',
      url: `/api/account/refresh_jwt?token=${first}`,
    });
    other.clock.advance(20 * HOUR_MS);
    expect((await balanceWith(other, body.token)).status).toBe(200);
    expect((await balanceWith(other, first)).body.code).toBe('session_ended');
    await other.close();
  });

  it('ends a session after 30 days by default, however often it was refreshed', async () => {
    const { token, userId } = await test.createUser();
    const beginBefore = (days: number) =>
      sql`update sessions set created_at = ${new Date(test.clock.nowMs() - days * 24 * HOUR_MS)} where user_id = ${userId}`.execute(
        test.deps.db,
      );
    await beginBefore(29.9);
    expect((await refresh(token)).status).toBe(200);
    await beginBefore(30.1);
    const answer = await refresh(token);
    expect([answer.status, answer.body.code]).toEqual([401, 'session_ended']);
  });

  it('refuses without a token', async () => {
    const answer = await refresh(undefined);
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });

  it('refuses a token above 4 kB', async () => {
    expect((await refresh('a'.repeat(5000))).status).toBe(400);
  });
});

describe('signing out', () => {
  it('[D-062] [D-060] revokes the token: neither calls nor a refresh accept it any more', async () => {
    const { token } = await test.createUser();
    expect((await balanceWith(test, token)).status).toBe(200);
    expect((await logout(token)).body).toEqual({ success: true });
    for (const answer of [
      await balanceWith(test, token),
      await refresh(token),
      await logout(token),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'session_ended']);
    }
  });

  it('revokes every token of the session and no other session', async () => {
    await openAccount(test, 'two@athos.example');
    const one = (await signIn(test, 'two@athos.example', PASSWORD)).body.token as string;
    const other = (await signIn(test, 'two@athos.example', PASSWORD)).body.token as string;
    const refreshed = (await refresh(one)).body.token as string;
    await logout(one);
    expect((await balanceWith(test, refreshed)).body.code).toBe('session_ended');
    expect((await balanceWith(test, other)).status).toBe(200);
  });

  it('needs a session', async () => {
    const answer = await test.request({ method: 'POST', url: '/api/account/logout' });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });

  it('takes effect in a process that still remembers the session', async () => {
    const { token, userId } = await test.createUser();
    await balanceWith(test, token);
    // Revokes as another process does: row and notification, without this process's memory.
    const sessionId = String(partOf(token, 1)['sid']);
    const heard = new Promise<void>((resolve) => {
      test.deps.sessions.onRevoked((ended) => {
        if (ended.includes(sessionId)) resolve();
      });
    });

    await test.deps.db.transaction().execute(async (tx) => {
      await sql`update sessions set revoked_at = now() where id = ${sessionId}::uuid`.execute(tx);
      await sql`select pg_notify('sessions_ended', ${`${userId} end ${sessionId}`})`.execute(tx);
    });
    await heard;
    expect((await balanceWith(test, token)).body.code).toBe('session_ended');
  });
});

describe('an account with 50 sessions', () => {
  it('loses the oldest at the next sign-in, on live streams too, and no other account loses one', async () => {
    const { deps } = test;
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const openFor = ({ userId, uuid }: TestUser) =>
      deps.sessions.open(deps.db, { userId, userUuid: uuid });
    const tokens = [ada.token];
    for (let count = 2; count <= 50; count += 1) tokens.push(await openFor(ada));
    expect((await balanceWith(test, ada.token)).status).toBe(200);
    tokens.push(await openFor(ada), await openFor(ada));
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await balanceWith(test, token)).status);
    expect(statuses).toEqual([401, 401, ...Array<number>(50).fill(200)]);
    expect((await balanceWith(test, ben.token)).status).toBe(200);
  });

  it('keeps no expired session in place of an open one', async () => {
    const other = await createTestApp({ env: { SESSIONS_PER_ACCOUNT: '2' } });
    const { deps } = other;
    const { userId, uuid, token } = await other.createUser();
    await deps.sessions.open(deps.db, { userId, userUuid: uuid });
    await sql`
      update sessions set expires_at = now() - interval '1 minute'
       where id = (select max(id::text)::uuid from sessions where user_id = ${userId})`.execute(
      deps.db,
    );
    await deps.sessions.open(deps.db, { userId, userUuid: uuid });
    expect((await balanceWith(other, token)).status).toBe(200);
    await other.close();
  });
});

it('looks a session up once for all requests that wait for it, so that they keep nobody else waiting', async () => {
  const [busy, other] = [await test.createUser(), await test.createUser()];
  const balances = (count: number, { token }: TestUser) =>
    Array.from({ length: count }, () => balanceWith(test, token));
  const lookups = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(test.admin);
    return rows[0]?.count ?? 0;
  };
  const { held, release } = await test.admin.transaction().execute(async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx);
    const answers = [...balances(40, busy), ...balances(1, other)];
    // Two at once are the share of one user.
    await expect.poll(lookups).toBe(3);
    return { held: answers, release: performance.now() };
  });
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
  expect(performance.now() - release).toBeLessThan(1_000);
});

it('[D-040] logs no token, password or code', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logged = await createTestApp({ log: pino({ level: 'debug' }, sink) });
  const { token } = await logged.createUser();
  const url = `/api/account/refresh_jwt?token=${token}`;
  const { body } = await logged.request({ method: 'GET', url });
  await logged.request({ method: 'GET', url: `${url}x` });
  await balanceWith(logged, `${token}x`);
  await signIn(logged, 'logged@athos.example', PASSWORD);
  await logged.request({
    method: 'POST',
    url: '/api/account/verify',
    payload: { code: 'c'.repeat(43) },
  });
  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(4);
  for (const secret of [token, body.token as string, PASSWORD, 'c'.repeat(43)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.split('.').at(-1));
  }
  await logged.close();
});
