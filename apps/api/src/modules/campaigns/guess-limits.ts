/**
 * Limits on guessing reward codes: of one account, from one network place and in all. A try is counted before the code is
 * looked for and taken back if it is there, so of a thousand tries at once no more are let through than of a thousand in a
 * row, in however many processes. Only keyed hashes of what is counted for are kept.
 */
import { createHmac } from 'node:crypto';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { networkPlace } from '../../platform/limits/network-address.ts';
import { uncountGuesses, upsertGuesses } from './guess-limits.sql.ts';

export const GUESS_WINDOW_MS = 60 * 60 * 1000;

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

/** Counts a try. Throws `too_many_attempts`, and counts nothing, where an hour has seen enough of them. */
export async function countGuess(
  { db, clock, config }: GuessDeps,
  { userId, networkAddress }: { userId: bigint; networkAddress: string },
): Promise<Guess> {
  const { limits, hashingKey } = config;
  const counted = (
    [
      [`account ${userId}`, limits.rewardGuessesPerAccountAndHour],
      [`network ${networkPlace(networkAddress)}`, limits.rewardGuessesPerAddressAndHour],
      ['all', limits.rewardGuessesPerHour],
    ] as const
  ).map(([name, countMax]) => ({
    subject: createHmac('sha256', hashingKey).update(`reward guess ${name}`).digest(),
    countMax,
  }));
  const now = dateOf(clock);
  const startedAfter = new Date(now.getTime() - GUESS_WINDOW_MS);
  await db.transaction().execute(async (tx) => {
    const counts = await upsertGuesses(
      tx,
      counted.map(({ subject }) => subject),
      now,
      startedAfter,
    );
    for (const { subject, guessCount, countedSince } of counts) {
      const countMax = counted.find((other) => other.subject.equals(subject))?.countMax ?? 0;
      if (guessCount <= countMax) continue;
      const leftMs = countedSince.getTime() + GUESS_WINDOW_MS - now.getTime();
      throw new AppError('too_many_attempts', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
    }
  });
  return counted.map(({ subject }) => subject);
}

/** The code was there: it was no guess. */
export const takeBackGuess = ({ db }: GuessDeps, guess: Guess): Promise<void> =>
  uncountGuesses(db, guess);
