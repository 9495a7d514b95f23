import type { Task, TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { MailTemplate } from '@athos/contract/console/customers';
import { parseUnits, TOKEN_ASSETS } from '@athos/domain/money';
import type { Contributions } from '../../capability.ts';
import { dateOf } from '../../platform/clock.ts';
import type { Log } from '../../platform/log/log.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { mailTask } from '../../platform/mail/mail-task.ts';
import { MailRefusedError } from '../../platform/mail/mailer.ts';
import { sendNoted } from '../../platform/mail/sent-mails.sql.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import { deleteOldCounted } from './confirmation/confirmations.sql.ts';
import { forgetLastMail } from './deletion/account-deletion.sql.ts';
import { SECOND_STEP_CHANGES } from './second-step/codes.ts';
import { UNCONFIRMED_KEPT_MS } from './second-step/own-totp.ts';
import { deleteOldUnconfirmedTotp } from './second-step/second-step.sql.ts';
import { deleteExpiredSignInChallenges } from './second-step/sign-in-challenges.sql.ts';
import { advanceRecoveries } from './recovery/advance-recoveries.ts';
import { makeRecoveryLink, readWaiting, RECOVERY_NEWS } from './recovery/recovery.ts';
import type { Sessions } from './sessions/sessions.ts';
import { selectUserEmail } from './users.sql.ts';
import { eraseAccount, finishDeletions, mailLast } from './deletion/erase-account.ts';
import { mailReset, mailSignUp, type LinkMailDeps } from './links/link-mails.ts';
import {
  renderNewDeviceMail,
  renderPasswordChangedMail,
  renderPasswordResetMail,
  renderRecoveryMail,
  renderRecoveryNews,
  renderSecondStepMail,
} from './mails.ts';
import {
  deleteEndedSessions,
  deleteExpiredLinkCodes,
  deleteOldDevices,
  deleteOldPasswordChanges,
  deleteOldSignUps,
} from './prune.sql.ts';

interface TaskDeps extends LinkMailDeps, Pick<Contributions, 'erasures'> {
  readonly log: Log;
  readonly sealed: SealedColumns;
  readonly sessions: Sessions;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a week after signing up, a sign-in sends the verification mail again (D-058). */
const SIGN_UP_KEPT_MS = 7 * DAY_MS;

/** A device that has not signed in for longer counts as new again. Sessions are much shorter (`SESSION_DAYS_MAX`). */
const DEVICE_KEPT_MS = 730 * DAY_MS;

const rowId = z.string().transform(BigInt);
const signUpPayload = z.object({ signUpId: rowId });
const maybeSignUpPayload = z.object({ signUpId: rowId.nullable() });
const maybeUserPayload = z.object({ userId: rowId.nullable() });
const noticePayload = z.object({ userId: rowId, at: z.coerce.date() });
const userPayload = z.object({ userId: rowId });
const deletedPayload = userPayload.extend({
  /** Absent in jobs that an earlier version enqueued. */
  by: z.enum(['owner', 'staff']).default('owner'),
  forfeited: z.array(
    z
      .tuple([z.enum(TOKEN_ASSETS), z.string()])
      .transform(([asset, text]) => ({ asset, amountUnits: parseUnits(text) })),
  ),
});
const secondStepPayload = noticePayload.extend({
  change: z.enum(SECOND_STEP_CHANGES),
});
const recoveryPayload = userPayload.extend({
  /** Absent in jobs that an earlier version enqueued. */
  proved: z
    .string()
    .transform((digest) => Buffer.from(digest, 'hex'))
    .optional(),
});
const recoveryNewsPayload = noticePayload.extend({
  news: z.enum(RECOVERY_NEWS),
});
const newDevicePayload = noticePayload.extend({ device: z.string() });

async function mailOwner(
  deps: TaskDeps,
  { userId, template }: { readonly userId: bigint; readonly template: MailTemplate },
  mail: { subject: string; text: string; html: string },
): Promise<void> {
  const to = await selectUserEmail(deps.db, userId);
  if (to !== undefined) await sendNoted(deps, { userId, template }, { to, ...mail });
}

async function prune({ db, clock }: TaskDeps): Promise<void> {
  const nowMs = dateOf(clock).getTime();
  await deleteExpiredLinkCodes(db, new Date(nowMs));
  await deleteOldSignUps(db, new Date(nowMs - SIGN_UP_KEPT_MS));
  await deleteEndedSessions(db, new Date(nowMs));
  await deleteOldUnconfirmedTotp(db, new Date(nowMs - UNCONFIRMED_KEPT_MS));
  await deleteOldPasswordChanges(db, new Date(nowMs - DAY_MS));
  await deleteOldCounted(db, new Date(nowMs - DAY_MS));
  await deleteOldDevices(db, new Date(nowMs - DEVICE_KEPT_MS));
}

/** Hourly, but not on the hour, when most scheduled jobs run. */
export const identityCrontab = `
23 * * * * auth_prune ?jobKey=auth_prune&max=3
29 * * * * auth_finish_deletions ?jobKey=auth_finish_deletions&max=3
*/5 * * * * auth_recoveries ?jobKey=auth_recoveries&max=3
*/10 * * * * auth_prune_challenges ?jobKey=auth_prune_challenges&max=3
`;

export function createIdentityTasks(deps: TaskDeps): TasksByLane {
  const { publicUrl } = deps.config;

  const mailing = (send: Parameters<typeof mailTask>[1]): Task => mailTask(deps.log, send);

  const mail: TaskList = {
    auth_mail_sign_up: mailing(async (payload, priority) => {
      const { signUpId } = signUpPayload.parse(payload);
      await mailSignUp(deps, { signUpId, isResend: false, priority });
    }),
    auth_mail_unverified_sign_in: mailing(async (payload, priority) => {
      const { signUpId } = maybeSignUpPayload.parse(payload);
      if (signUpId !== null) await mailSignUp(deps, { signUpId, isResend: true, priority });
    }),
    auth_mail_reset: mailing(async (payload) => {
      const { userId } = maybeUserPayload.parse(payload);
      if (userId !== null) await mailReset(deps, userId);
    }),
    auth_mail_password_reset: mailing(async (payload) => {
      const { userId, at } = noticePayload.parse(payload);
      const mail = renderPasswordResetMail({ publicUrl, at });
      await mailOwner(deps, { userId, template: 'password_reset' }, mail);
    }),
    auth_mail_password_changed: mailing(async (payload) => {
      const { userId, at } = noticePayload.parse(payload);
      const mail = renderPasswordChangedMail({ publicUrl, at });
      await mailOwner(deps, { userId, template: 'password_changed' }, mail);
    }),
    auth_mail_new_device: mailing(async (payload) => {
      const { userId, at, device } = newDevicePayload.parse(payload);
      const mail = renderNewDeviceMail({ publicUrl, at, device });
      await mailOwner(deps, { userId, template: 'new_device' }, mail);
    }),
    auth_mail_second_step: mailing(async (payload) => {
      const { userId, at, change } = secondStepPayload.parse(payload);
      const mail = renderSecondStepMail({ publicUrl, at, change });
      await mailOwner(deps, { userId, template: 'second_step' }, mail);
    }),
    auth_mail_recovery: mailing(async (payload) => {
      const { userId, proved } = recoveryPayload.parse(payload);
      const code = await makeRecoveryLink(deps, { userId, proved });
      if (code === undefined) return;
      const mail = renderRecoveryMail({ publicUrl, code });
      await mailOwner(deps, { userId, template: 'recovery' }, mail);
    }),
    auth_mail_recovery_news: mailing(async (payload) => {
      const { userId, at, news } = recoveryNewsPayload.parse(payload);
      const waiting = await readWaiting(deps, userId);
      const mail = renderRecoveryNews({ publicUrl, at, news, waiting });
      if (mail !== undefined) await mailOwner(deps, { userId, template: 'recovery' }, mail);
    }),
    auth_mail_account_deleted: async (payload) => {
      const { userId, ...deletion } = deletedPayload.parse(payload);
      try {
        await mailLast(deps, userId, deletion);
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error;
        await forgetLastMail(deps.db, userId);
      }
    },
  };
  return {
    mail,
    upkeep: {
      auth_erase_account: (payload) => eraseAccount(deps, userPayload.parse(payload).userId),
      auth_finish_deletions: () => finishDeletions(deps),
      auth_prune: () => prune(deps),
      auth_recoveries: () => advanceRecoveries(deps),
      auth_prune_challenges: () => deleteExpiredSignInChallenges(deps.db, dateOf(deps.clock)),
    },
  };
}
