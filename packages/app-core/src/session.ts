/** The session on this device, as stated by the stored token. */
import { followKey, localStore } from './storage.ts';
import { createValue, type Value } from './value.ts';

/** Where the bearer token is stored between starts. */
export interface TokenPlace {
  /** Key in local storage, whose events report changes by other tabs. */
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

/** Why nobody is signed in. `Own`: the app's own reasons. `refused`: the server ended the session. */
export type SessionEndOf<Own extends string> = Own | 'refused' | 'never_begun';

export type Session<Own extends string> =
  /** The stored token is being refreshed. */
  | { readonly status: 'starting' }
  | { readonly status: 'signed_in'; readonly uuid: string }
  | {
      readonly status: 'signed_out';
      readonly end: SessionEndOf<Own>;
      readonly lastUuid?: string;
    };

/** Claims that the app reads from its own token without verifying it: when to refresh it, and its user. */
export interface TokenClaims {
  readonly sub: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionStore<Own extends string> extends Value<Session<Own>> {
  /** Returns the token to send; `undefined` without a token or after the session was ended. */
  token: () => string | undefined;
  claims: () => TokenClaims | undefined;
  /** Begins or updates the session after sign-in, verification and every refresh. */
  begin: (begun: { token: string; uuid: string }) => void;
  /** Ends the session on this device. The caller revokes the token first if there is one. */
  end: (end: Own | 'refused') => void;
  /** The server refused this token with a 401. A newer token, from a sign-in in another tab, is kept. */
  dropToken: (token: string) => void;
  /** Restores the stored session without waiting for the server. Without a stored token nobody is signed in. */
  resume: () => void;
  /**
   * Follows what other tabs do with the token: signing out or in there does the same here. `endOf` returns the reason
   * for a session that another tab ended. Returns a function that unsubscribes.
   */
  followOtherTabs: (options: { endOf: () => Own; reload: () => void }) => () => void;
}

/** Returns `undefined` for anything but a JWT with these claims. */
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

/** `endedMarker` replaces the token when a session ends. Without a marker the token is removed. */
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
    const current = value.get();
    // If another call was refused before the refresh, its 401 removed the token, and the marker is still missing (S4-008).
    const wasDropped =
      reason === 'refused' && current.status === 'signed_out' && current.end === 'refused';
    if (token() !== undefined || wasDropped) {
      if (endedMarker === undefined) place.remove();
      else place.write(endedMarker);
    }
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
        // Another user signed in: no data of the previous one may stay on this screen.
        else if (current.uuid !== uuid) reload();
      };
      const unfollow = followKey(place.key, follow);
      // A page restored by the back button received no storage events while it was away.
      addEventListener('pageshow', follow);
      return () => {
        unfollow();
        removeEventListener('pageshow', follow);
      };
    },
  };
}
