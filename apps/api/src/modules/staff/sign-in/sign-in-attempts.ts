/** Limits of signing in to the console. They follow the wallet's protocol (platform/limits/guesses.ts). */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import {
  attemptSubject,
  countAttempts,
  forgetAttempts,
  HOUR_MS,
  takeAttempt,
  type AttemptSubject,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { networkSite } from '../../../platform/limits/caller.ts';
import { networkLimits, type Attempt, type GuessDeps } from '../../../platform/limits/guesses.ts';

/**
 * The number of wrong codes after the right password, per day. Three of a million codes are valid at a time, so this many guesses a day
 * find one in about 16,000 days.
 */
export const WRONG_CODES_PER_DAY = 20;

const PASSKEY_CHALLENGES_PER_MINUTE = 30;

/** Staff and customers have separate counters, so that neither can lock the other out. */
const attempt = (deps: GuessDeps, what: string, networkAddress: string): Attempt => ({
  delayed: attemptSubject(deps.config.hashingKeys, what),
  networks: networkLimits(deps, 'staff network', networkAddress),
});

export const passwordAttempt = (deps: GuessDeps, email: string, networkAddress: string): Attempt =>
  attempt(deps, `staff ${email}`, networkAddress);

export const passkeyAttempt = (
  deps: GuessDeps,
  credentialId: string,
  networkAddress: string,
): Attempt => attempt(deps, `staff passkey ${credentialId}`, networkAddress);

const codesSubject = ({ config }: GuessDeps, staffId: string): AttemptSubject =>
  attemptSubject(config.hashingKeys, `staff codes ${staffId}`);

/**
 * Counts a code before it is checked. Returns the day's number of wrong codes, including this one. After a wrong password another counter
 * is raised instead, so that the call takes the same time.
 */
export async function countCode(
  db: Db,
  deps: GuessDeps,
  { staffId, email }: { readonly staffId: string | undefined; readonly email: string },
): Promise<number> {
  const subject =
    staffId === undefined
      ? attemptSubject(deps.config.hashingKeys, `no staff codes ${email}`)
      : codesSubject(deps, staffId);
  const windowMs = 24 * HOUR_MS;
  const [counted] = await countAttempts(db, [{ subject, windowMs }], dateOf(deps.clock));
  return counted?.attemptCount ?? 0;
}

export const forgetCodes = (tx: Tx, deps: GuessDeps, staffId: string): Promise<void> =>
  forgetAttempts(tx, [codesSubject(deps, staffId)]);

/** Counts a request for a challenge. Anybody can make one, and each leaves a row. Throws `too_many_requests`. */
export async function takeChallengeRequest(
  db: Db,
  { clock, config }: GuessDeps,
  networkAddress: string,
): Promise<void> {
  const limit = {
    subject: attemptSubject(config.hashingKeys, `staff challenges ${networkSite(networkAddress)}`),
    windowMs: 60_000,
    countMax: PASSKEY_CHALLENGES_PER_MINUTE,
  };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
}
