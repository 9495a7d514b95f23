/**
 * Signing in and out. Only staff can sign in, because the app then lists the venues, a call restricted to staff (`auth:
 * 'scanner'`).
 */
import { log } from '@athos/app-core/log';
import { revokeToken } from '@athos/app-core/refresh';
import { ApiError, NetworkError, TimeoutError } from '@athos/client/errors';
import { TENANT } from '@athos/client/tenant';
import { normalizeEmail, normalizePassword } from '@athos/domain/password';
import { session, tokenPlace } from '../state/session.ts';
import { client } from './http.ts';
import { isNotStaff } from './staff.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export type SignInOutcome =
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'incorrect' }
  /** The operator has placed a hold on the account. */
  | { readonly kind: 'held' }
  /** The account requires a second-step code, which this app does not support. */
  | { readonly kind: 'second_step' }
  /** The credentials are correct, but the account is not staff. It is signed out again. */
  | { readonly kind: 'not_staff'; readonly wasStaff: boolean }
  /** The operator has taken this device out of use. `isLogSent`: the server has received all its redemptions made without a network. */
  | { readonly kind: 'device_blocked'; readonly isLogSent: boolean }
  | { readonly kind: 'too_many'; readonly seconds: number }
  | { readonly kind: 'no_network' }
  | { readonly kind: 'failed' };

const RETRY_AFTER_DEFAULT_SECONDS = 30;

function failureOf(error: unknown): SignInOutcome {
  if (error instanceof NetworkError || error instanceof TimeoutError) return { kind: 'no_network' };
  if (!(error instanceof ApiError)) return { kind: 'failed' };
  if (error.status === 429) {
    const seconds = error.problem?.retry_after_seconds ?? RETRY_AFTER_DEFAULT_SECONDS;
    return { kind: 'too_many', seconds };
  }
  if (error.code === 'account_restricted') return { kind: 'held' };
  if (error.code === 'second_factor_required') return { kind: 'second_step' };
  return { kind: error.status >= 400 && error.status < 500 ? 'incorrect' : 'failed' };
}

/**
 * Sends the redemptions that the device made without a network. The server accepts them from a blocked device too, but ends the session at
 * the first call of such a device, so this must be that call. Never rejects: resolves to the server's refusal of this account or device.
 * Any other failure is reported by the next call, and waiting entries are sent again later.
 */
async function sendWaiting(): Promise<unknown> {
  try {
    // Loaded only here: the sign-in is the first page and does not need it.
    const { countWaiting, syncEntries } = await import('./offline-sync.ts');
    if ((await countWaiting()) > 0) await syncEntries();
  } catch (error) {
    if (isNotStaff(error)) return error;
    log('offline_sync_failed', { error: String(error) });
  }
  return undefined;
}

/** Never rejects. Keeps no token unless the account is staff. */
export async function signIn(given: Credentials): Promise<SignInOutcome> {
  const email = normalizeEmail(given.email);
  const password = normalizePassword(given.password);
  let begun: { token: string; uuid: string };
  try {
    begun = await client.call('login', { body: { email, password, ...TENANT } });
  } catch (error) {
    return failureOf(error);
  }
  // The next call sends this token. The session begins with its response.
  tokenPlace.write(begun.token);
  const refusal = await sendWaiting();
  try {
    if (refusal !== undefined) throw refusal;
    await client.call('scannerVenues');
  } catch (error) {
    revokeToken({ client });
    tokenPlace.remove();
    if (!isNotStaff(error)) return failureOf(error);
    const { code } = error as ApiError;
    if (code === 'device_blocked') {
      return { kind: 'device_blocked', isLogSent: refusal !== undefined };
    }
    return { kind: 'not_staff', wasStaff: code === 'staff_revoked' };
  }
  session.begin(begun);
  return { kind: 'signed_in' };
}

/** Revokes the token and ends the session here. */
export function signOut(): void {
  if (session.get().status !== 'signed_in') return;
  revokeToken({ client });
  session.end('left');
}
