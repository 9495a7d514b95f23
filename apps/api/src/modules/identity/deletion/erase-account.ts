/** The steps after the deletion of an account: the last mail and the erasure of personal data (D-107). */
import type { Contributions } from '../../../capability.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { deleteJobsOf } from '../../../platform/jobs/enqueue.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { SealedColumns } from '../../../platform/sealed.ts';
import { enqueueErasure } from './close-account.ts';
import {
  deleteTracesOf,
  forgetLastMail,
  forgetOldLastMails,
  lastMailCell,
  selectLastMail,
  selectNotErased,
  updateErased,
} from './account-deletion.sql.ts';
import { renderAccountDeletedMail, type DeletedMail } from '../mails.ts';

interface ErasureDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const HOUR_MS = 60 * 60_000;
/** How long mail jobs are retried (platform/jobs/enqueue.ts). */
const MAIL_TRIED_MS = 3 * 24 * HOUR_MS;
/** A failed job is retried sooner than this. After it, the job is enqueued again in case it was lost. */
const ERASED_WITHIN_MS = HOUR_MS;

interface LastMailDeps extends ErasureDeps {
  readonly mailer: Mailer;
  readonly sealed: SealedColumns;
}

/** Sends the last mail. The address is deleted as soon as the mail server accepts or permanently refuses the mail. */
export async function mailLast(
  { db, mailer, sealed }: LastMailDeps,
  userId: bigint,
  deletion: Pick<DeletedMail, 'by' | 'forfeited'>,
): Promise<void> {
  const last = await selectLastMail(db, userId);
  if (last === undefined) return;
  const to = sealed.open(lastMailCell(userId), last.sealedTo);
  await mailer.send({ to, ...renderAccountDeletedMail({ at: last.closedAt, ...deletion }) });
  await forgetLastMail(db, userId);
}

/** Erases the data of all capabilities in one transaction; if it fails, the job is retried. */
export async function eraseAccount(
  { db, clock, erasures }: ErasureDeps & Pick<Contributions, 'erasures'>,
  userId: bigint,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await updateErased(tx, userId, dateOf(clock)))) return;
    await deleteTracesOf(tx, userId);
    for (const erase of erasures) await erase(tx, userId);
    await deleteJobsOf(tx, userId, { butFor: ['auth_erase_account', 'auth_mail_account_deleted'] });
  });
}

/** Recovers from jobs that failed permanently: after an outage of days, no address or other data may stay stored. */
export async function finishDeletions({ db, clock }: ErasureDeps): Promise<void> {
  const nowMs = clock.nowMs();
  await forgetOldLastMails(db, new Date(nowMs - MAIL_TRIED_MS));
  for (const userId of await selectNotErased(db, new Date(nowMs - ERASED_WITHIN_MS))) {
    await enqueueErasure(db, userId);
  }
}
