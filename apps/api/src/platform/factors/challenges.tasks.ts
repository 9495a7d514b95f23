import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { TasksByLane } from '../jobs/lanes.ts';
import { deleteExpiredChallenges } from './challenges.sql.ts';

/** Runs often, because anybody can create challenges. */
export const factorsCrontab = `
*/10 * * * * factors_prune ?jobKey=factors_prune&max=3
`;

export function createFactorsTasks({ db, clock }: { db: Db; clock: Clock }): TasksByLane {
  return { upkeep: { factors_prune: () => deleteExpiredChallenges(db, dateOf(clock)) } };
}
