import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteOldSchedule } from './rate-schedule.sql.ts';
import { thinOldRates } from './rate.sql.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Far longer than any use of the series: quotes look back 5 minutes and guard rails 24 h, and orders, with their receipts, store their
 * own rate. The rest is kept for questions about a price that was shown, and to compare a year with the one before.
 */
const ALL_RATES_KEPT_MS = 400 * DAY_MS;
const SCHEDULE_KEPT_MS = 90 * DAY_MS;

/** Daily, but not on the hour, when most scheduled programs run. */
export const rateCrontab = `
13 4 * * * rate_prune ?jobKey=rate_prune&max=3
`;

export const createRateTasks = ({ db, clock }: { db: Db; clock: Clock }): TasksByLane => ({
  upkeep: {
    async rate_prune() {
      const nowMs = clock.nowMs();
      await thinOldRates(db, new Date(nowMs - ALL_RATES_KEPT_MS));
      await deleteOldSchedule(db, new Date(nowMs - SCHEDULE_KEPT_MS));
    },
  },
});
