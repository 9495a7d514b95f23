import { ApiError } from '@athos/client/errors';
import { callTwice } from '@athos/client/outcome';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';
import { showFailure } from './session.ts';

/** Reasons why an account cannot be deleted now, even with the right password. */
const REFUSALS = ['payments_open', 'sends_open', 'balance_negative', 'account_restricted'] as const;
export type DeletionRefusal = (typeof REFUSALS)[number];

/** `ignored`: nobody is signed in, or there is no token to authorise the call. `failed`: the user has been notified. */
export type DeletionOutcome = 'deleted' | 'failed' | 'ignored' | DeletionRefusal;

/** Removes everything that was loaded for the deleted account. */
export const forgetAnswers = async (): Promise<void> =>
  (await import('./live-updates.ts')).stopLiveUpdates();

/**
 * Deletes the account. `key` belongs to this attempt and all its retries. Shows its own failure, except for a refusal.
 */
export async function deleteAccount(given: {
  password: string;
  key: string;
}): Promise<DeletionOutcome> {
  const password = normalizePassword(given.password);
  if (password === '' || !isSignedIn()) return 'ignored';
  const show = toasts.attempt('deleteAccount');
  // The signed-in app has already loaded this. A static import here would merge it into the first chunk.
  const { pauseLiveUpdates, startLiveUpdates, stopLiveUpdates } = await import('./live-updates.ts');
  // The server ends the session before the response arrives. No other request may discover that first.
  pauseLiveUpdates();
  // Pausing does not clear the cache. If the user signs out meanwhile, it must still be cleared.
  const unsubscribe = session.subscribe(() => {
    if (!isSignedIn()) stopLiveUpdates();
  });
  try {
    await callTwice(() => client.call('deleteAccount', { body: { password }, key: given.key }));
    return 'deleted';
  } catch (error) {
    startLiveUpdates();
    const code = error instanceof ApiError ? error.code : undefined;
    const refusal = REFUSALS.find((candidate) => candidate === code);
    if (refusal !== undefined) return refusal;
    showFailure(show, m.settings_delete_failed(), error);
    return 'failed';
  } finally {
    unsubscribe();
  }
}
