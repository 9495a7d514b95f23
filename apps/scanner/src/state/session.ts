import { createSession, localTokenPlace, type SessionEndOf } from '@athos/app-core/session';

/** `revoked`: the account is no longer staff. `left`: the user signed out, here or in another tab. */
type OwnEnd = 'left' | 'revoked';
export type SessionEnd = SessionEndOf<OwnEnd>;

/**
 * Not the wallet's `jwt`. Both apps share an origin, and with a shared key, signing in here would change the wallet's
 * user (decision 0008).
 */
export const tokenPlace = localTokenPlace('scanner-jwt');

/** The member of staff who is signed in on this device. */
export const session = createSession<OwnEnd>(tokenPlace);
