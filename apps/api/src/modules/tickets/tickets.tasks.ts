import type { TaskList } from 'graphile-worker';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { deleteOldClaims, deleteOldScans } from './scan-log.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A code is dead 120 s after its time, and its claim with it; the hour is for whoever asks why. */
const CLAIM_KEPT_MS = 60 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
/** Longer than a year and the time in which a card payment can be disputed: what was handed out must be provable. */
const REDEMPTION_KEPT_MS = 500 * DAY_MS;
/** Looks and refusals: long enough to see what a dishonest member of staff tried, and who looked at whose code. */
const ATTEMPT_KEPT_MS = 90 * DAY_MS;

/** Once an hour, not on the hour, where every other program has its turn. */
export const scannerCrontab = `
41 * * * * scanner_prune ?jobKey=scanner_prune&max=3
`;

export const scannerTasks = ({ db, clock }: TaskDeps): TaskList => ({
  async scanner_prune() {
    const nowMs = dateOf(clock).getTime();
    await deleteOldClaims(db, new Date(nowMs - CLAIM_KEPT_MS));
    await deleteOldScans(db, {
      before: new Date(nowMs - REDEMPTION_KEPT_MS),
      idleBefore: new Date(nowMs - ATTEMPT_KEPT_MS),
    });
  },
});
