import { localStore } from '@athos/client/storage';
import { TOKEN_STORAGE_KEY, type TokenStore } from '@athos/client/token-store';

/** Spec 3: the bearer token is kept in local storage under `jwt`. */
export const tokenStore: TokenStore = {
  read: () => localStore.read(TOKEN_STORAGE_KEY),
  write: (text) => localStore.write(TOKEN_STORAGE_KEY, text),
  remove: () => localStore.remove(TOKEN_STORAGE_KEY),
};

/** In the packaged app the phone's secure storage takes its place (decisions "Sessions"), before anybody asks for the token. */
export const keepTokenIn = (place: TokenStore): void => void Object.assign(tokenStore, place);
