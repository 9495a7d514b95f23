import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { deleteFailedJobs } from './enqueue.ts';
import type { TasksByLane } from './lanes.ts';

/** How long a failed job stays after its alarm, so that somebody can look at it and run it again. */
const FAILED_JOB_KEPT_MS = 30 * 24 * 60 * 60_000;

/** Daily, but not on the hour, when most scheduled programs run. */
export const failedJobsCrontab = `
19 4 * * * jobs_prune ?jobKey=jobs_prune&max=3
`;

export const createFailedJobsTasks = ({ db, clock }: { db: Db; clock: Clock }): TasksByLane => ({
  upkeep: {
    jobs_prune: () => deleteFailedJobs(db, new Date(dateOf(clock).getTime() - FAILED_JOB_KEPT_MS)),
  },
});
