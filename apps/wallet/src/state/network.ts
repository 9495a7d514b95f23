import { createValue } from '@athos/app-core/value';

/** Spec 4: set when a fetch fails without an answer, cleared by any successful one. */
export const isNetworkLost = createValue(false);

/** Set while the start waits for a server that answers with a temporary fault: shown as 'Trying to reconnect' too. */
export const isStartDelayed = createValue(false);

/** The user looks at what was last known, until the network is back. Nothing that needs the server is offered meanwhile. */
export const isReadingOffline = createValue(false);

/** Begins reading offline; `undefined` where nothing is known that could be read. */
export const startReadingOffline = createValue<(() => void) | undefined>(undefined);

/** A code that can still be scanned is on the screen: nothing may cover it. */
export const isCodeShown = createValue(false);

isNetworkLost.subscribe(() => {
  if (!isNetworkLost.get()) isReadingOffline.set(false);
});
