/**
 * Limits on guessing passwords (D-063). Subjects are e-mail addresses, with or without an account,
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
  requireAttemptLeft,
  selectAttempts,
  selectAttemptsForUpdate,
  takeAttempt,
  takeBackAttempts,
  type AttemptLimit,
  type CountedAttempts,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { networkCaller } from '../../../platform/limits/caller.ts';
import type { Device } from './device.ts';
import { isKnownDevice, selectKnownDevices } from './known-devices.sql.ts';

/** An account's count restarts after a day. */
const ACCOUNT_WINDOW_MS = 24 * HOUR_MS;
/** The failures of a site are those of so many places: a mobile network has many guests on one site, a guesser many places. */
const PLACES_OF_SITE_MAX = 10;
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
      readonly deviceMailsPerAccountAndDay: number;
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
  /** Of the network it comes from; none for a known device. */
  readonly networks: readonly AttemptLimit[];
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
 * Counts a mail about a new device. Returns `false` if the owner has had enough of them today: otherwise whoever knows the
 * password could fill the mailbox, in which the first ones say all there is to say.
 */
export async function takeDeviceMail(
  tx: Tx,
  { clock, config }: LimitDeps,
  userId: bigint,
): Promise<boolean> {
  const subject = attemptSubject(config.hashingKey, `device mails ${userId}`);
  const counted = await countAttempts(tx, [{ subject, windowMs: 24 * HOUR_MS }], dateOf(clock));
  return counted.every(
    ({ attemptCount }) => attemptCount <= config.limits.deviceMailsPerAccountAndDay,
  );
}

/** An attempt at the password of a sign-up whose mailed code the caller holds. */
export const attemptOnSignUp = ({ config }: LimitDeps, signUpId: bigint): Attempt => ({
  delayed: attemptSubject(config.hashingKey, `sign-up ${signUpId}`),
  networks: [],
});

/**
 * Decides which limits hold for an attempt, and counts nothing yet. Throws `too_many_attempts` if one of them is reached already,
 * so that such an attempt does not queue for hashing.
 */
export async function planAttempt(
  db: Db,
  deps: LimitDeps,
  email: string,
  origin: Origin,
): Promise<Attempt> {
  const attempt = await limitsOf(db, deps, email, origin);
  const now = dateOf(deps.clock);
  if (attempt.networks.length > 0) {
    await requireAttemptLeft(db, attempt.networks, now, 'too_many_attempts');
  }
  requireNoDelay(deps, await selectAttempts(db, attempt.delayed), now);
  return attempt;
}

async function limitsOf(
  db: Db,
  deps: LimitDeps,
  email: string,
  { networkAddress, device }: Origin,
): Promise<Attempt> {
  if (device.hasId && (await isKnownDevice(db, email, device.hash))) {
    return { delayed: deviceSubject(deps, email, device.hash), networks: [] };
  }
  return { delayed: accountSubject(deps, email), networks: networkLimits(deps, networkAddress) };
}

/** One for the network place, and one for the site of an IPv6 place, whose owner could guess from thousands of places. */
const networkLimits = ({ config }: LimitDeps, networkAddress: string): readonly AttemptLimit[] =>
  networkCaller(networkAddress)
    .toReversed()
    .map((network, index) => ({
      subject: attemptSubject(config.hashingKey, `network ${network}`),
      windowMs: HOUR_MS,
      countMax:
        config.limits.signInFailuresPerAddressAndHour * (index === 0 ? 1 : PLACES_OF_SITE_MAX),
    }));

const subjectsOf = (limits: readonly AttemptLimit[]): Buffer[] =>
  limits.map(({ subject }) => subject);

/** Throws `too_many_attempts` while the failures `before` delay the next attempt. */
function requireNoDelay(
  { config: { limits } }: LimitDeps,
  before: CountedAttempts | undefined,
  now: Date,
): void {
  if (before === undefined) return;
  const delaySeconds = delayAfterSeconds(
    before.attemptCount,
    limits.signInFreeFailures,
    limits.signInDelayMaxSeconds,
  );
  // Not yet delayed, even if a concurrent attempt has counted a moment later than `now`.
  if (delaySeconds === 0) return;
  const leftMs = before.lastAttemptAt.getTime() + delaySeconds * 1000 - now.getTime();
  if (leftMs > 0) {
    throw new AppError('too_many_attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }
}

/** Counts an attempt. Throws `too_many_attempts` and counts nothing if a limit is reached. */
export async function beginAttempt(
  db: Db,
  deps: LimitDeps,
  { delayed, networks }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  await db.transaction().execute(async (tx) => {
    if (networks.length > 0) await takeAttempt(tx, networks, now, 'too_many_attempts');
    requireNoDelay(deps, await selectAttemptsForUpdate(tx, delayed), now);
    await countAttempts(tx, [{ subject: delayed, windowMs: ACCOUNT_WINDOW_MS }], now);
  });
}

/**
 * After a right password: forgets the failures that delayed it, but not those of the network place. A known device does not
 * forgive the failures of others on its account.
 */
export async function forgiveAttempt(tx: Tx, { delayed, networks }: Attempt): Promise<void> {
  if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
  await forgetAttempts(tx, [delayed]);
}

/** Takes back an attempt that ended before the password was judged. */
export async function withdrawAttempt(db: Db, { delayed, networks }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The order in which `beginAttempt` locks them, so that the two cannot deadlock.
    if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
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
