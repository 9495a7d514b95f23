/** Which roles may make which console call. Generated from the contract, so that no call is forgotten. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '@athos/contract/api';
import { API_PREFIX, type Call } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  mayAct,
  type BuiltInRole,
} from '@athos/contract/console/permissions';
import { consoleAs, pageHeaders, signInStaff, type ConsoleCaller } from '../test/console.ts';
import { createTestApp, stopClock, type TestApp } from '../test/test-app.ts';

let test: TestApp;
const callers = new Map<string, ConsoleCaller>();
beforeAll(async () => {
  test = await createTestApp();
  for (const role of BUILT_IN_ROLES) callers.set(role, await consoleAs(test, [role]));
});
afterAll(() => test.close());

function callerOf(role: BuiltInRole): ConsoleCaller {
  const caller = callers.get(role);
  if (caller === undefined) throw new Error(`nobody has the role ${role}`);
  return caller;
}

const CALLS: [string, ConsoleCall][] = Object.entries(consoleApi);
const GUARDED = CALLS.filter(([, { auth }]) => auth === 'console');
const url = ({ path }: Pick<Call | ConsoleCall, 'path'>): string =>
  API_PREFIX + path.replace(/:\w+/g, '1');

it.each(CALLS)('%s is served', (_name, { method, path }) => {
  expect(test.app.hasRoute({ method, url: API_PREFIX + path })).toBe(true);
});

it.each(GUARDED)(
  '[O-029] %s answers 403 to exactly the roles for which the table is empty',
  { tags: 'long' },
  async (_name, call) => {
    if (call.auth !== 'console') throw new Error('a call of a guest');
    const { permission } = call;
    const isOpen = permission === 'own' || permission === 'enrol';
    // A stream would stay open. HEAD passes the same checks and ends.
    const method = call.method === 'GET' && call.stream === true ? 'HEAD' : call.method;
    // Each call counts against the limit per second of each person.
    stopClock(test)(1_000);
    for (const role of BUILT_IN_ROLES) {
      const isAllowed = isOpen || mayAct(BUILT_IN_GRANTS[role][permission]);
      // A call that is allowed may end the session.
      const caller = isAllowed ? await signInStaff(test, callerOf(role)) : callerOf(role);
      const { status, body } = await caller.ask({ ...call, method } as ConsoleCall);
      if (isAllowed) expect([role, body?.code]).not.toEqual([role, 'permission_missing']);
      else {
        expect({ role, status, code: body?.code, permission: body?.permission }).toEqual({
          role,
          status: 403,
          code: 'permission_missing',
          permission,
        });
      }
    }
  },
);

describe('every call', () => {
  it.each(GUARDED)('%s is refused without a session', async (_name, { method, path }) => {
    const headers = pageHeaders(test);
    const answer = await test.request({ method, url: url({ path }), headers });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it.each(CALLS)(
    "[O-039] %s is refused with a customer's token",
    async (_name, { method, path }) => {
      const user = await test.createUser();
      const owner = callers.get('provider_owner');
      const authorization = `Bearer ${user.token}`;
      const alone = await test.request({
        method,
        url: url({ path }),
        user,
        headers: pageHeaders(test),
      });
      const beside = await owner?.ask({ method, path }, { headers: { authorization } });
      expect([alone.status, alone.body.code]).toEqual([401, 'unauthenticated']);
      expect([beside?.status, beside?.body.code]).toEqual([401, 'unauthenticated']);
    },
  );

  const WRITES = CALLS.filter(([, { method }]) => method !== 'GET');
  it.each(WRITES)(
    '[O-041] [O-042] %s is refused without the header of the page, or from another origin',
    async (_name, call) => {
      const owner = callers.get('provider_owner');
      for (const headers of [
        { 'x-console': undefined },
        { origin: undefined },
        { origin: test.deps.config.publicUrl },
        { origin: 'null' },
      ]) {
        const { status, body } = (await owner?.ask(call, { headers })) ?? {};
        expect([status, body?.code]).toEqual([403, 'foreign_origin']);
      }
    },
  );
});

const GUARDED_WRITES = GUARDED.filter(([, { method }]) => method !== 'GET');
it.each(GUARDED_WRITES)(
  '[O-156] %s leaves one entry, also when it is refused',
  async (_name, call) => {
    if (call.auth !== 'console' || call.method === 'GET') throw new Error('not a write');
    stopClock(test);
    const nobody = await consoleAs(test, []);
    const { status } = await nobody.ask(call, { key: 'no key' });
    const entries = await test.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'outcome'])
      .where('staff_id', '=', nobody.staffId)
      .execute();
    // A few calls about the caller's own account need neither body nor key.
    const outcome = status === 200 ? 'done' : 'refused';
    expect(entries).toEqual([{ action: call.audit.action, outcome }]);
  },
);

const WALLET_CALLS: [string, Call][] = Object.entries(api).filter(
  ([, { auth }]) => auth !== 'anyone',
);
it.each(WALLET_CALLS)(
  '[O-040] %s of the wallet ignores the cookie',
  async (_name, { method, path }) => {
    const owner = callers.get('provider_owner');
    const headers = { cookie: `console=${owner?.token}; __Host-console=${owner?.token}` };
    const { status, body } = await test.request({ method, url: url({ path }), headers });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  },
);

it('refuses a forged cookie', async () => {
  const { deps } = test;
  const token = callers.get('provider_owner')?.token ?? '';
  const planted = [
    'console=',
    'console=x',
    `console=${'A'.repeat(43)}`,
    `console=${token}; console=${token}`,
    `__Host-console=${token}`,
    `console=${randomUUID()}`,
  ];
  for (const cookie of planted) {
    const answer = await test.request({
      method: 'GET',
      url: '/api/admin/audit',
      headers: { cookie },
    });
    expect([cookie, answer.status]).toEqual([cookie, 401]);
  }
  expect(deps.config.console.origin).toBe('http://localhost:8080');
});
