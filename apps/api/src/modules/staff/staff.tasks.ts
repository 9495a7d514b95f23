import { dateOf, type Clock } from '../../platform/clock.ts';
import { deleteOldActs } from '../../platform/console/acts.sql.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteEndedSessions } from './sessions/staff-sessions.sql.ts';
import { deleteExpiredInvites } from './staff.sql.ts';

/** Longer than anybody keeps a page with an unfinished act open. What moves value is also once in the ledger, for ever. */
const ACTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const staffCrontab = `
23 * * * * staff_prune ?jobKey=staff_prune&max=3
`;

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly console: { readonly idleMs: number } };
}

export function createStaffTasks({ db, clock, config }: TaskDeps): TasksByLane {
  return {
    upkeep: {
      async staff_prune() {
        const now = dateOf(clock);
        const seenBefore = new Date(now.getTime() - config.console.idleMs);
        await deleteEndedSessions(db, { now, seenBefore });
        await deleteExpiredInvites(db, now);
        await deleteOldActs(db, new Date(now.getTime() - ACTS_KEPT_MS));
      },
    },
  };
}
