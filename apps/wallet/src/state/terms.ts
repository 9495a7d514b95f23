import { createValue } from '@athos/app-core/value';

/** Something was refused because the terms in force are not accepted, and the user has not been asked since. */
export const areTermsMissing = createValue(false);
