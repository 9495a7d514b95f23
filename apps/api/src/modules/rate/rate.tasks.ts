import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteOldSchedule } from './rate-schedule.sql.ts';
import { deleteOldRates } from './rate.sql.ts';

/**
 * Far longer than any use of the series: quotes look back 5 minutes and guard rails 24 h, and orders, with their receipts, keep
 * their own rate. The rest is for inquiries about a price that was shown.
 */
const RATE_KEPT_MS = 90 * 24 * 60 * 60_000;

/** Daily, but not on the hour, when most scheduled programs run. */
export const rateCrontab = `
13 4 * * * rate_prune ?jobKey=rate_prune&max=3
`;

export const createRateTasks = ({ db, clock }: { db: Db; clock: Clock }): TasksByLane => ({
  upkeep: {
    async rate_prune() {
      const before = new Date(dateOf(clock).getTime() - RATE_KEPT_MS);
      await deleteOldRates(db, before);
      await deleteOldSchedule(db, before);
    },
  },
});
