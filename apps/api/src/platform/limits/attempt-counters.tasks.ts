import type { TaskList } from 'graphile-worker';
import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { deleteEndedCounters } from './attempt-counters.sql.ts';

/** Once an hour, not on the hour, where every other program has its turn. */
export const limitsCrontab = `
47 * * * * limits_prune ?jobKey=limits_prune&max=3
`;

export function createLimitsTasks({ db, clock }: { db: Db; clock: Clock }): TaskList {
  const prune = () => deleteEndedCounters(db, dateOf(clock));
  // The second is the name under which jobs may still wait in the queue.
  return { limits_prune: prune, reward_prune: prune };
}
