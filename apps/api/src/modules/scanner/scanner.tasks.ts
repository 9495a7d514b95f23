import type { TaskList } from 'graphile-worker';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database.ts';
import { deleteOldClaims } from './scan-log.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A code is dead 120 s after its time, and its claim with it; the hour is for whoever asks why. */
const CLAIM_KEPT_MS = 60 * 60_000;

/** Once an hour, not on the hour, where every other program has its turn. */
export const scannerCrontab = `
41 * * * * scanner_prune ?jobKey=scanner_prune&max=3
`;

export const scannerTasks = ({ db, clock }: TaskDeps): TaskList => ({
  scanner_prune: () => deleteOldClaims(db, new Date(dateOf(clock).getTime() - CLAIM_KEPT_MS)),
});
