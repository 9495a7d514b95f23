/**
 * Limits on guessing reward codes: by account, by network place and in total. A guess is counted before the code is looked up,
 * and taken back if the code exists. On a device that has signed in to the account before, only the account's own limit holds,
 * so that others at the same place cannot use up what is left.
 */
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
  takeBackAttempts,
  type AttemptLimit,
} from '../../platform/limits/attempt-counters.sql.ts';
import { networkPlace } from '../../platform/limits/network-address.ts';
import type { Cell, SealedColumns } from '../../platform/sealed.ts';
import { isKnownDeviceOf, type Device } from '../identity/index.ts';
import { noteLockOut } from './codes/lock-outs.sql.ts';

export interface GuessDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealed: SealedColumns;
  readonly config: {
    readonly hashingKey: string;
    readonly limits: {
      readonly rewardGuessesPerAccountAndHour: number;
      readonly rewardGuessesPerAddressAndHour: number;
      readonly rewardGuessesPerHour: number;
    };
  };
}

/** Who guesses, and from where. */
export interface Guesser {
  readonly userId: bigint;
  readonly networkAddress: string;
  readonly device: Device;
}

/** The subjects on which a guess was counted. */
export type Guess = readonly Buffer[];

/** The place of a lock-out, by the subject of its counter. */
export const placeCell = (subject: Buffer): Cell => ({
  table: 'reward_lock_outs',
  column: 'place',
  rowId: subject.toString('hex'),
});

/** For staff who are asked why no code works: the counters themselves know no names. */
async function noteLockOuts(
  { db, clock, sealed }: GuessDeps,
  { userId, networkAddress }: Guesser,
  [ofAccount, ofPlace]: readonly AttemptLimit[],
): Promise<void> {
  const now = dateOf(clock);
  if (ofAccount !== undefined) await noteLockOut(db, { ...ofAccount, userId, place: null }, now);
  if (ofPlace === undefined) return;
  const place = sealed.seal(placeCell(ofPlace.subject), networkPlace(networkAddress));
  await noteLockOut(db, { ...ofPlace, userId: null, place }, now);
}

/** Counts a guess. Throws `too_many_attempts` and counts nothing if an hourly limit is reached. */
export async function countGuess(deps: GuessDeps, guesser: Guesser): Promise<Guess> {
  const { db, clock, config } = deps;
  const { hashingKey, limits } = config;
  const { userId, networkAddress, device } = guesser;
  const ofAccount = [`account ${userId}`, limits.rewardGuessesPerAccountAndHour] as const;
  const ofOthersToo = [
    [`network ${networkPlace(networkAddress)}`, limits.rewardGuessesPerAddressAndHour],
    ['all', limits.rewardGuessesPerHour],
  ] as const;
  const isKnown = device.hasId && (await isKnownDeviceOf(db, userId, device.hash));
  const counted = [ofAccount, ...(isKnown ? [] : ofOthersToo)].map(([what, countMax]) => ({
    subject: attemptSubject(hashingKey, `reward guess ${what}`),
    windowMs: HOUR_MS,
    countMax,
  }));
  try {
    await db
      .transaction()
      .execute((tx) => takeAttempt(tx, counted, dateOf(clock), 'too_many_attempts'));
  } catch (error) {
    if (error instanceof AppError) await noteLockOuts(deps, guesser, counted);
    throw error;
  }
  return counted.map(({ subject }) => subject);
}

/** Takes the count back when the code turns out to exist. */
export const takeBackGuess = ({ db }: GuessDeps, guess: Guess): Promise<void> =>
  takeBackAttempts(db, guess);
