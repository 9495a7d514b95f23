/** Who is signed in on this device, and the stored token that says so. */
import { followKey, localStore } from './storage.ts';
import { createValue, type Value } from './value.ts';

/** Where the bearer token is kept between starts. */
export interface TokenPlace {
  /** Of local storage, for the events by which other tabs are followed. */
  readonly key: string;
  read: () => string | null;
  write: (text: string) => void;
  remove: () => void;
}

export const localTokenPlace = (key: string): TokenPlace => ({
  key,
  read: () => localStore.read(key),
  write: (text) => localStore.write(key, text),
  remove: () => localStore.remove(key),
});

/** Why nobody is signed in: `Own` reasons of one app, or `refused`: the server ended the session. */
export type SessionEndOf<Own extends string> = Own | 'refused' | 'never_begun';

export type Session<Own extends string> =
  /** A stored token waits for its refresh. */
  | { readonly status: 'starting' }
  | { readonly status: 'signed_in'; readonly uuid: string }
  | {
      readonly status: 'signed_out';
      readonly end: SessionEndOf<Own>;
      readonly lastUuid?: string;
    };

/** What the app reads from its own token, unverified: when to refresh it and whose it is. */
export interface TokenClaims {
  readonly sub: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionStore<Own extends string> extends Value<Session<Own>> {
  /** The token to send; `undefined` without one, or where the session was ended. */
  token: () => string | undefined;
  claims: () => TokenClaims | undefined;
  /** After sign-in, verification and every refresh. */
  begin: (begun: { token: string; uuid: string }) => void;
  /** Ends the session on this device. The caller revokes the token first where there is one to revoke. */
  end: (end: Own | 'refused') => void;
  /** The server refused this token with a 401. A newer one, of a sign-in in another tab, stays. */
  dropToken: (token: string) => void;
  /** Takes up the stored session without waiting for the server; signed out where there is none. */
  resume: () => void;
  /**
   * Follows what another tab did with the token: a sign-out there signs out here, a sign-in there signs in here. `endOf`
   * says why a session that another tab ended is over. Returns the unsubscriber.
   */
  followOtherTabs: (options: { endOf: () => Own; reload: () => void }) => () => void;
}

/** `undefined` for anything but a JWT with these claims. */
function readClaims(token: string): TokenClaims | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { sub, iat, exp } = JSON.parse(json) as Record<string, unknown>;
    if (typeof sub !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return;
    return { sub, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
  } catch {
    return undefined;
  }
}

/** `endedMarker` is left in the token's place when a session ends; without one the place is emptied. */
export function createSession<Own extends string>(
  place: TokenPlace,
  endedMarker?: string,
): SessionStore<Own> {
  const value = createValue<Session<Own>>({ status: 'starting' });

  function token(): string | undefined {
    const stored = place.read();
    return stored === null || stored === '' || stored === endedMarker ? undefined : stored;
  }
  const claims = (): TokenClaims | undefined => readClaims(token() ?? '');

  function end(reason: Own | 'refused'): void {
    if (token() !== undefined) {
      if (endedMarker === undefined) place.remove();
      else place.write(endedMarker);
    }
    const current = value.get();
    if (current.status === 'signed_out') return;
    value.set({
      status: 'signed_out',
      end: reason,
      ...(current.status === 'signed_in' && { lastUuid: current.uuid }),
    });
  }

  return {
    ...value,
    token,
    claims,
    end,
    begin(begun) {
      place.write(begun.token);
      const current = value.get();
      if (current.status === 'signed_in' && current.uuid === begun.uuid) return;
      value.set({ status: 'signed_in', uuid: begun.uuid });
    },
    dropToken(refused) {
      if (place.read() !== refused) return;
      place.remove();
      end('refused');
    },
    resume() {
      const uuid = claims()?.sub;
      value.set(
        uuid === undefined
          ? { status: 'signed_out', end: 'never_begun' }
          : { status: 'signed_in', uuid },
      );
    },
    followOtherTabs({ endOf, reload }) {
      const follow = (): void => {
        const current = value.get();
        if (token() === undefined) {
          if (current.status === 'signed_in') end(endOf());
          return;
        }
        const uuid = claims()?.sub;
        if (uuid === undefined || current.status === 'starting') return;
        if (current.status === 'signed_out') value.set({ status: 'signed_in', uuid });
        // Another user: nothing of the first one may stay on this screen.
        else if (current.uuid !== uuid) reload();
      };
      const unfollow = followKey(place.key, follow);
      // A page restored by the back button got no storage events while it was away.
      addEventListener('pageshow', follow);
      return () => {
        unfollow();
        removeEventListener('pageshow', follow);
      };
    },
  };
}
