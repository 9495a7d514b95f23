/**
 * Limits on guessing passwords and codes. Failures for an e-mail address delay its next attempt; too many failures from a network place
 * block its attempts for the hour. An attempt is counted before it is judged, and taken back if it was right or never judged, so that a
 * thousand concurrent guesses achieve no more than a thousand in a row.
 */
import { dateOf, type Clock } from '../clock.ts';
import type { Db, Tx } from '../database/database.ts';
import { pipelined } from '../database/pipelined.ts';
import { AppError } from '../errors.ts';
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
  type AttemptSubject,
  type CountedAttempts,
} from './attempt-counters.sql.ts';
import { networkCaller } from './caller.ts';

/** The count of an e-mail address restarts after a day. */
const ADDRESS_WINDOW_MS = 24 * HOUR_MS;
/**
 * A site may fail as often as this many places: a mobile network has many guests on one site, and an attacker on a site has many places.
 */
const PLACES_OF_SITE_MAX = 10;
/** Prevents overflow: 2^30 s exceeds any sensible maximum delay. */
const DOUBLINGS_MAX = 30;

export interface GuessDeps {
  readonly clock: Clock;
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly limits: {
      readonly signInFreeFailures: number;
      readonly signInDelayMaxSeconds: number;
      readonly signInFailuresPerAddressAndHour: number;
    };
  };
}

/** The counters of an attempt. */
export interface Attempt {
  /** The counter whose failures delay the attempt: that of the e-mail address, or of a known device. */
  readonly delayed: AttemptSubject;
  /** Limits of the caller's network; empty for a known device. */
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

/**
 * One limit for the network place and, for IPv6, one for its site, because the owner of a site could guess from thousands of places.
 * Attempts with the same `what` are counted together.
 */
export const networkLimits = (
  { config }: GuessDeps,
  what: string,
  networkAddress: string,
): readonly AttemptLimit[] =>
  networkCaller(networkAddress)
    .toReversed()
    .map((network, index) => ({
      subject: attemptSubject(config.hashingKeys, `${what} ${network}`),
      windowMs: HOUR_MS,
      countMax:
        config.limits.signInFailuresPerAddressAndHour * (index === 0 ? 1 : PLACES_OF_SITE_MAX),
    }));

const subjectsOf = (limits: readonly AttemptLimit[]): AttemptSubject[] =>
  limits.map(({ subject }) => subject);

/** Throws `too_many_attempts` while the failures `before` delay the next attempt. */
function requireNoDelay(
  { config: { limits } }: GuessDeps,
  before: CountedAttempts | undefined,
  now: Date,
): void {
  if (before === undefined) return;
  const delaySeconds = delayAfterSeconds(
    before.attemptCount,
    limits.signInFreeFailures,
    limits.signInDelayMaxSeconds,
  );
  // A caller without a delay passes, even if a concurrent attempt was counted a moment later than `now`.
  if (delaySeconds === 0) return;
  const leftMs = before.lastAttemptAt.getTime() + delaySeconds * 1000 - now.getTime();
  if (leftMs > 0) {
    throw new AppError('too_many_attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }
}

/** Throws `too_many_attempts` if `makeAttempt` would, but counts nothing: such an attempt need not queue for hashing. */
export async function requireAttemptNow(
  db: Db,
  deps: GuessDeps,
  { delayed, networks }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  if (networks.length > 0) await requireAttemptLeft(db, networks, now, 'too_many_attempts');
  requireNoDelay(deps, await selectAttempts(db, delayed), now);
}

/** Refusals that tell a caller that a guess was wrong. After any other error the attempt was not judged. */
const WRONG_GUESSES: readonly unknown[] = [
  'incorrect_credentials',
  'incorrect_password',
  'invalid_code',
  'invalid_passkey',
  'idempotency_key_reused',
];

/**
 * Makes an attempt: counts it, and takes the count back if `judge` throws anything but the refusal of a wrong guess. A right guess
 * calls `forgiveAttempt` in its own transaction. Throws `too_many_attempts` and counts nothing if a limit is reached.
 */
export async function makeAttempt<Result>(
  db: Db,
  deps: GuessDeps,
  attempt: Attempt,
  judge: () => Promise<Result>,
): Promise<Result> {
  await beginAttempt(db, deps, attempt);
  try {
    return await judge();
  } catch (error) {
    const isWrong = error instanceof AppError && WRONG_GUESSES.includes(error.code);
    if (!isWrong) await withdrawAttempt(db, attempt);
    throw error;
  }
}

/**
 * After a right attempt: forgets the failures that delayed it, but not those of the network place. A right attempt on a known device does
 * not forgive the failures of other devices on its account.
 */
export async function forgiveAttempt(tx: Tx, { delayed, networks }: Attempt): Promise<void> {
  if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
  await forgetAttempts(tx, [delayed]);
}

async function beginAttempt(
  db: Db,
  deps: GuessDeps,
  { delayed, networks }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  await db.transaction().execute(async (tx) => {
    const [before, [counted]] = await pipelined(tx, (pipe) => {
      const taken =
        networks.length > 0 ? takeAttempt(pipe, networks, now, 'too_many_attempts') : undefined;
      const read = selectAttemptsForUpdate(pipe, delayed);
      const added = countAttempts(pipe, [{ subject: delayed, windowMs: ADDRESS_WINDOW_MS }], now);
      return Promise.all([read, added, taken]);
    });
    // Concurrent first attempts have no counter to lock yet, but each is counted after the ones before it.
    const atOnce = counted && { attemptCount: counted.attemptCount - 1, lastAttemptAt: now };
    requireNoDelay(deps, before ?? atOnce, now);
  });
}

async function withdrawAttempt(db: Db, { delayed, networks }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The rows are locked in the same order as in `beginAttempt`, so that the two cannot deadlock.
    if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
    await takeBackAttempts(tx, [delayed]);
  });
}
