import { TOKEN_STORAGE_KEY, type TokenStore } from '@athos/client/token-store';
import { localStore } from './storage.ts';

/** Spec 3: the bearer token is kept in local storage under `jwt`. */
export const tokenStore: TokenStore = {
  read: () => localStore.read(TOKEN_STORAGE_KEY),
  write: (text) => localStore.write(TOKEN_STORAGE_KEY, text),
  remove: () => localStore.remove(TOKEN_STORAGE_KEY),
};
