import { dateOf } from '../../platform/clock.ts';
import { deleteOldActs } from '../../platform/console/acts.sql.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteEndedSessions } from './sessions/staff-sessions.sql.ts';
import { createStaffMailTasks, type StaffMailDeps } from './staff-mails.tasks.ts';
import { deleteExpiredInvites } from './staff.sql.ts';

/** Longer than anybody keeps a page with an unfinished act open. What moves value is also once in the ledger, for ever. */
const ACTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const staffCrontab = `
23 * * * * staff_prune ?jobKey=staff_prune&max=3
`;

interface TaskDeps extends StaffMailDeps {
  readonly config: { readonly console: { readonly idleMs: number; readonly origin: string } };
}

export function createStaffTasks(deps: TaskDeps): TasksByLane {
  const { db, clock, config } = deps;
  const { mail, upkeep } = createStaffMailTasks(deps);
  return {
    mail,
    upkeep: {
      ...upkeep,
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
