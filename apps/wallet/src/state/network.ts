import { createValue } from './create-value.ts';

/** Spec 4: set when a fetch fails without an answer, cleared by any successful one. */
export const isNetworkLost = createValue(false);

/** Set while the start waits for a server that answers with a temporary fault: shown as 'Trying to reconnect' too. */
export const isStartDelayed = createValue(false);
