/** Invites, enrols and signs in staff through the console's calls. */
import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { API_PREFIX } from '@athos/contract/call';
import {
  consoleApi,
  type ConsoleBodyOf,
  type ConsoleCallName,
} from '@athos/contract/console/calls';
import { makeInvite } from '../src/modules/staff/index.ts';
import {
  callerOf,
  createStaffMember,
  pageHeaders,
  type ConsoleCaller,
  type TestStaff,
} from './console.ts';
import type { TestAnswer, TestApp } from './test-app.ts';

export const STAFF_PASSWORD = 'correct horse battery';

type Roles = Parameters<typeof createStaffMember>[1];
type Options = Parameters<typeof createStaffMember>[2];

interface From {
  readonly remoteAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call of the console's page by somebody who is not signed in. */
export const askAsGuest = <Name extends ConsoleCallName>(
  test: TestApp,
  name: Name,
  body: ConsoleBodyOf<Name> | object,
  { headers, ...from }: From = {},
): Promise<TestAnswer> =>
  test.request({
    method: consoleApi[name].method,
    url: API_PREFIX + consoleApi[name].path,
    headers: { ...pageHeaders(test), ...headers },
    payload: body as object,
    ...from,
  });

/** The code that an authenticator app shows now, or the given number of 30 s steps later. */
export const totpCode = ({ clock }: TestApp, secret: string, stepsLater = 0): string =>
  new TOTP({ secret }).generate({ timestamp: clock.nowMs() + stepsLater * 30_000 });

/** The session that an answer began. */
export async function sessionOf(
  test: TestApp,
  staff: TestStaff,
  { headers }: Pick<TestAnswer, 'headers'>,
): Promise<ConsoleCaller> {
  const token = /console=([\w-]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
  const { id } = await test.deps.db
    .selectFrom('staff_sessions')
    .select('id')
    .where('token_hash', '=', createHash('sha256').update(token).digest())
    .executeTakeFirstOrThrow();
  return callerOf(test, staff, { token, sessionId: id });
}

export interface Invited extends TestStaff {
  readonly code: string;
}

/** A person who was invited and has the link. */
export async function invitePerson(
  test: TestApp,
  roles: Roles,
  options?: Options,
): Promise<Invited> {
  const { db, config } = test.deps;
  const staff = await createStaffMember(test, roles, options);
  const { staffId } = staff;
  await db.updateTable('staff').set({ state: 'invited' }).where('id', '=', staffId).execute();
  const now = new Date(test.clock.nowMs());
  const { url } = await db
    .transaction()
    .execute((tx) =>
      makeInvite(tx, { origin: config.console.origin, now }, { staffId, createdBy: null }),
    );
  return { ...staff, code: new URL(url).hash.slice(1) };
}

export interface Enrolled extends TestStaff {
  /** Of the authenticator app. */
  readonly secret: string;
  readonly caller: ConsoleCaller;
  /** Signs in with the password and this code, by default the one that the app shows now. */
  signIn(code?: string, from?: From): Promise<TestAnswer>;
}

/** A person who has accepted an invite with a password and is not enrolled yet. */
export async function acceptInvite(test: TestApp, invited: Invited): Promise<ConsoleCaller> {
  const { code, name } = invited;
  const answer = await askAsGuest(test, 'acceptInvite', { code, name, password: STAFF_PASSWORD });
  return sessionOf(test, invited, answer);
}

/** A person with a password and an authenticator app. Its present code is used up, so advance the clock before the next. */
export async function enrolPerson(
  test: TestApp,
  roles: Roles,
  options?: Options,
): Promise<Enrolled> {
  const invited = await invitePerson(test, roles, options);
  const caller = await acceptInvite(test, invited);
  const { body } = await caller.call('beginTotp');
  const secret = body.secret as string;
  const confirmation = { code: totpCode(test, secret), name: 'Phone' };
  const { status } = await caller.call('confirmTotp', { body: confirmation });
  if (status !== 200) throw new Error(`the authenticator app was refused: ${status}`);
  const { staffId, email, name } = invited;
  return {
    staffId,
    email,
    name,
    secret,
    caller,
    signIn: (code = totpCode(test, secret), from = {}) =>
      askAsGuest(test, 'signIn', { email, password: STAFF_PASSWORD, code }, from),
  };
}
