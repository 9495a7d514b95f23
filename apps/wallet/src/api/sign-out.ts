/** Signing out. Separate from signing in, whose code the signed-in app does not need. */
import { revokeToken } from '@athos/app-core/refresh';
import { forgetRoute } from '../state/intended-route.ts';
import { keepsTicketsWhenAway } from '../state/own-choices.ts';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';

/** Revokes the token and ends the session here. */
function leave(end: 'signed_out' | 'away'): void {
  if (!isSignedIn()) return;
  // Without a reason, the server revokes the tickets too.
  revokeToken({ client }, end === 'away' && keepsTicketsWhenAway() ? end : undefined);
  session.end(end);
}

/** Signs out when the user asks for it. The remembered route belongs to that user, so it is forgotten. */
export function signOut(): void {
  forgetRoute();
  leave('signed_out');
}

/** Signs out after too long without input, and may keep the tickets on this phone. */
export const signOutAway = (): void => leave('away');
