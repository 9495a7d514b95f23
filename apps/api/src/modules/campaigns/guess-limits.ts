/**
 * Limits on guessing reward codes: of one account, from one network place and in all. A try is counted before the code is
 * looked for and taken back if the code exists.
 */
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
  takeBackAttempts,
} from '../../platform/limits/attempt-counters.sql.ts';
import { networkPlace } from '../../platform/limits/network-address.ts';

export interface GuessDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: {
    readonly hashingKey: string;
    readonly limits: {
      readonly rewardGuessesPerAccountAndHour: number;
      readonly rewardGuessesPerAddressAndHour: number;
      readonly rewardGuessesPerHour: number;
    };
  };
}

/** The subjects under which a try was counted. */
export type Guess = readonly Buffer[];

/** Counts a try. Throws `too_many_attempts`, and counts nothing, if the hour has seen enough of them. */
export async function countGuess(
  { db, clock, config: { hashingKey, limits } }: GuessDeps,
  { userId, networkAddress }: { userId: bigint; networkAddress: string },
): Promise<Guess> {
  const counted = (
    [
      [`account ${userId}`, limits.rewardGuessesPerAccountAndHour],
      [`network ${networkPlace(networkAddress)}`, limits.rewardGuessesPerAddressAndHour],
      ['all', limits.rewardGuessesPerHour],
    ] as const
  ).map(([what, countMax]) => ({
    subject: attemptSubject(hashingKey, `reward guess ${what}`),
    windowMs: HOUR_MS,
    countMax,
  }));
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, counted, dateOf(clock), 'too_many_attempts'));
  return counted.map(({ subject }) => subject);
}

/** The code exists, so the try was no guess. */
export const takeBackGuess = ({ db }: GuessDeps, guess: Guess): Promise<void> =>
  takeBackAttempts(db, guess);
