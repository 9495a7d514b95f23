/** What the app shows while the server cannot be reached (decision 0011). */
import { isNetworkLost } from '@athos/app-core/network';
import { createValue } from '@athos/app-core/value';

/** The start waits for a server that answers with a temporary fault. Shown as 'Trying to reconnect' too. */
export const isStartDelayed = createValue(false);

/** The user reads the last known answers until the network is back. Nothing that needs the server is offered meanwhile. */
export const isReadingOffline = createValue(false);

/** Starts reading offline; `undefined` when there is nothing to read. */
export const startReadingOffline = createValue<(() => void) | undefined>(undefined);

/** A code that can still be scanned is on the screen, so nothing may cover it. */
export const isCodeShown = createValue(false);

isNetworkLost.subscribe(() => {
  if (!isNetworkLost.get()) isReadingOffline.set(false);
});
