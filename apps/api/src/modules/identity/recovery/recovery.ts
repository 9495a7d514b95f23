/**
 * Recovery without any factor (decision 0061): the password and a mailed link begin a wait of 72 hours, after which the second step is
 * removed. Until then the owner can stop it from every session that is open and from every mail about it, and staff can refuse or shorten
 * it (decision 0072).
 */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import type { Cell } from '../../../platform/sealed.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { hashLinkCode, makeLinkCode } from '../links/link-code.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { deletePasskeysOf } from '../passkeys/passkeys.sql.ts';
import {
  deleteRecoveryCodes,
  deleteTotp,
  selectConfirmedAt,
} from '../second-step/second-step.sql.ts';
import {
  deleteChallengesOf,
  passwordDigest,
  selectChallenged,
} from '../second-step/sign-in-challenges.sql.ts';
import { selectMailedReset } from './mailed-resets.sql.ts';
import {
  deleteEnded,
  deleteWaiting,
  selectUserOfLink,
  selectUserOfStop,
  selectWaiting,
  updateBegun,
  updateEndsAt,
  updateReminded,
  upsertRecoveryLink,
} from './recoveries.sql.ts';
import { upsertSendLimit } from './send-limits.sql.ts';

const WAIT_MS = 72 * HOUR_MS;
/** How long sends are limited after a recovery, in case the owner noticed none of its notices. */
const LIMITED_MS = 72 * HOUR_MS;
const LINK_LIFETIME_MS = HOUR_MS;
/**
 * A mailed reset ends all sessions and replaces the owner's password, so a thief who reads the mailbox would be the only one to hear of a
 * recovery that follows it. Most people open a wallet at least once a week, find that they are signed out, and have time to act.
 */
export const AFTER_RESET_MS = 7 * 24 * HOUR_MS;
const MAILS_PER_HOUR = 3;

/** The events about which the owner is told by mail. */
export const RECOVERY_NEWS = [
  'begun',
  'waits',
  'shortened',
  'stopped',
  'refused',
  'ended',
] as const;
export type RecoveryNews = (typeof RECOVERY_NEWS)[number];

const stopCell = (userId: bigint): Cell => ({
  table: 'second_step_recoveries',
  column: 'stop_code',
  rowId: userId,
});

const tell = (tx: Tx, userId: bigint, news: RecoveryNews, at: Date): Promise<void> =>
  enqueueJob(tx, 'auth_mail_recovery_news', {
    userId: String(userId),
    at: at.toISOString(),
    news,
  });

/**
 * Mails the link that begins the wait to a user who has proved the password. If a wait has already begun, returns its end and mails
 * nothing. Throws `challenge_ended`, `recovery_after_reset`, `too_many_requests`.
 */
export async function askForRecovery(
  { db, clock, config }: Pick<AuthDeps, 'db' | 'clock' | 'config'>,
  challenge: string,
): Promise<Date | undefined> {
  const now = dateOf(clock);
  const user = await selectChallenged(db, challenge, now);
  if (user === undefined) throw new AppError('challenge_ended');
  const { userId, proved } = user;
  const waiting = await selectWaiting(db, userId);
  if (waiting !== undefined) return waiting.endsAt;
  const possibleFrom = await recoveryPossibleFrom(db, userId, now);
  if (possibleFrom !== undefined) {
    throw new AppError('recovery_after_reset', {
      detail: `Ask again after ${possibleFrom.toISOString()}. Whoever reads the mail of this account could have set its password.`,
      extra: { possible_from: possibleFrom.toISOString() },
    });
  }
  const subject = attemptSubject(config.hashingKeys, `recovery mails ${userId}`);
  const limits = [{ subject, windowMs: HOUR_MS, countMax: MAILS_PER_HOUR }];
  await db.transaction().execute(async (tx) => {
    await takeAttempt(tx, limits, now, 'too_many_requests');
    await enqueueJob(tx, 'auth_mail_recovery', {
      userId: String(userId),
      proved: proved.toString('hex'),
    });
  });
  return undefined;
}

/** The time from which a recovery can be requested again, if a mailed reset forbids it now. */
async function recoveryPossibleFrom(
  db: Db | Tx,
  userId: bigint,
  now: Date,
): Promise<Date | undefined> {
  const resetAt = await selectMailedReset(db, userId, new Date(now.getTime() - AFTER_RESET_MS));
  return resetAt && new Date(resetAt.getTime() + AFTER_RESET_MS);
}

/**
 * Creates the code of the mailed link for a user who has proved the password with the digest `proved`. Only the code's hash is stored.
 * Returns `undefined` if there is nothing to recover, or the password was changed since.
 */
