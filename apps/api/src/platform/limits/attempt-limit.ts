import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** So much may come at once: a queue of people, or the repeats after a network has come back. */
const BURST_SECONDS = 5;
/** Of users in five seconds; beyond that everybody starts anew. */
const KNOWN_COUNT_MAX = 10_000;

interface Allowance {
  readonly left: number;
  readonly atMs: number;
}

/** Counts one attempt of a user. Throws `too_many_requests`. */
export type TakeAttempt = (userId: bigint) => void;

/**
 * At most `perSecond` attempts of one user in this process over time. For what is kept for ever or long and costs the user
 * nothing, scans and sends: without a limit one signed-in telephone could fill the disk, or another's history. What goes
 * beyond it is refused and not kept.
 */
export function createAttemptLimit(clock: Clock, perSecond: number): TakeAttempt {
  const burst = perSecond * BURST_SECONDS;
  const allowances = new Map<bigint, Allowance>();
  return (userId) => {
    const nowMs = clock.nowMs();
    const { left, atMs } = allowances.get(userId) ?? { left: burst, atMs: nowMs };
    // A clock that was set back must not keep anybody from scanning until it has caught up.
    const passedMs = Math.max(0, nowMs - atMs);
    const refilled = Math.min(burst, left + (passedMs / 1000) * perSecond);
    const isAllowed = refilled >= 1;
    if (allowances.size >= KNOWN_COUNT_MAX) allowances.clear();
    allowances.set(userId, { left: isAllowed ? refilled - 1 : refilled, atMs: nowMs });
    if (!isAllowed) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
  };
}
