/**
 * Limits the mail requests of a network place, and decides the order in which mails are sent. Without a limit, anybody could make us mail
 * any number of strangers.
 */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
  takePacedAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { networkSite } from '../../../platform/limits/caller.ts';
import { findKnownDevice } from '../sign-in/known-devices.sql.ts';
import { selectNewestSignUpId } from '../sign-up/sign-up.sql.ts';
import type { LimitDeps, Origin } from '../sign-in/sign-in-limits.ts';

/** The number of mails that one address is sent in an hour (link-mails.ts). */
const REQUESTS_OF_DEVICE_MAX = 10;

/** This many mails of each place are sent before notices, whose priority is 0, because no user waits for a notice with the app open. */
const BEFORE_NOTICES = 20;
/** The priority of a mail that its reader waits for and that strangers cannot request in numbers. */
export const AWAITED_FIRST = -BEFORE_NOTICES - 1;
/** Priorities end at 32,767. Beyond a thousand, the mails of all places are sent in the order of their requests. */
const COUNTED_MAX = 1_000;

interface MailRequest extends Origin {
  readonly email: string;
}

/**
 * Counts a request that may cause a mail to any address. A device that has signed in to the account of the address before has a small
 * limit of its own: otherwise strangers could use up the limit of its place. The networks of an IPv6 site count together, since one owner
 * has thousands. Returns the priority of the mail: the more a place has requested lately, the later, so that a flood from one place
 * delays the mails of others by a few. Throws `too_many_requests`.
 */
export async function takeMailRequest(
  db: Db,
  { clock, config: { hashingKeys, limits } }: LimitDeps,
  { email, networkAddress, device }: MailRequest,
): Promise<number> {
  const now = dateOf(clock);
  const knownHash = await findKnownDevice(db, email, device);
  if (knownHash !== undefined) {
    const ofDevice = {
      subject: attemptSubject(hashingKeys, `mails for ${knownHash.toString('hex')} of ${email}`),
      windowMs: HOUR_MS,
      countMax: REQUESTS_OF_DEVICE_MAX,
    };
    await db.transaction().execute((tx) => takeAttempt(tx, [ofDevice], now, 'too_many_requests'));
    return AWAITED_FIRST;
  }
  const ofPlace = {
    subject: attemptSubject(hashingKeys, `mail requests ${networkSite(networkAddress)}`),
    windowMs: HOUR_MS,
    countMax: limits.mailRequestsPerAddressAndHour,
  };
  const requestCount = await db
    .transaction()
    .execute((tx) => takePacedAttempt(tx, ofPlace, now, 'too_many_requests'));
  return AWAITED_FIRST + Math.min(requestCount, COUNTED_MAX);
}

/** Sends a link to reset the password at the request of staff. The limits of the address apply as usual. */
export const enqueueResetMail = (tx: Tx, userId: bigint): Promise<void> =>
  enqueueJob(tx, 'auth_mail_reset', { userId: userId.toString() }, { priority: AWAITED_FIRST });

/** Sends the verification mail of the newest sign-up with this address again. Returns its id; `undefined` if there is none. */
export async function enqueueVerificationMail(tx: Tx, email: string): Promise<bigint | undefined> {
  const signUpId = await selectNewestSignUpId(tx, email);
  if (signUpId === undefined) return undefined;
  const payload = { signUpId: signUpId.toString() };
  await enqueueJob(tx, 'auth_mail_unverified_sign_in', payload, { priority: AWAITED_FIRST });
  return signUpId;
}
