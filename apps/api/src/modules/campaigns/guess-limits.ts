/**
 * Limits on guessing reward codes: by account, by network place and in total. Wrong guesses are counted, and no guess is judged before
 * all earlier ones are counted. On a device that has signed in to the account before, only the account's own limit applies, so that
 * others at the same place cannot use up its guesses.
 */
import { dateOf, type Clock } from '../../platform/clock.ts';
import { Batcher } from '../../platform/database/batcher.ts';
import type { Db } from '../../platform/database/database.ts';
import { commitEarly } from '../../platform/database/early-commit.ts';
import { AppError } from '../../platform/errors.ts';
import {
  attemptSubject,
  HOUR_MS,
  judgeAttempts,
  type AttemptLimit,
  type AttemptSubject,
} from '../../platform/limits/attempt-counters.sql.ts';
import { networkPlace } from '../../platform/limits/network-address.ts';
import type { Cell, SealedColumns } from '../../platform/sealed.ts';
import { isKnownDeviceOf, type Device } from '../identity/index.ts';
import { selectStoredCodes, type StoredCode } from './campaigns.sql.ts';
import { noteLockOut } from './codes/lock-outs.sql.ts';

export interface GuessDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealed: SealedColumns;
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly limits: {
      readonly rewardGuessesPerAccountAndHour: number;
      readonly rewardGuessesPerAddressAndHour: number;
      readonly rewardGuessesPerHour: number;
    };
  };
}

/** The user who guesses, with the network place and the device. */
export interface Guesser {
  readonly userId: bigint;
  readonly networkAddress: string;
  readonly device: Device;
}

interface Guess extends Guesser {
  /** The hashes of the code, one for each hashing key. */
  readonly hashes: readonly Buffer[];
}

interface LimitedGuess extends Pick<Guess, 'hashes'> {
  readonly limits: readonly AttemptLimit[];
}

/** The same limits as for carts (pay-together.ts). A batch takes three statements, however many guesses it contains. */
const BATCHES = { batchesInFlightMax: 2, batchSizeMax: 64, waitingMax: 2_000, waitMaxMs: 3_500 };

export const NOTHING_CREDITED = 'Nothing was credited.';

/** The same error for malformed and unknown codes, so that a guesser learns nothing else. */
export const invalidCode = (): AppError =>
  new AppError('invalid_reward_code', { detail: `${NOTHING_CREDITED} Check the code.` });

/** The cell of a lock-out's place, by the subject of its counter. */
export const placeCell = (subject: Buffer): Cell => ({
  table: 'reward_lock_outs',
  column: 'place',
  rowId: subject.toString('hex'),
});

const guessSubject = (hashingKeys: readonly string[], what: string): AttemptSubject =>
  attemptSubject(hashingKeys, `reward guess ${what}`);

/** The subject that is locked out: the account of a user, or else the network place. */
export const lockedSubject = (
  { hashingKeys }: Pick<GuessDeps['config'], 'hashingKeys'>,
  locked: { readonly userId: bigint } | { readonly place: string },
): AttemptSubject =>
  guessSubject(
    hashingKeys,
    'userId' in locked ? `account ${locked.userId}` : `network ${locked.place}`,
  );

/** Records lock-outs for staff who are asked why no code works: the counters themselves contain no names. */
async function noteLockOuts(
  { db, clock, sealed }: GuessDeps,
  { userId, networkAddress }: Guesser,
  [ofAccount, ofPlace]: readonly AttemptLimit[],
): Promise<void> {
  const now = dateOf(clock);
  // The counter under the first key is complete once every process has had that key.
  const [accountHash] = ofAccount?.subject ?? [];
  if (ofAccount !== undefined && accountHash !== undefined) {
    const { countMax } = ofAccount;
    await noteLockOut(db, { subject: accountHash, countMax, userId, place: null }, now);
  }
  const [placeHash] = ofPlace?.subject ?? [];
  if (ofPlace === undefined || placeHash === undefined) return;
  const { countMax } = ofPlace;
  const place = sealed.seal(placeCell(placeHash), networkPlace(networkAddress));
  await noteLockOut(db, { subject: placeHash, countMax, userId: null, place }, now);
}

async function limitsOf(
  { db, config }: GuessDeps,
  { userId, networkAddress, device }: Guesser,
): Promise<readonly AttemptLimit[]> {
  const { hashingKeys, limits } = config;
  const ofAccount = [`account ${userId}`, limits.rewardGuessesPerAccountAndHour] as const;
  const ofOthersToo = [
    [`network ${networkPlace(networkAddress)}`, limits.rewardGuessesPerAddressAndHour],
    ['all', limits.rewardGuessesPerHour],
  ] as const;
  const isKnown = device.hasId && (await isKnownDeviceOf(db, userId, device.hashes));
  return [ofAccount, ...(isKnown ? [] : ofOthersToo)].map(([what, countMax]) => ({
    subject: guessSubject(hashingKeys, what),
    windowMs: HOUR_MS,
    countMax,
  }));
}

/**
 * Judges guesses in one transaction, which commits early, because all guesses lock the counter of the total. Returns each stored code or
 * a refusal. A right guess writes no count, so the counters are read under their locks.
 */
async function judgeTogether(
  { db, clock }: GuessDeps,
  guesses: readonly LimitedGuess[],
): Promise<readonly (StoredCode | AppError)[]> {
  const codes = await selectStoredCodes(
    db,
    guesses.flatMap(({ hashes }) => hashes),
  );
  const judged = guesses.map(({ hashes, limits }) => {
    const [code] = hashes.flatMap((hash) => codes.get(hash.toString('hex')) ?? []);
    return { limits, code, isCounted: code === undefined };
  });
  const refusals = await db.transaction().execute(async (tx) => {
    await commitEarly(tx);
    return judgeAttempts(tx, judged, dateOf(clock), 'too_many_attempts');
  });
  return judged.map(({ code }, index) => refusals[index] ?? code ?? invalidCode());
}

/** Finds a code. Throws `too_many_attempts` without counting the guess, and `invalid_reward_code`. */
export type FindCode = (guess: Guess) => Promise<StoredCode>;

/** Guesses that arrive while others are judged share a batch. Create one per process. */
export function createFindCode(deps: GuessDeps): FindCode {
  const batcher = new Batcher<LimitedGuess, StoredCode | AppError>({
    name: 'guesses',
    send: (guesses) => judgeTogether(deps, guesses),
    ...BATCHES,
  });
  return async (guess) => {
    const limits = await limitsOf(deps, guess);
    const result = await batcher.ask({ hashes: guess.hashes, limits });
    if (!(result instanceof AppError)) return result;
    if (result.code === 'too_many_attempts') await noteLockOuts(deps, guess, limits);
    throw result;
  };
}
