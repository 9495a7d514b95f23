/**
 * Limits on guessing passwords (D-063) and on having mails sent. Subjects are e-mail addresses, with or without an account,
 * and network places.
 */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  attemptSubject,
  countAttempts,
  forgetAttempts,
  HOUR_MS,
  selectAttemptsForUpdate,
  takeAttempt,
  takeBackAttempts,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { networkPlace } from '../../../platform/limits/network-address.ts';

/** An account's count restarts after a day. */
const ACCOUNT_WINDOW_MS = 24 * HOUR_MS;
/** Prevents overflow: 2^30 s exceeds any sensible maximum delay. */
const DOUBLINGS_MAX = 30;

export interface LimitDeps {
  readonly clock: Clock;
  readonly config: {
    readonly hashingKey: string;
    readonly limits: {
      readonly signInFreeFailures: number;
      readonly signInDelayMaxSeconds: number;
      readonly signInFailuresPerAddressAndHour: number;
      readonly mailRequestsPerAddressAndHour: number;
    };
  };
}

/** A counted attempt to prove a password. */
export interface Attempt {
  readonly account: Buffer;
  readonly network: Buffer;
}

/** The delay after `failureCount` failures: 0 below `freeCount`, then 1, 2, 4 … s, up to `delayMaxSeconds`. */
export function delayAfterSeconds(
  failureCount: number,
  freeCount: number,
  delayMaxSeconds: number,
): number {
  if (failureCount < freeCount) return 0;
  return Math.min(delayMaxSeconds, 2 ** Math.min(failureCount - freeCount, DOUBLINGS_MAX));
}

const accountSubject = ({ config }: LimitDeps, email: string): Buffer =>
  attemptSubject(config.hashingKey, `account ${email}`);

/**
 * Counts a request that may cause a mail to any address: without a limit, anybody could make us mail any number of strangers.
 * Throws `too_many_requests`.
 */
export async function takeMailRequest(
  db: Db,
  { clock, config }: LimitDeps,
  networkAddress: string,
): Promise<void> {
  const limit = {
    subject: attemptSubject(config.hashingKey, `mails ${networkPlace(networkAddress)}`),
    windowMs: HOUR_MS,
    countMax: config.limits.mailRequestsPerAddressAndHour,
  };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
}

/** Counts an attempt. Throws `too_many_attempts` and counts nothing if the delay has not passed. */
export async function beginAttempt(
  db: Db,
  deps: LimitDeps,
  { email, networkAddress }: { email: string; networkAddress: string },
): Promise<Attempt> {
  const { hashingKey, limits } = deps.config;
  const account = accountSubject(deps, email);
  const network = attemptSubject(hashingKey, `network ${networkPlace(networkAddress)}`);
  const now = dateOf(deps.clock);
  const ofNetwork = {
    subject: network,
    windowMs: HOUR_MS,
    countMax: limits.signInFailuresPerAddressAndHour,
  };
  await db.transaction().execute(async (tx) => {
    await takeAttempt(tx, [ofNetwork], now, 'too_many_attempts');
    const before = await selectAttemptsForUpdate(tx, account);
    if (before !== undefined) {
      const delaySeconds = delayAfterSeconds(
        before.attemptCount,
        limits.signInFreeFailures,
        limits.signInDelayMaxSeconds,
      );
      const leftMs = before.lastAttemptAt.getTime() + delaySeconds * 1000 - now.getTime();
      if (leftMs > 0) {
        throw new AppError('too_many_attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
      }
    }
    await countAttempts(tx, [{ subject: account, windowMs: ACCOUNT_WINDOW_MS }], now);
  });
  return { account, network };
}

/** After a right password: forgets the failures of the account, but not those of the network place. */
export async function forgiveAttempt(tx: Tx, { account, network }: Attempt): Promise<void> {
  await takeBackAttempts(tx, [network]);
  await forgetAttempts(tx, account);
}

/** Takes back an attempt that ended before the password was judged. */
export async function withdrawAttempt(db: Db, { account, network }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The order in which `beginAttempt` locks them, so that the two cannot deadlock.
    await takeBackAttempts(tx, [network]);
    await takeBackAttempts(tx, [account]);
  });
}

/** After a new password: failed guesses at the old one must not delay the owner. */
export const forgetFailures = (tx: Tx, deps: LimitDeps, email: string): Promise<void> =>
  forgetAttempts(tx, accountSubject(deps, email));
