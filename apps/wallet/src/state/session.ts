/**
 * Who is signed in. Spec 4 and decisions "Sessions": the token is kept under `jwt`, a marker stands for an ended
 * session, and whether there ever was a session is a flag of its own that neither of them clears.
 */
import { localStore, sessionStore } from '@athos/client/storage';
import { readClaims } from '@athos/client/token-claims';
import { INVALIDATED_MARKER, usableToken } from '@athos/client/token-store';
import { createValue } from '@athos/app-core/value';
import { tokenStore } from './token.ts';

/** `refused`: the server ended it. `away`: no input for too long. `signed_out`: the user's own wish, here or in another tab. */
export type SessionEnd = 'never_begun' | 'signed_out' | 'refused' | 'away';
export type Session =
  /** A stored token waits for its refresh. */
  | { readonly status: 'starting' }
  | { readonly status: 'signed_in'; readonly uuid: string }
  | { readonly status: 'signed_out'; readonly end: SessionEnd; readonly lastUuid?: string };

/** Begins the keys of what is kept of the server's answers, to be read offline (`api/offline-copies.ts`). */
export const COPIES_PREFIX = 'offline:';

const PREVIOUS_SESSION_KEY = 'had-previous-session';

export const session = createValue<Session>({ status: 'starting' });

export const isSignedIn = (): boolean => session.get().status === 'signed_in';
export const hadPreviousSession = (): boolean => localStore.read(PREVIOUS_SESSION_KEY) === 'true';
const rememberPreviousSession = (): void => localStore.write(PREVIOUS_SESSION_KEY, 'true');

/** After sign-in, verification and every refresh. */
export function beginSession(begun: { token: string; uuid: string }): void {
  tokenStore.write(begun.token);
  rememberPreviousSession();
  const current = session.get();
  if (current.status === 'signed_in' && current.uuid === begun.uuid) return;
  session.set({ status: 'signed_in', uuid: begun.uuid });
}

/** Ends the session on this device. The caller revokes the token before, where there is one to revoke. */
export function endSession(end: Exclude<SessionEnd, 'never_begun'>): void {
  const current = session.get();
  // Spec 8: after a 401 the token is removed; otherwise the marker says that the session was ended.
  if (usableToken(tokenStore) !== undefined) tokenStore.write(INVALIDATED_MARKER);
  rememberPreviousSession();
  localStore.removeAll(COPIES_PREFIX);
  if (current.status === 'signed_out') return;
  session.set({
    status: 'signed_out',
    end,
    ...(current.status === 'signed_in' && { lastUuid: current.uuid }),
  });
}

/** A start without a token to refresh. */
export function startSignedOut(): void {
  localStore.removeAll(COPIES_PREFIX);
  session.set({ status: 'signed_out', end: 'never_begun' });
}

/**
 * Follows what another tab did with the token: a sign-out there signs out here, a sign-in there signs in here.
 * `endOf` says why a session that another tab ended is over. Returns the unsubscriber.
 */
export function followOtherTabs(
  endOf: () => 'away' | 'signed_out',
  reload: () => void,
): () => void {
  const follow = (): void => {
    const token = usableToken(tokenStore);
    const current = session.get();
    if (token === undefined) {
      if (current.status === 'signed_in') endSession(endOf());
      return;
    }
    const uuid = readClaims(token)?.sub;
    if (uuid === undefined || current.status === 'starting') return;
    if (current.status === 'signed_out') session.set({ status: 'signed_in', uuid });
    // Another user: nothing of the first one may stay on this screen.
    else if (current.uuid !== uuid) reload();
  };
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === null || event.key === 'jwt') follow();
    // Storage was emptied there: of a deleted account nothing stays, not even that it was here.
    if (event.key === null && !isSignedIn()) {
      localStore.remove(PREVIOUS_SESSION_KEY);
      sessionStore.removeAll('');
    }
  };
  addEventListener('storage', handleStorage);
  // A page that the back button brings back was told nothing while it was away.
  addEventListener('pageshow', follow);
  return () => {
    removeEventListener('storage', handleStorage);
    removeEventListener('pageshow', follow);
  };
}
