import { z } from 'zod';
import { verifyAudit } from '../../platform/audit/verify.ts';
import { dateOf } from '../../platform/clock.ts';
import { deleteOldActs } from '../../platform/console/acts.sql.ts';
import type { Log } from '../../platform/log/log.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import {
  deleteOldVerifications,
  finishVerification,
  selectVerification,
} from './audit/verifications.sql.ts';
import { deleteEndedSessions } from './sessions/staff-sessions.sql.ts';
import { createStaffMailTasks, type StaffMailDeps } from './staff-mails.tasks.ts';
import { deleteExpiredInvites } from './staff.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than anybody keeps a page with an unfinished act open. The ledger itself refuses a second movement under a key forever. */
const ACTS_KEPT_MS = 7 * DAY_MS;
/** Long enough to see a year of regular verification. */
const VERIFICATIONS_KEPT_MS = 400 * DAY_MS;

const verificationPayload = z.object({ id: z.uuid() });

export const staffCrontab = `
23 * * * * staff_prune ?jobKey=staff_prune&max=3
`;

interface TaskDeps extends StaffMailDeps {
  readonly log: Log;
  readonly config: {
    readonly databaseUrl: string;
    readonly console: { readonly idleMs: number; readonly origin: string };
  };
}

export function createStaffTasks(deps: TaskDeps): TasksByLane {
  const { db, clock, config, log } = deps;
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
        await deleteOldVerifications(db, new Date(now.getTime() - VERIFICATIONS_KEPT_MS));
      },
      async audit_verify(payload) {
        const { id } = verificationPayload.parse(payload);
        const asked = await selectVerification(db, id);
        if (asked === undefined || asked.finishedAt !== null) return;
        const knownHead = asked.knownHead ?? undefined;
        const report = await verifyAudit({ databaseUrl: config.databaseUrl, knownHead });
        await finishVerification(db, id, report, dateOf(clock));
        if (report.fault === undefined) return;
        log.error({ alarm: 'audit_wrong', fault: report.fault }, 'the audit is wrong');
      },
    },
  };
}
