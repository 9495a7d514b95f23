/** What attempts to sign in to the console are counted for. The protocol is that of the wallet (platform/limits/guesses.ts). */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import {
  attemptSubject,
  countAttempts,
  forgetAttempts,
  HOUR_MS,
  takeAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { networkSite } from '../../../platform/limits/caller.ts';
import { networkLimits, type Attempt, type GuessDeps } from '../../../platform/limits/guesses.ts';

/**
 * Wrong codes with the right password, in a day. Of three codes that are valid at a time, among a million, so many guesses find one
 * in 16,000 days.
 */
export const WRONG_CODES_PER_DAY = 20;

const PASSKEY_CHALLENGES_PER_MINUTE = 30;

/** Failures of staff and of customers are counted apart: neither keeps the other out. */
const attempt = (deps: GuessDeps, what: string, networkAddress: string): Attempt => ({
  delayed: attemptSubject(deps.config.hashingKey, what),
  networks: networkLimits(deps, 'staff network', networkAddress),
});

export const passwordAttempt = (deps: GuessDeps, email: string, networkAddress: string): Attempt =>
  attempt(deps, `staff ${email}`, networkAddress);

export const passkeyAttempt = (
  deps: GuessDeps,
  credentialId: string,
  networkAddress: string,
): Attempt => attempt(deps, `staff passkey ${credentialId}`, networkAddress);

const codesSubject = ({ config }: GuessDeps, staffId: string): Buffer =>
  attemptSubject(config.hashingKey, `staff codes ${staffId}`);

/**
 * Counts a code before it is judged, and returns how many were wrong today with this one. Without a right password the code is not
 * judged, but something is counted all the same, so that it takes as long.
 */
export async function countCode(
  db: Db,
  deps: GuessDeps,
  { staffId, email }: { readonly staffId: string | undefined; readonly email: string },
): Promise<number> {
  const subject =
    staffId === undefined
      ? attemptSubject(deps.config.hashingKey, `no staff codes ${email}`)
      : codesSubject(deps, staffId);
  const windowMs = 24 * HOUR_MS;
  const [counted] = await countAttempts(db, [{ subject, windowMs }], dateOf(deps.clock));
  return counted?.attemptCount ?? 0;
}

export const forgetCodes = (tx: Tx, deps: GuessDeps, staffId: string): Promise<void> =>
  forgetAttempts(tx, [codesSubject(deps, staffId)]);

/** Counts a request for a challenge, which anybody may make and which leaves a row. Throws `too_many_requests`. */
export async function takeChallengeRequest(
  db: Db,
  { clock, config }: GuessDeps,
  networkAddress: string,
): Promise<void> {
  const limit = {
    subject: attemptSubject(config.hashingKey, `staff challenges ${networkSite(networkAddress)}`),
    windowMs: 60_000,
    countMax: PASSKEY_CHALLENGES_PER_MINUTE,
  };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
}
