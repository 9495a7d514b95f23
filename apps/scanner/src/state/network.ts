import { createValue } from '@athos/app-core/value';

/** Set when a fetch fails without an answer, cleared by any successful one. */
export const isNetworkLost = createValue(false);
