import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '@athos/contract/api';
import { API_PREFIX, type Call } from '@athos/contract/call';
import { codeIn, mailsTo, PASSWORD, verify } from '../test/accounts.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';
import { createSigningKeys } from './platform/keys/signing-keys.ts';
import { signToken } from './modules/identity/sessions/session-token.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const ALL: [string, Call][] = Object.entries(api);
const GUARDED = ALL.filter(([, { auth }]) => auth !== 'anyone');

const ask = ({ method, path }: Call, token?: string) =>
  test.request({
    method,
    url: `${API_PREFIX}${path.replace(':id', '1')}`,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });

it('only sign-in, mailed links, the catalogue, the heads of the books, shared receipts and the notices of the programme are public', () => {
  const open = ALL.filter(([, { auth }]) => auth === 'anyone').map(([name]) => name);
  expect(open.toSorted()).toEqual([
    'askForRecovery',
    'beginRecovery',
    'cancelRecovery',
    'categories',
    'category',
    'exchangeRate',
    'forgotPassword',
    'jwks',
    'ledgerHeads',
    'legalText',
    'login',
    'offers',
    'passkeyOptions',
    'programme',
    'refreshJwt',
    'register',
    'resetPassword',
    'secondFactor',
    'sharedReceipt',
    'signInByPasskey',
    'tier',
    'tiers',
    'verify',
  ]);
});

describe('every other call', () => {
  it.each(GUARDED)('%s is refused without a session', async (_name, route) => {
    const { status, body } = await ask(route);
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  it.each(GUARDED)(
    '%s is refused with a token signed by another installation',
    async (_name, route) => {
      const { uuid } = await test.createUser();
      const keys = createSigningKeys([Buffer.alloc(32, 9)]);
      const token = await signToken({ keys, clock: test.clock }, uuid, crypto.randomUUID());
      const { status, body } = await ask(route, token);
      expect([status, body.code]).toEqual([401, 'unauthenticated']);
    },
  );
});

it('a sign-up ignores a role and a uuid in its body', async () => {
  const email = 'climber@athos.example';
  const wish = { role: 'scanner', uuid: crypto.randomUUID(), is_admin: true, closed_at: null };
  const payload = { email, password: PASSWORD, tenant_id: 1, mode: 'production', ...wish };
  await test.request({ method: 'POST', url: '/api/account/register', payload });
  await test.runJobs();
  const { body } = await verify(test, codeIn(mailsTo(test, email).at(-1)));
  expect(body.uuid).not.toBe(wish.uuid);
  expect((await ask(api.balance, body.token)).status).toBe(200);
  expect((await ask(api.scannerVenues, body.token)).status).toBe(403);
});

/** Calls that succeed without the id of an existing row. */
const LISTS = GUARDED.filter(
  ([name, { method, path, auth }]) =>
    method === 'GET' && auth === 'user' && !path.includes(':') && name !== 'events',
);

it.each(LISTS)('no cache may store what %s returns to a user', async (_name, route) => {
  const { token } = await test.createUser();
  const { status, headers } = await ask(route, token);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
});
