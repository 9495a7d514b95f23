/** Which member of staff is signed in on this device. */
import { readClaims } from '@athos/client/token-claims';
import { usableToken } from '@athos/client/token-store';
import { createValue } from '@athos/app-core/value';
import { TOKEN_KEY, tokenStore } from './token.ts';

/** `refused`: the server ended it. `revoked`: the account is no longer staff. `left`: the user's own wish. */
export type SessionEnd = 'never_begun' | 'left' | 'refused' | 'revoked';
export type Session =
  | { readonly status: 'signed_in'; readonly uuid: string }
  | { readonly status: 'signed_out'; readonly end: SessionEnd };

export const session = createValue<Session>({ status: 'signed_out', end: 'never_begun' });

/** After sign-in and every refresh. */
export function beginSession(begun: { token: string; uuid: string }): void {
  tokenStore.write(begun.token);
  const current = session.get();
  if (current.status === 'signed_in' && current.uuid === begun.uuid) return;
  session.set({ status: 'signed_in', uuid: begun.uuid });
}

/** Ends the session on this device. The caller revokes the token before, where there is one to revoke. */
export function endSession(end: Exclude<SessionEnd, 'never_begun'>): void {
  tokenStore.remove();
  if (session.get().status === 'signed_in') session.set({ status: 'signed_out', end });
}

/** Whose the stored token is, at the start and when another tab wrote it. Unverified: the server has the last word. */
function storedUuid(): string | undefined {
  return readClaims(usableToken(tokenStore) ?? '')?.sub;
}

/**
 * Takes up the session that was left, without waiting for the server: a bar's network may be slow, and the first call
 * tells if the token still counts.
 */
export function resumeSession(): void {
  const uuid = storedUuid();
  if (uuid !== undefined) session.set({ status: 'signed_in', uuid });
}

/** A sign-out in another tab signs out here, a sign-in there signs in here. Returns the unsubscriber. */
export function followOtherTabs(): () => void {
  const handleStorage = (event: StorageEvent): void => {
    if (event.key !== null && event.key !== TOKEN_KEY) return;
    const uuid = storedUuid();
    if (uuid === undefined) endSession('left');
    else if (event.newValue !== null) beginSession({ token: event.newValue, uuid });
  };
  addEventListener('storage', handleStorage);
  return () => removeEventListener('storage', handleStorage);
}
