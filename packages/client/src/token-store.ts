/** Where the bearer token is kept between starts. Spec 3: local storage, key `jwt`; a marker stands for an ended session. */

export const TOKEN_STORAGE_KEY = 'jwt';
export const INVALIDATED_MARKER = 'invalidated';

export interface TokenStore {
  /** The stored text: a token, the marker, or `null`. */
  read: () => string | null;
  write: (text: string) => void;
  remove: () => void;
}

/** The token to send, or `undefined` when none is stored or the marker is (spec 7). */
export function usableToken(store: TokenStore): string | undefined {
  const stored = store.read();
  return stored === null || stored === '' || stored === INVALIDATED_MARKER ? undefined : stored;
}
