import { createValue } from '@athos/app-core/value';

/** The programme's time zone, in which every screen shows times. The server names it with the session. */
export const timeZone = createValue('UTC');
