/**
 * Limits on guessing passwords (D-063) and on having mails sent. Subjects are e-mail addresses, with or without an account,
 * and network places. A device that has signed in to the account before has a limit of its own instead: otherwise a stranger's
 * guesses would keep the owner out.
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
import type { Device } from './device.ts';
import { isKnownDevice, selectKnownDevices } from './known-devices.sql.ts';

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

/** Where a password comes from. */
export interface Origin {
  readonly networkAddress: string;
  readonly device: Device;
}

/** What an attempt to prove a password is counted for. */
export interface Attempt {
  /** Whose failures delay it: those of the address, or of a known device alone. */
  readonly delayed: Buffer;
  /** Absent for a known device. */
  readonly network: Buffer | undefined;
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

const deviceSubject = ({ config }: LimitDeps, email: string, deviceHash: Buffer): Buffer =>
  attemptSubject(config.hashingKey, `device ${deviceHash.toString('hex')} of ${email}`);

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

/** An attempt at the password of a sign-up whose mailed code the caller holds. */
export const attemptOnSignUp = ({ config }: LimitDeps, signUpId: bigint): Attempt => ({
  delayed: attemptSubject(config.hashingKey, `sign-up ${signUpId}`),
  network: undefined,
});

/** Decides which limits hold for an attempt, and counts nothing yet. */
export async function planAttempt(
  db: Db,
  deps: LimitDeps,
  email: string,
  { networkAddress, device }: Origin,
): Promise<Attempt> {
  if (device.hasId && (await isKnownDevice(db, email, device.hash))) {
    return { delayed: deviceSubject(deps, email, device.hash), network: undefined };
  }
  const network = attemptSubject(deps.config.hashingKey, `network ${networkPlace(networkAddress)}`);
  return { delayed: accountSubject(deps, email), network };
}

/** Throws `too_many_attempts` while the failures of `subject` delay the next attempt. */
async function requireNoDelay(
  tx: Tx,
  { config: { limits } }: LimitDeps,
  subject: Buffer,
  now: Date,
): Promise<void> {
  const before = await selectAttemptsForUpdate(tx, subject);
  if (before === undefined) return;
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

/** Counts an attempt. Throws `too_many_attempts` and counts nothing if a limit is reached. */
export async function beginAttempt(
  db: Db,
  deps: LimitDeps,
  { delayed, network }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  const countMax = deps.config.limits.signInFailuresPerAddressAndHour;
  await db.transaction().execute(async (tx) => {
    if (network !== undefined) {
      const ofNetwork = { subject: network, windowMs: HOUR_MS, countMax };
      await takeAttempt(tx, [ofNetwork], now, 'too_many_attempts');
    }
    await requireNoDelay(tx, deps, delayed, now);
    await countAttempts(tx, [{ subject: delayed, windowMs: ACCOUNT_WINDOW_MS }], now);
  });
}

/**
 * After a right password: forgets the failures that delayed it, but not those of the network place. A known device does not
 * forgive the failures of others on its account.
 */
export async function forgiveAttempt(tx: Tx, { delayed, network }: Attempt): Promise<void> {
  if (network !== undefined) await takeBackAttempts(tx, [network]);
  await forgetAttempts(tx, [delayed]);
}

/** Takes back an attempt that ended before the password was judged. */
export async function withdrawAttempt(db: Db, { delayed, network }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The order in which `beginAttempt` locks them, so that the two cannot deadlock.
    if (network !== undefined) await takeBackAttempts(tx, [network]);
    await takeBackAttempts(tx, [delayed]);
  });
}

/** After a new password: failed guesses at the old one must not delay the owner. */
export async function forgetFailures(
  tx: Tx,
  deps: LimitDeps,
  { userId, email }: { userId: bigint; email: string },
): Promise<void> {
  const devices = await selectKnownDevices(tx, userId);
  await forgetAttempts(tx, [
    accountSubject(deps, email),
    ...devices.map((deviceHash) => deviceSubject(deps, email, deviceHash)),
  ]);
}
