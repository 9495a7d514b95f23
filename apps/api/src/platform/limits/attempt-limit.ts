import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** Burst allowance, in seconds of the rate: for a queue of people, or for retries after a network outage. */
const BURST_SECONDS = 5;
/** The number of users remembered. Above it, all users start with a full allowance again. */
const KNOWN_COUNT_MAX = 10_000;

interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

/** Counts one attempt of a user. Throws `too_many_requests`. */
export type TakeAttempt = (userId: bigint, isReplay?: () => Promise<boolean>) => Promise<void>;

/** Creates a function that checks whether a caller may try now, and counts the attempt if so. */
export function createAllowance<Id>(
  clock: Clock,
  perSecond: number,
  burst: number,
): (id: Id) => boolean {
  const allowances = new Map<Id, Allowance>();
  return (id) => {
    const nowMs = clock.nowMs();
    const { left, atMs } = allowances.get(id) ?? { left: burst, atMs: nowMs };
    // After a clock is set back, users must not be blocked until it has caught up.
    const passedMs = Math.max(0, nowMs - atMs);
    const refilled = Math.min(burst, left + (passedMs / 1000) * perSecond);
    const isAllowed = refilled >= 1;
    if (allowances.size >= KNOWN_COUNT_MAX) allowances.clear();
    allowances.set(id, { left: isAllowed ? refilled - 1 : refilled, atMs: nowMs });
    return isAllowed;
  };
}

/**
 * Allows `perSecond` attempts of one user on average, in this process. Limits scans and sends, which are stored for a long time and cost
 * the user nothing: otherwise one signed-in phone could fill the disk or another user's history. Refused attempts are not stored.
 *
 * Replays have their own allowance, so that new attempts cannot keep a user from the answer of a finished one. It is taken before
 * `isReplay` queries the database, so that a flood of replays is limited too.
 */
export function createAttemptLimit(clock: Clock, perSecond: number): TakeAttempt {
  const burst = perSecond * BURST_SECONDS;
  const take = createAllowance<bigint>(clock, perSecond, burst);
  const takeReplay = createAllowance<bigint>(clock, perSecond, burst);
  return async (userId, isReplay) => {
    if (take(userId)) return;
    if (isReplay !== undefined && takeReplay(userId) && (await isReplay())) return;
    throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
  };
}
