/**
 * The user's actions on session and account. Each catches its failure, shows the specification's message and returns
 * `false` (spec 8). Visitors' actions are ignored when signed in, members' actions when signed out (spec 4).
 */
import { brand } from '@athos/brand/brand';
import { ApiError } from '@athos/client/errors';
import type { CallName } from '@athos/contract/api';
import { TENANT } from '@athos/client/tenant';
import { normalizeEmail, normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { toasts, type ShowToast } from '@athos/ui/overlays/toast-store';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';

export interface Credentials {
  email: string;
  password: string;
}

const trimmed = ({ email, password }: Credentials): Credentials => ({
  email: normalizeEmail(email),
  password: normalizePassword(password),
});

/** Shows for 4 s that an attempt failed or that the account is on hold. After too many attempts it also shows how long to wait. */
export function showFailure(show: ShowToast, text: string, error: unknown): void {
  const isHeld = error instanceof ApiError && error.code === 'account_restricted';
  show('danger', isHeld ? m.errors_held({ address: brand.supportAddress }) : text, 4000);
  if (error instanceof ApiError && error.status === 429) {
    const seconds = error.problem?.retry_after_seconds;
    if (seconds !== undefined) show('info', m.errors_too_many({ seconds }), 5000);
  }
}

interface Act {
  readonly who: 'visitor' | 'member';
  /** Identifies the action to the toasts. */
  readonly name: CallName;
  readonly failureText: string;
}

/** Runs an action of a visitor or of a member. On failure shows `failureText` for 4 s and returns `false`. */
export async function actAs(
  { who, name, failureText }: Act,
  action: () => Promise<unknown>,
): Promise<boolean> {
  if (isSignedIn() !== (who === 'member')) return false;
  const show = toasts.attempt(name);
  try {
    await action();
    return true;
  } catch (error) {
    showFailure(show, failureText, error);
    return false;
  }
}

const visit = (name: CallName, failureText: string): Act => ({ who: 'visitor', name, failureText });

/** Creates an account and sends a verification link by mail. An account that is not yet verified gets a new link. */
export async function signUp(
  given: Credentials & { termsVersion: string | undefined },
): Promise<boolean> {
  const { email, password } = trimmed(given);
  if (email === '' || password === '') return false;
  const { termsVersion } = given;
  const body = {
    email,
    password,
    ...TENANT,
    ...(termsVersion !== undefined && { terms_version: termsVersion }),
  };
  return actAs(visit('register', m.errors_sign_up()), () => client.call('register', { body }));
}

/** The password was right, and the account also requires a second-step code. */
export interface SecondStep {
  readonly challenge: string;
}

/** Resolves to the second step if one is left, otherwise to whether the sign-in succeeded. */
export async function signIn(given: Credentials): Promise<boolean | SecondStep> {
  const { email, password } = trimmed(given);
  if (email === '' || password === '' || isSignedIn()) return false;
  const show = toasts.attempt('login');
  try {
    session.begin(await client.call('login', { body: { email, password, ...TENANT } }));
    return true;
  } catch (error) {
    const challenge = error instanceof ApiError ? error.problem?.challenge_id : undefined;
    if (challenge !== undefined) return { challenge };
    showFailure(show, m.errors_sign_in(), error);
    return false;
  }
}

/** `ended`: the sign-in must start over. */
export async function finishSignIn(
  { challenge }: SecondStep,
  code: string,
): Promise<'done' | 'failed' | 'ended'> {
  if (isSignedIn()) return 'failed';
  const show = toasts.attempt('secondFactor');
  try {
    const body = { challenge_id: challenge, code };
    session.begin(await client.call('secondFactor', { body }));
    return 'done';
  } catch (error) {
    const isEnded = error instanceof ApiError && error.code === 'challenge_ended';
    const text = isEnded ? m.auth_second_step_ended() : m.auth_second_step_failed();
    showFailure(show, text, error);
    return isEnded ? 'ended' : 'failed';
  }
}

/** `false` means that it failed and a toast has shown the reason. */
export type Verification = 'verified' | 'password_needed' | false;

/**
 * Follows a mailed link. On a device other than the one that signed up, the server asks for the password of that sign-up; the screen then
 * asks for it, and no toast is shown.
 */
export async function verifyAccount(code: string, givenPassword?: string): Promise<Verification> {
  const password = givenPassword && normalizePassword(givenPassword);
  if (code === '' || password === '' || isSignedIn()) return false;
  const show = toasts.attempt('verify');
  try {
    const body = { code, ...(password !== undefined && { password }) };
    session.begin(await client.call('verify', { body }));
    return 'verified';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'incorrect_password') return 'password_needed';
    showFailure(show, m.errors_verify(), error);
    return false;
  }
}

export async function forgotPassword(givenEmail: string): Promise<boolean> {
  const email = normalizeEmail(givenEmail);
  if (email === '') return false;
  return actAs(visit('forgotPassword', m.errors_forgot_password()), () =>
    client.call('forgotPassword', { body: { email, ...TENANT } }),
  );
}

export async function resetPassword(given: { code: string; password: string }): Promise<boolean> {
  const password = normalizePassword(given.password);
  if (given.code === '' || password === '') return false;
  return actAs(visit('resetPassword', m.errors_reset()), () =>
    client.call('resetPassword', { body: { code: given.code, new_password: password } }),
  );
}

export const currentUuid = (): string | undefined => {
  const current = session.get();
  return current.status === 'signed_in' ? current.uuid : undefined;
};
