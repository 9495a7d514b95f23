import { createValue } from '@athos/app-core/value';

/** Set when a call was refused because the terms in force are not accepted; cleared once the user has been asked. */
export const areTermsMissing = createValue(false);
