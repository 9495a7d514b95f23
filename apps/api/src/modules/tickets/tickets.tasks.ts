import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteOldConflicts } from './gates/conflicts.sql.ts';
import { deleteOldEntries } from './gates/entries.sql.ts';
import { deleteOldLogs } from './gates/logs.sql.ts';
import { deleteOldDevices } from './scanners/scanners.sql.ts';
import { deleteOldTickets } from './offline/ticket-phones.sql.ts';
import { deleteOldClaims, deleteOldScans } from './scans.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** A code and its claim are useless 120 s after the code's time. An hour leaves time for inquiries. */
const CLAIM_KEPT_MS = 60 * 60_000;

const DAY_MS = 24 * 60 * 60_000;
/** A year plus the time in which a card payment can be disputed, so that every handover can be proved. */
const REDEMPTION_KEPT_MS = 500 * DAY_MS;
/** For scans and refusals: long enough to investigate attempts by dishonest staff, and which scanner scanned whose code. */
const ATTEMPT_KEPT_MS = 90 * DAY_MS;

/** Long enough for questions about a ticket that was shown, and for codes that reach the server late. */
const TICKET_KEPT_MS = 30 * DAY_MS;

/** Hourly, but not on the hour, when most scheduled programs run. */
export const ticketCrontab = `
41 * * * * scanner_prune ?jobKey=scanner_prune&max=3
`;

export const createTicketTasks = ({ db, clock }: TaskDeps): TasksByLane => ({
  upkeep: {
    async scanner_prune() {
      const nowMs = dateOf(clock).getTime();
      await deleteOldClaims(db, new Date(nowMs - CLAIM_KEPT_MS));
      await deleteOldScans(db, {
        before: new Date(nowMs - REDEMPTION_KEPT_MS),
        idleBefore: new Date(nowMs - ATTEMPT_KEPT_MS),
      });
      const redeemedBefore = new Date(nowMs - REDEMPTION_KEPT_MS);
      await deleteOldConflicts(db, redeemedBefore);
      await deleteOldEntries(db, redeemedBefore);
      await deleteOldLogs(db, redeemedBefore);
      await deleteOldDevices(db, {
        before: new Date(nowMs - ATTEMPT_KEPT_MS),
        blockedBefore: new Date(nowMs - REDEMPTION_KEPT_MS),
        expiredBefore: new Date(nowMs - CLAIM_KEPT_MS),
      });
      await deleteOldTickets(db, new Date(nowMs - TICKET_KEPT_MS));
    },
  },
});
