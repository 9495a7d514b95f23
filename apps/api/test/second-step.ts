/** Uses an authenticator app as people do. */
import { Secret, TOTP } from 'otpauth';
import { openAccount, PASSWORD, signIn } from './accounts.ts';
import type { TestAnswer, TestApp } from './test-app.ts';

const STEP_MS = 30_000;

type Headers = Readonly<Record<string, string>>;

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** The code that an app shows; `stepsLater` moves its clock. */
export const codeOf = ({ clock }: TestApp, secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: clock.nowMs() + stepsLater * STEP_MS,
  });

export const post = (
  test: TestApp,
  path: string,
  { token, ...payload }: { readonly token?: string; readonly [field: string]: unknown } = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: `/api/account/${path}`,
    payload,
    headers: token === undefined ? {} : bearer(token),
  });

interface Protected {
  readonly email: string;
  readonly token: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** An account with an authenticator app, whose first code has been used. */
export async function openProtected(test: TestApp, email: string): Promise<Protected> {
  const { token } = await openAccount(test, email);
  const { body } = await post(test, 'totp/begin', { token, password: PASSWORD });
  const secret = String(body.secret);
  // At the beginning of a step, so that the code of the one before stays good until it has been sent.
  test.clock.advance(STEP_MS - (test.clock.nowMs() % STEP_MS));
  const confirmed = await post(test, 'totp/confirm', { token, code: codeOf(test, secret, -1) });
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`);
  return { email, token, secret, recoveryCodes: confirmed.body.codes as string[] };
}

/** Proves the password, and returns what the code is sent with. */
export async function challengeFor(test: TestApp, email: string): Promise<string> {
  const { body } = await signIn(test, email, PASSWORD);
  return String(body.challenge_id);
}
