/** Creates staff for tests and makes console calls for them, with the headers that the console's page sends. */
import { randomUUID } from 'node:crypto';
import { API_PREFIX } from '@athos/contract/call';
import {
  consoleApi,
  type ConsoleBodyOf,
  type ConsoleCallName,
  type ConsoleParamsOf,
  type ConsoleQueryOf,
} from '@athos/contract/console/calls';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import type { BuiltInRole } from '@athos/contract/console/permissions';
import { openStaffSession, updateProof } from '../src/modules/staff/index.ts';
import { sessionCookie } from '../src/platform/console/console-cookie.ts';
import type { TestAnswer, TestApp } from './test-app.ts';

export interface TestStaff {
  readonly staffId: string;
  readonly email: string;
  readonly name: string;
}

interface StaffOptions {
  readonly email?: string;
  readonly name?: string;
  readonly organisation?: 'provider' | 'brand';
  readonly walletUuid?: string;
  readonly isDemo?: boolean;
}

type Parts = Pick<TestApp, 'deps' | 'request'>;

/** Creates an active member of staff with these roles. */
export async function createStaffMember(
  { deps: { db, clock } }: Pick<TestApp, 'deps'>,
  roles: readonly (BuiltInRole | (string & {}))[],
  options: StaffOptions = {},
): Promise<TestStaff> {
  const { email = `staff-${randomUUID()}@athos.example`, name = `Staff ${roles.join(' ')}` } =
    options;
  const at = new Date(clock.nowMs());
  const { id: staffId } = await db
    .insertInto('staff')
    .values({
      email,
      name,
      organisation: options.organisation ?? 'provider',
      state: 'active',
      password_hash: null,
      wallet_uuid: options.walletUuid ?? null,
      is_demo: options.isDemo ?? false,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const role of roles) {
    await db
      .insertInto('staff_roles')
      .values({ staff_id: staffId, role_id: role, granted_at: at, granted_by: null })
      .execute();
  }
  return { staffId, email, name };
}

interface ConsoleRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly key?: string;
  /** The version in If-Match. */
  readonly version?: number;
  readonly remoteAddress?: string;
}

type Given<Name extends ConsoleCallName> = ConsoleRequest & {
  readonly params?: ConsoleParamsOf<Name>;
  readonly query?: ConsoleQueryOf<Name>;
  readonly body?: ConsoleBodyOf<Name>;
};

export interface ConsoleCaller extends TestStaff {
  readonly sessionId: string;
  readonly token: string;
  /** The Set-Cookie header that began the session. */
  readonly setCookie: string;
  /** Makes a call of the contract as the console's page does. A POST gets a new key unless one is given. */
  call<Name extends ConsoleCallName>(name: Name, given?: Given<Name>): Promise<TestAnswer>;
  /** The same for a call outside the contract, or with an invalid body. */
  ask(
    call: Pick<ConsoleCall, 'method' | 'path'>,
    given?: ConsoleRequest & {
      readonly params?: Readonly<Record<string, string | number>>;
      readonly query?: object;
      readonly body?: unknown;
    },
  ): Promise<TestAnswer>;
  /** Proves again that the person is present, now. */
  prove(): Promise<void>;
}

const filledIn = (path: string, params: Readonly<Record<string, string | number>>): string =>
  path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? '1'));

/** The headers that the console's page sends. */
export const pageHeaders = ({ deps }: Pick<TestApp, 'deps'>): Record<string, string> => ({
  origin: deps.config.console.origin,
  'x-console': '1',
});

/** Signs a member of staff in, by default with a second factor. */
export async function signInStaff(
  test: Parts,
  staff: TestStaff,
  { isEnrolled = true }: { readonly isEnrolled?: boolean } = {},
): Promise<ConsoleCaller> {
  const { deps } = test;
  const session = await openStaffSession(deps.db, deps, {
    staffId: staff.staffId,
    isEnrolled,
    networkAddress: '127.0.0.1',
    userAgent: 'Vitest',
  });
  return callerOf(test, staff, session);
}

/** A person with this session cookie. */
export function callerOf(
  { deps, request }: Parts,
  staff: TestStaff,
  { token, sessionId }: Pick<ConsoleCaller, 'token' | 'sessionId'>,
): ConsoleCaller {
  const setCookie = sessionCookie(deps.config.console, token);
  const cookie = setCookie.split(';')[0] ?? '';

  const ask: ConsoleCaller['ask'] = (
    { method, path },
    { params = {}, query = {}, body, key, version, headers = {}, ...rest } = {},
  ) => {
    const sent: Record<string, string | undefined> = {
      cookie,
      ...pageHeaders({ deps }),
      ...(method === 'POST' && { 'idempotency-key': key ?? randomUUID() }),
      ...(method !== 'POST' && key !== undefined && { 'idempotency-key': key }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...headers,
    };
    return request({
      method,
      url: API_PREFIX + filledIn(path, params),
      query: Object.fromEntries(
        Object.entries(query).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      ),
      // A header of value undefined is not sent.
      headers: Object.fromEntries(
        Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      ...(body !== undefined && { payload: body as object }),
      ...rest,
    });
  };

  return {
    ...staff,
    sessionId,
    token,
    setCookie,
    call: (name, given) => ask(consoleApi[name], given as Parameters<typeof ask>[1]),
    ask,
    prove: () => updateProof(deps.db, sessionId, new Date(deps.clock.nowMs())),
  };
}

/** A new member of staff with these roles, signed in with a second factor and so with a fresh proof. */
export const consoleAs = async (
  test: Parts,
  roles: readonly (BuiltInRole | (string & {}))[],
  options: StaffOptions = {},
): Promise<ConsoleCaller> => signInStaff(test, await createStaffMember(test, roles, options));
