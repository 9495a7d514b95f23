/** Connection state of the app, and what it offers while the server cannot be reached (decision 0011). */
import { isNetworkLost } from '@athos/app-core/network';
import { createValue } from '@athos/app-core/value';

/** True while the start waits for a server that responds with a temporary error. Shown as 'Trying to reconnect' too. */
export const isStartDelayed = createValue(false);

/**
 * True while the user reads the last known data, until the network is back. Actions that need the server are disabled.
 */
export const isReadingOffline = createValue(false);

/** Starts reading offline; `undefined` if there is nothing to read. */
export const startReadingOffline = createValue<(() => void) | undefined>(undefined);

/** Opens the tickets kept after a sign-out; `undefined` if none are kept, or nobody was signed out. */
export const openKeptTickets = createValue<(() => void) | undefined>(undefined);

/** True while a scannable code is on the screen, so nothing may cover it. */
export const isCodeShown = createValue(false);

isNetworkLost.subscribe(() => {
  if (!isNetworkLost.get()) isReadingOffline.set(false);
});
