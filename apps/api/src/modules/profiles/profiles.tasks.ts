import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { HANDLE_BLOCKED_MS } from './own-profile.ts';
import { deleteFreeHandles } from './profiles.sql.ts';

/** Daily, but not on the hour, when most scheduled jobs run. */
export const profileCrontab = `
41 3 * * * profiles_prune ?jobKey=profiles_prune&max=3
`;

export const createProfileTasks = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): TasksByLane => ({
  upkeep: {
    profiles_prune: () =>
      deleteFreeHandles(db, new Date(dateOf(clock).getTime() - HANDLE_BLOCKED_MS)),
  },
});
