import type { TaskList } from 'graphile-worker';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { deleteOldClaims, deleteOldScans } from './scans.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A code, and with it its claim, is of no use 120 s after its time. The hour is for questions. */
const CLAIM_KEPT_MS = 60 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
/** A year and the time in which a card payment can be disputed: what was handed out must be provable. */
const REDEMPTION_KEPT_MS = 500 * DAY_MS;
/** Scans and refusals: long enough to see what a dishonest member of staff tried, and who scanned whose code. */
const ATTEMPT_KEPT_MS = 90 * DAY_MS;

/** Once an hour, not on the hour, where every other program has its turn. */
export const ticketCrontab = `
41 * * * * scanner_prune ?jobKey=scanner_prune&max=3
`;

export const createTicketTasks = ({ db, clock }: TaskDeps): TaskList => ({
  async scanner_prune() {
    const nowMs = dateOf(clock).getTime();
    await deleteOldClaims(db, new Date(nowMs - CLAIM_KEPT_MS));
    await deleteOldScans(db, {
      before: new Date(nowMs - REDEMPTION_KEPT_MS),
      idleBefore: new Date(nowMs - ATTEMPT_KEPT_MS),
    });
  },
});
