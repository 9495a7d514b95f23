/** The ends of a session that the user brings about. Apart from signing in, which the app does not need any more then. */
import { forgetRoute } from '../state/intended-route.ts';
import { log } from '../state/log.ts';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';

/** Revokes the token and ends the session here; does not wait for the server, which may be out of reach. */
function leave(end: 'signed_out' | 'away'): void {
  if (!isSignedIn()) return;
  client.call('logout').catch((error: unknown) => {
    log('logout_failed', { error: error instanceof Error ? error.name : typeof error });
  });
  session.end(end);
}

/** The user's wish. The remembered route belongs to who leaves. */
export function signOut(): void {
  forgetRoute();
  leave('signed_out');
}

/** No input for too long. */
export const signOutAway = (): void => leave('away');
