import { localStore } from '@athos/client/storage';
import type { TokenStore } from '@athos/client/token-store';

/**
 * Not the wallet's `jwt`: both apps share an origin, and staff may hold an account of their own. With one key, signing in
 * here would change who is signed in there (docs/decisions/0008-scanner-app.md).
 */
export const TOKEN_KEY = 'scanner-jwt';

export const tokenStore: TokenStore = {
  read: () => localStore.read(TOKEN_KEY),
  write: (text) => localStore.write(TOKEN_KEY, text),
  remove: () => localStore.remove(TOKEN_KEY),
};
