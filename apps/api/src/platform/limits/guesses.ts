/**
 * Limits on proving who one is: by guessing, anybody could find a password or a code. Failures of one address delay its next attempt;
 * failures of a network place end its attempts for the hour. An attempt is counted before it is judged and taken back if it was right
 * or never judged, so that a thousand at once get no further than a thousand in a row.
 */
import { dateOf, type Clock } from '../clock.ts';
import type { Db, Tx } from '../database/database.ts';
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
  type CountedAttempts,
} from './attempt-counters.sql.ts';
import { networkCaller } from './caller.ts';

/** The count of an address restarts after a day. */
const ADDRESS_WINDOW_MS = 24 * HOUR_MS;
/** The failures of a site are those of so many places: a mobile network has many guests on one site, a guesser many places. */
const PLACES_OF_SITE_MAX = 10;
/** Prevents overflow: 2^30 s exceeds any sensible maximum delay. */
const DOUBLINGS_MAX = 30;

export interface GuessDeps {
  readonly clock: Clock;
  readonly config: {
    readonly hashingKey: string;
    readonly limits: {
      readonly signInFreeFailures: number;
      readonly signInDelayMaxSeconds: number;
      readonly signInFailuresPerAddressAndHour: number;
    };
  };
}

/** What an attempt to prove who one is is counted for. */
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

/**
 * One limit for the network place, and one for the site of an IPv6 place, whose owner could guess from thousands of places. `what`
 * names the kind of attempts that are counted together.
 */
export const networkLimits = (
  { config }: GuessDeps,
  what: string,
  networkAddress: string,
): readonly AttemptLimit[] =>
  networkCaller(networkAddress)
    .toReversed()
    .map((network, index) => ({
      subject: attemptSubject(config.hashingKey, `${what} ${network}`),
      windowMs: HOUR_MS,
      countMax:
        config.limits.signInFailuresPerAddressAndHour * (index === 0 ? 1 : PLACES_OF_SITE_MAX),
    }));

const subjectsOf = (limits: readonly AttemptLimit[]): Buffer[] =>
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
  // Not yet delayed, even if a concurrent attempt has counted a moment later than `now`.
  if (delaySeconds === 0) return;
  const leftMs = before.lastAttemptAt.getTime() + delaySeconds * 1000 - now.getTime();
  if (leftMs > 0) {
    throw new AppError('too_many_attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }
}

/** Throws `too_many_attempts` if `beginAttempt` would, but counts nothing: such an attempt need not queue for hashing. */
export async function requireAttemptNow(
  db: Db,
  deps: GuessDeps,
  { delayed, networks }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  if (networks.length > 0) await requireAttemptLeft(db, networks, now, 'too_many_attempts');
  requireNoDelay(deps, await selectAttempts(db, delayed), now);
}

/** Counts an attempt. Throws `too_many_attempts` and counts nothing if a limit is reached. */
export async function beginAttempt(
  db: Db,
  deps: GuessDeps,
  { delayed, networks }: Attempt,
): Promise<void> {
  const now = dateOf(deps.clock);
  await db.transaction().execute(async (tx) => {
    if (networks.length > 0) await takeAttempt(tx, networks, now, 'too_many_attempts');
    requireNoDelay(deps, await selectAttemptsForUpdate(tx, delayed), now);
    await countAttempts(tx, [{ subject: delayed, windowMs: ADDRESS_WINDOW_MS }], now);
  });
}

/**
 * After a right attempt: forgets the failures that delayed it, but not those of the network place. A known device does not forgive
 * the failures of others on its account.
 */
export async function forgiveAttempt(tx: Tx, { delayed, networks }: Attempt): Promise<void> {
  if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
  await forgetAttempts(tx, [delayed]);
}

/** Takes back an attempt that ended before it was judged. */
export async function withdrawAttempt(db: Db, { delayed, networks }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The order in which `beginAttempt` locks them, so that the two cannot deadlock.
    if (networks.length > 0) await takeBackAttempts(tx, subjectsOf(networks));
    await takeBackAttempts(tx, [delayed]);
  });
}
