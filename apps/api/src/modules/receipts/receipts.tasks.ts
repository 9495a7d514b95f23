import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deletePastShares } from './shares.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Hourly, but not on the hour, when most scheduled programs run. */
export const receiptCrontab = `
17 * * * * receipts_prune ?jobKey=receipts_prune&max=3
`;

export const createReceiptTasks = ({ db, clock }: TaskDeps): TasksByLane => ({
  upkeep: { receipts_prune: () => deletePastShares(db, dateOf(clock)) },
});
