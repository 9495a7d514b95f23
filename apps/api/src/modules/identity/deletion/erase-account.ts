/** What happens to a deleted account afterwards: its last mail, and the erasure of what is known of the person. */
import type { Contributions } from '../../../capability.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { deleteJobsOf } from '../../../platform/jobs/enqueue.ts';
import type { Forfeited } from '../../../ledger/index.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { enqueueErasure } from './account-deletion.ts';
import {
  deleteTracesOf,
  forgetLastMail,
  forgetOldLastMails,
  selectLastMail,
  selectNotErased,
  updateErased,
} from './account-deletion.sql.ts';
import { renderAccountDeletedMail } from '../mails.ts';

interface ErasureDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const HOUR_MS = 60 * 60_000;
/** As long as a mail is tried (platform/jobs.ts). */
const MAIL_TRIED_MS = 3 * 24 * HOUR_MS;
/** A job that failed waits less than this for each of its first attempts; one that is gone is asked for again. */
const ERASED_WITHIN_MS = HOUR_MS;

/** The address is forgotten when the mail server has taken the mail, or will never take it. */
export async function mailLast(
  { db, mailer }: ErasureDeps & { readonly mailer: Mailer },
  userId: bigint,
  forfeited: readonly Forfeited[],
): Promise<void> {
  const last = await selectLastMail(db, userId);
  if (last === undefined) return;
  const { to, closedAt } = last;
  await mailer.send({ to, ...renderAccountDeletedMail({ at: closedAt, forfeited }) });
  await forgetLastMail(db, userId);
}

/** Everything at once or nothing: a fault in one part has the job tried again. */
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

/** Makes up for jobs that were given up: no address and no data stays because a server was away for days. */
export async function finishDeletions({ db, clock }: ErasureDeps): Promise<void> {
  const nowMs = clock.nowMs();
  await forgetOldLastMails(db, new Date(nowMs - MAIL_TRIED_MS));
  for (const userId of await selectNotErased(db, new Date(nowMs - ERASED_WITHIN_MS))) {
    await enqueueErasure(db, userId);
  }
}
