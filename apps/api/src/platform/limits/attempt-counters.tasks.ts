import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { TasksByLane } from '../jobs/lanes.ts';
import { deleteEndedCounters } from './attempt-counters.sql.ts';

/** Hourly, but not on the hour, when most scheduled programs run. */
export const limitsCrontab = `
47 * * * * limits_prune ?jobKey=limits_prune&max=3
`;

export function createLimitsTasks({ db, clock }: { db: Db; clock: Clock }): TasksByLane {
  const prune = () => deleteEndedCounters(db, dateOf(clock));
  // `reward_prune` is a former name, under which jobs may still be queued.
  return { upkeep: { limits_prune: prune, reward_prune: prune } };
}
