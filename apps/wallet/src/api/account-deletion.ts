import { ApiError } from '@athos/client/errors';
import { callTwice } from '@athos/client/outcome';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';
import { showFailure } from './session.ts';

/** Why an account cannot be deleted now, whatever the password. */
const REFUSALS = ['payments_open', 'balance_negative', 'account_restricted'] as const;
export type DeletionRefusal = (typeof REFUSALS)[number];

/** `ignored`: there is nobody to delete, or nothing to prove it with. `failed`: the user has been told. */
export type DeletionOutcome = 'deleted' | 'failed' | 'ignored' | DeletionRefusal;

/** Forgets what was loaded for the deleted account. */
export const forgetAnswers = async (): Promise<void> =>
  (await import('./live-updates.ts')).stopLiveUpdates();

/** Deletes the account. `key` belongs to this attempt, over all its repeats. Shows its own failure, but for a refusal. */
export async function deleteAccount(given: {
  password: string;
  key: string;
}): Promise<DeletionOutcome> {
  const password = normalizePassword(given.password);
  if (password === '' || !isSignedIn()) return 'ignored';
  // Runs already; imported here too, it would be no chunk of its own any more and weigh on the start.
  const { pauseLiveUpdates, startLiveUpdates, stopLiveUpdates } = await import('./live-updates.ts');
  // The session ends on the server before the answer is here: nothing else may hear of that first.
  pauseLiveUpdates();
  // What is paused forgets nothing when the user signs out meanwhile.
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
    showFailure(m.settings_delete_failed(), error);
    return 'failed';
  } finally {
    unsubscribe();
  }
}
