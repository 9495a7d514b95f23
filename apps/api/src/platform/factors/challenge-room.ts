import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { countOpenChallenges } from './challenges.sql.ts';

/** Each sign-in screen holds one challenge for five minutes. More than this many are no crowd but an attack, and would fill the table. */
const OPEN_MAX = 50_000;
/** Counting so many rows takes a few milliseconds, so callers within this time share a count. */
const COUNTED_FOR_MS = 1_000;
const RETRY_AFTER_SECONDS = 60;

/**
 * Limits the open challenges of callers who are not signed in. Other callers still get theirs when there is no room. A process counts
 * once a second and adds the challenges that it issues, so several processes together may exceed the limit by what they issue in a
 * second.
 *
 * Returns a function that throws `too_many_requests` if there is no room for one more.
 */
export function createChallengeRoom({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  let count: Promise<number> | undefined;
  let countedAtMs = 0;
  let givenCount = 0;

  function countAgain(nowMs: number): Promise<number> {
    countedAtMs = nowMs;
    givenCount = 0;
    const counting = countOpenChallenges(db, { now: dateOf(clock), countMax: OPEN_MAX });
    count = counting;
    counting.catch(() => {
      if (count === counting) count = undefined;
    });
    return counting;
  }

  return async function takeRoom(): Promise<void> {
    const nowMs = clock.nowMs();
    const isFresh = Math.abs(nowMs - countedAtMs) < COUNTED_FOR_MS;
    const counting = isFresh && count !== undefined ? count : countAgain(nowMs);
    givenCount += 1;
    const place = givenCount;
    if ((await counting) + place > OPEN_MAX) {
      throw new AppError('too_many_requests', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  };
}
