/**
 * Tells a sender before a send whether an address can receive it. The limits keep a signed-in stranger from collecting existing
 * addresses.
 */
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../platform/limits/attempt-counters.sql.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import { findRecipientOf, type FoundRecipient } from '../profiles/index.ts';

const MINUTE_MS = 60_000;

export interface LookUpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealed: SealedColumns;
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly limits: {
      readonly recipientLookupsPerMinute: number;
      readonly recipientLookupsPerDay: number;
    };
  };
}

/** Counts a lookup. Throws `too_many_requests` and counts nothing if a limit is reached. */
async function takeLookup(
  { db, clock, config: { hashingKeys, limits } }: LookUpDeps,
  userId: bigint,
): Promise<void> {
  const ofMinute = {
    subject: attemptSubject(hashingKeys, `recipients of a minute ${userId}`),
    windowMs: MINUTE_MS,
    countMax: limits.recipientLookupsPerMinute,
  };
  const ofDay = {
    subject: attemptSubject(hashingKeys, `recipients of a day ${userId}`),
    windowMs: 24 * HOUR_MS,
    countMax: limits.recipientLookupsPerDay,
  };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [ofMinute, ofDay], dateOf(clock), 'too_many_requests'));
}

/**
 * The open account to which a text refers; `undefined` if there is none. Unlike a send it caches nothing, because the account may have
 * been closed since.
 */
export async function lookUpRecipient(
  deps: LookUpDeps,
  { userId, text }: { userId: bigint; text: string },
): Promise<FoundRecipient | undefined> {
  await takeLookup(deps, userId);
  return findRecipientOf(deps, text);
}
