/** Uses accounts as people do: signs up, opens the mailed link, signs in. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { MicroAth } from '@athos/domain/money';
import type { Mail } from '../src/platform/mail/mailer.ts';
import { issueTo, type TestAnswer, type TestApp, type TestUser } from './test-app.ts';

export const PASSWORD = 'Correct-Horse-7';
export const OTHER_PASSWORD = 'Battery-Staple-8';

const TENANT = { tenant_id: 1, mode: 'production' };

type Headers = Readonly<Record<string, string>>;

interface From {
  readonly headers?: Headers;
  readonly remoteAddress?: string;
}

export const register = (
  test: Pick<TestApp, 'request'>,
  email: string,
  password: string = PASSWORD,
  from: From = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/register',
    payload: { email, password, ...TENANT },
    ...from,
  });

export const verify = (
  test: Pick<TestApp, 'request'>,
  code: string,
  { password, ...from }: From & { readonly password?: string } = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/verify',
    payload: { code, ...(password !== undefined && { password }) },
    ...from,
  });

export const signIn = (
  test: Pick<TestApp, 'request'>,
  email: string,
  password: string = PASSWORD,
  from: From = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/login',
    payload: { email, password, ...TENANT },
    ...from,
  });

export const forgotPassword = (
  test: Pick<TestApp, 'request'>,
  email: string,
  from: From = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/forgot_password',
    payload: { email, ...TENANT },
    ...from,
  });

export const resetPassword = (
  test: Pick<TestApp, 'request'>,
  code: string,
  newPassword: string,
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/reset_password',
    payload: { code, new_password: newPassword },
  });

/** Makes a request that needs a session, which shows whether the server accepts the token. */
export const balanceWith = (test: TestApp, token: string): Promise<TestAnswer> =>
  test.request({
    method: 'GET',
    url: '/api/account/balance',
    headers: { authorization: `Bearer ${token}` },
  });

/** Mails to an address, oldest first. */
export const mailsTo = (test: TestApp, email: string): Mail[] =>
  test.mails.filter((mail) => mail.to === email);

/** The code of the link in a mail. */
export function codeIn(mail: Mail | undefined): string {
  const code = /[?&]code=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  if (code === undefined) throw new Error('no link with a code in this mail');
  return code;
}

/** The code of the latest mail with a link. Notices are sent after it, whatever caused them. */
export const latestCodeTo = (test: TestApp, email: string): string =>
  codeIn(mailsTo(test, email).findLast(({ text }) => text.includes('code=')));

/** Opens a verified account through the API. */
export async function openAccount(
  test: TestApp,
  email: string,
  password: string = PASSWORD,
): Promise<{ token: string; uuid: string }> {
  await register(test, email, password);
  await test.runJobs();
  const answer = await verify(test, latestCodeTo(test, email));
  if (answer.status !== 200) throw new Error(`not verified: ${answer.text}`);
  return answer.body as { token: string; uuid: string };
}

/** Opens a user who signed up and has a password, unlike those of `createUser`. The balance comes from issuance. */
export async function openUser(test: TestApp, balance?: MicroAth): Promise<TestUser> {
  const email = `owner-${randomUUID()}@athos.example`;
  const { token, uuid } = await openAccount(test, email);
  const { id: userId } = await test.deps.db
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  if (balance !== undefined) await issueTo(test.deps, userId, balance);
  return { userId, uuid, email, token };
}

/** Makes jobs that wait for a retry due now. */
export async function makeJobsDue({ deps }: TestApp): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(
    deps.db,
  );
}