export async function makeRecoveryLink(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  { userId, proved }: { readonly userId: bigint; readonly proved: Buffer | undefined },
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const current = await lockPassword(tx, userId);
    if (current === undefined) return undefined;
    // Judged under the lock that a change of the password takes: no link comes after a change, which forgets those before it.
    if (proved?.equals(passwordDigest(current.passwordHash)) === false) return undefined;
    const isProtected = (await selectConfirmedAt(tx, userId)) !== undefined;
    if (!isProtected || (await selectWaiting(tx, userId)) !== undefined) return undefined;
    // The password may have been reset since the recovery was requested.
    if ((await recoveryPossibleFrom(tx, userId, dateOf(clock))) !== undefined) return undefined;
    const { code, codeHash } = makeLinkCode();
    const expiresAt = new Date(clock.nowMs() + LINK_LIFETIME_MS);
    await upsertRecoveryLink(tx, userId, { linkHash: codeHash, expiresAt });
    return code;
  });
}

/** Begins the wait, and returns its end. Throws `invalid_code`. */
export async function beginRecovery(deps: AuthDeps, code: string): Promise<Date> {
  const { db, clock, sealed } = deps;
  const now = dateOf(clock);
  const linkHash = hashLinkCode(code);
  const userId = await selectUserOfLink(db, linkHash, now);
  if (userId === undefined) throw new AppError('invalid_code');
  const endsAt = new Date(now.getTime() + WAIT_MS);
  const stop = makeLinkCode();
  const stopCode = sealed.seal(stopCell(userId), stop.code);
  const begun = { stopHash: stop.codeHash, stopCode, begunAt: now, endsAt };
  await db.transaction().execute(async (tx) => {
    await lockPassword(tx, userId);
    const isProtected = (await selectConfirmedAt(tx, userId)) !== undefined;
    if (!isProtected || !(await updateBegun(tx, linkHash, begun))) {
      throw new AppError('invalid_code');
    }
    await tell(tx, userId, 'begun', now);
  });
  return endsAt;
}

/** Stops the wait. Returns whether there was one. */
export async function stopRecovery(
  { db, clock }: Pick<AuthDeps, 'db' | 'clock'>,
  userId: bigint,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockPassword(tx, userId);
    return forgetRecovery(tx, clock, userId);
  });
}

/**
 * Does the same inside a transaction that has locked the user. A recovery is forgotten when the password changes, because another
 * password needs another proof, when a factor is used, because it is not lost, or when staff refuse it. Returns whether the wait had
 * begun.
 */
export async function forgetRecovery(
  tx: Tx,
  clock: AuthDeps['clock'],
  userId: bigint,
  news: 'stopped' | 'refused' = 'stopped',
): Promise<boolean> {
  const wasWaiting = await deleteWaiting(tx, userId);
  if (wasWaiting) await tell(tx, userId, news, dateOf(clock));
  return wasWaiting;
}

/** Shortens a wait, in a transaction that has locked the user. Returns whether there is a wait that would have ended later. */
export async function shortenRecovery(
  tx: Tx,
  clock: AuthDeps['clock'],
  { userId, endsAt }: { readonly userId: bigint; readonly endsAt: Date },
): Promise<boolean> {
  const isSooner = await updateEndsAt(tx, userId, endsAt);
  if (isSooner) await tell(tx, userId, 'shortened', dateOf(clock));
  return isSooner;
}

/** Stops the wait with the code from a mail. Throws `invalid_code`, also if the wait has ended. */
export async function stopRecoveryByCode(
  deps: Pick<AuthDeps, 'db' | 'clock'>,
  code: string,
): Promise<void> {
  const userId = await selectUserOfStop(deps.db, hashLinkCode(code));
  if (userId === undefined || !(await stopRecovery(deps, userId))) {
    throw new AppError('invalid_code');
  }
}

export async function remindOfRecovery(
  { db, clock }: { readonly db: Db; readonly clock: AuthDeps['clock'] },
  userId: bigint,
): Promise<void> {
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    if (await updateReminded(tx, userId, now)) await tell(tx, userId, 'waits', now);
  });
}

type EndDeps = Pick<AuthDeps, 'db' | 'clock' | 'sessions'>;

/**
 * Removes the second step of an account whose wait is over, and ends all of its sessions. Passkeys are removed too: they may be on the
 * lost phone, and its holder may have used them recently.
 */
export async function endRecovery({ db, clock, sessions }: EndDeps, userId: bigint): Promise<void> {
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    await lockPassword(tx, userId);
    if (!(await deleteEnded(tx, userId, now))) return;
    await upsertSendLimit(tx, userId, new Date(now.getTime() + LIMITED_MS));
    await deleteTotp(tx, userId);
    await deleteRecoveryCodes(tx, userId);
    await deletePasskeysOf(tx, userId);
    await deleteChallengesOf(tx, userId);
    await sessions.revokeAll(tx, userId);
    await tell(tx, userId, 'ended', now);
  });
}

/** The wait of an account, with the code of the links that stop it. */
export async function readWaiting(
  { db, sealed }: Pick<AuthDeps, 'db' | 'sealed'>,
  userId: bigint,
): Promise<{ readonly stopCode: string; readonly endsAt: Date } | undefined> {
  const waiting = await selectWaiting(db, userId);
  if (waiting === undefined) return undefined;
  const { stopCode, endsAt } = waiting;
  return { stopCode: sealed.open(stopCell(userId), stopCode), endsAt };
}
