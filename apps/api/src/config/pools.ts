import { CONSOLE_POOL, HISTORY_POOL_SIZE, POOL_SIZE } from '../platform/database/database.ts';
import { topic, wholeNumber } from './topic.ts';

/** PostgreSQL serves a few busy connections better than many: more of them in one process only slow it down. */
const CONNECTIONS_MAX = 50;
/** A call that holds a connection may need another one. With fewer, such calls could wait for each other until they time out. */
const CALLS_MIN = 5;
/** More than one, so that one slow history page or list does not block all others. */
const READS_MIN = 2;

/**
 * How many connections one process opens at most. Together with the number of processes they must stay below the server's
 * max_connections (docs/operating.md, "Connections").
 */
export const pools = topic(
  {
    main: ['DATABASE_POOL_SIZE', wholeNumber(CALLS_MIN, CONNECTIONS_MAX).default(POOL_SIZE)],
    console: [
      'DATABASE_CONSOLE_POOL_SIZE',
      wholeNumber(READS_MIN, CONNECTIONS_MAX).default(CONSOLE_POOL.size),
    ],
    history: [
      'DATABASE_HISTORY_POOL_SIZE',
      wholeNumber(READS_MIN, CONNECTIONS_MAX).default(HISTORY_POOL_SIZE),
    ],
  },
  { build: (sizes) => sizes },
);
