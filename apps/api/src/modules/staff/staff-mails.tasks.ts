/** Jobs that mail staff and that write refused sign-ins to the audit. */
import type { Task, TaskList } from 'graphile-worker';
import { z } from 'zod';
import { appendAudit } from '../../platform/audit/audit.sql.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/log/log.ts';
import { mailTask } from '../../platform/mail/mail-task.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { deleteInvite } from './invites/invites.sql.ts';
import { makeInvite } from './invites/invites.ts';
import {
  FACTOR_CHANGES,
  renderCodesGuessedMail,
  renderFactorMail,
  renderInviteMail,
  renderRecoveryMail,
} from './mails.ts';
import { lockStaff, selectAddressee } from './people/people.sql.ts';

export interface StaffMailDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly log: Log;
  readonly config: { readonly console: { readonly origin: string } };
}

const person = z.object({ staffId: z.string() });
const notice = person.extend({ at: z.coerce.date() });
const invite = person.extend({ by: z.string().nullable() });
const recovery = notice.extend({ to: z.string() });
const change = notice.extend({ change: z.enum(FACTOR_CHANGES) });
const refusal = z.object({
  staffId: z.string().nullable(),
  requestId: z.string(),
  isLastCode: z.boolean(),
});

/** The job creates the link as it sends the mail, so that the code is not stored. If sending fails, the next run creates another link. */
async function mailInvite(deps: StaffMailDeps, { staffId, by }: z.output<typeof invite>) {
  const { db, clock, mailer, config } = deps;
  const made = await db.transaction().execute(async (tx) => {
    const invited = await lockStaff(tx, staffId);
    if (invited?.state !== 'invited') return undefined;
    const { origin } = config.console;
    const link = await makeInvite(tx, { origin, now: dateOf(clock) }, { staffId, createdBy: by });
    return { ...link, to: invited.email };
  });
  if (made === undefined) return;
  const { to, url, tokenHash } = made;
  try {
    await mailer.send({ to, ...renderInviteMail({ url }) });
  } catch (error) {
    await deleteInvite(db, tokenHash);
    throw error;
  }
}

async function mailTo(
  { db, mailer }: StaffMailDeps,
  staffId: string,
  mail: { readonly subject: string; readonly text: string; readonly html: string },
): Promise<void> {
  const to = await selectAddressee(db, staffId);
  if (to !== undefined) await mailer.send({ to: to.email, ...mail });
}

async function noteRefusal(deps: StaffMailDeps, payload: z.output<typeof refusal>): Promise<void> {
  const { staffId, requestId, isLastCode } = payload;
  if (staffId === null) return;
  const at = dateOf(deps.clock);
  await deps.db.transaction().execute(async (tx) => {
    if (isLastCode) {
      await enqueueJob(tx, 'staff_mail_codes_guessed', { staffId, at: at.toISOString() });
    }
    await appendAudit(tx, {
      at,
      requestId,
      action: 'session.sign_in',
      subject: { type: 'staff', id: staffId },
      outcome: 'refused',
    });
  });
}

export function createStaffMailTasks(deps: StaffMailDeps): { mail: TaskList; upkeep: TaskList } {
  const { origin } = deps.config.console;
  const mailing = (send: Parameters<typeof mailTask>[1]): Task => mailTask(deps.log, send);
  return {
    mail: {
      staff_mail_invite: mailing((payload) => mailInvite(deps, invite.parse(payload))),
      staff_mail_recovery_used: mailing(async (payload) => {
        const { to, staffId, at } = recovery.parse(payload);
        const about = await selectAddressee(deps.db, staffId);
        const name = about?.name ?? '';
        await mailTo(deps, to, renderRecoveryMail({ at, origin, name }));
      }),
      staff_mail_factor_changed: mailing((payload) => {
        const { staffId, ...facts } = change.parse(payload);
        return mailTo(deps, staffId, renderFactorMail({ ...facts, origin }));
      }),
      staff_mail_codes_guessed: mailing((payload) => {
        const { staffId, at } = notice.parse(payload);
        return mailTo(deps, staffId, renderCodesGuessedMail({ at, origin }));
      }),
    },
    upkeep: {
      staff_refused_sign_in: (payload) => noteRefusal(deps, refusal.parse(payload)),
    },
  };
}
