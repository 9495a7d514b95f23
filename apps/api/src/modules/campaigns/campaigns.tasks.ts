import type { TaskList } from 'graphile-worker';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { GUESS_WINDOW_MS } from './guess-limits.ts';
import { deleteOldGuesses } from './guess-limits.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Once an hour, not on the hour, where every other program has its turn. */
export const campaignCrontab = `
47 * * * * reward_prune ?jobKey=reward_prune&max=3
`;

export const createCampaignTasks = ({ db, clock }: TaskDeps): TaskList => ({
  reward_prune: () => deleteOldGuesses(db, new Date(clock.nowMs() - GUESS_WINDOW_MS)),
});
