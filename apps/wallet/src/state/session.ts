/** Holds who is signed in, and decides which parts of a session stay on this device after it ends (spec 4). */
import {
  createSession,
  localTokenPlace,
  type SessionEndOf,
  type TokenPlace,
} from '@athos/app-core/session';
import { followKey, localStore, sessionStore } from '@athos/app-core/storage';
import { isAwayTooLong } from './activity.ts';
import { forgetTickets } from './forget-tickets.ts';
import { keepsTicketsWhenAway } from './own-choices.ts';

/** `away`: too long without input. `signed_out`: the user signed out, here or in another tab. */
type OwnEnd = 'signed_out' | 'away';
export type SessionEnd = SessionEndOf<OwnEnd>;

/** Spec 3: the bearer token is kept in local storage under `jwt`. */
export const tokenPlace = localTokenPlace('jwt');

/**
 * Called by the packaged app before anything reads the token, which it keeps in the phone's secure storage (decision
 * 0012).
 */
export const keepTokenIn = (place: Omit<TokenPlace, 'key'>): void =>
  void Object.assign(tokenPlace, place);

/** Spec 3: a marker is stored in place of the token of an ended session. */
export const session = createSession<OwnEnd>(tokenPlace, 'invalidated');

export const isSignedIn = (): boolean => session.get().status === 'signed_in';

/** Prefix of the keys of the copies for reading offline (`api/offline-copies.ts`). */
export const COPIES_PREFIX = 'offline:';

/** The user whose tickets this phone may keep: tickets outlive a sign-out, but not the sign-in of another user. */
const TICKETS_OF_KEY = 'tickets-of';

const PREVIOUS_SESSION_KEY = 'had-previous-session';

/**
 * Spec 3: a separate flag records whether there ever was a session. Neither removing the token nor the marker clears
 * it.
 */
export const hadPreviousSession = (): boolean => localStore.read(PREVIOUS_SESSION_KEY) === 'true';

function keepTicketsOf(uuid: string): void {
  const before = localStore.read(TICKETS_OF_KEY);
  if (before !== undefined && before !== uuid) forgetTickets();
  localStore.write(TICKETS_OF_KEY, uuid);
}

session.subscribe(() => {
  const current = session.get();
  if (current.status === 'starting') return;
  if (current.status === 'signed_in') keepTicketsOf(current.uuid);
  if (current.status === 'signed_out') {
    localStore.removeAll(COPIES_PREFIX);
    // Tickets outlive a sign-out for inactivity, because without a network nobody could fetch them again at a gate.
    const isAwayWithout = current.end === 'away' && !keepsTicketsWhenAway();
    if (current.end === 'signed_out' || current.end === 'refused' || isAwayWithout) {
      forgetTickets();
      localStore.remove(TICKETS_OF_KEY);
    }
  }
  if (current.status === 'signed_in' || current.end !== 'never_begun') {
    localStore.write(PREVIOUS_SESSION_KEY, 'true');
  }
});

/** Follows changes made by other tabs until the returned function is called. */
export function followOtherTabs(reload: () => void): () => void {
  const unfollow = session.followOtherTabs({
    endOf: () => (isAwayTooLong() ? 'away' : 'signed_out'),
    reload,
  });
  const unfollowClearing = followKey(PREVIOUS_SESSION_KEY, (isCleared) => {
    if (!isCleared || isSignedIn()) return;
    // A deleted account leaves nothing, not even the flag that there was a session.
    localStore.remove(PREVIOUS_SESSION_KEY);
    sessionStore.removeAll('');
  });
  return () => {
    unfollow();
    unfollowClearing();
  };
}
