import { pipelined } from '../../../platform/database/pipelined.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { accountRestricted, isHeld } from '../../holds/index.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { AWAITED_FIRST } from '../links/mail-requests.ts';
import { selectCredentials, type Credentials } from '../users.sql.ts';
import type { Device } from './device.ts';
import { beginSession } from './begin-session.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import {
  deleteOldestChallenges,
  insertSignInChallenge,
} from '../second-step/sign-in-challenges.sql.ts';
import { selectConfirmedAt } from '../second-step/second-step.sql.ts';

/** Enough time to find the phone. */
const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly device: Device;
  readonly attempt: Attempt;
}

type Verdict =
  | { readonly isRight: true; readonly user: NonNullable<Credentials['user']> }
  /** `unverifiedId` is the unverified sign-up whose password this is, if any. */
  | { readonly isRight: false; readonly unverifiedId: bigint | undefined };

/** Checks a password. Costs one query and one hash, whether or not the address has an account or a sign-up. */
async function judge(
  { db, passwords }: AuthDeps,
  email: string,
  password: string,
): Promise<Verdict> {
  const { user, signUp } = await selectCredentials(db, email);
  if (user !== undefined) {
    return (await passwords.verify(user.passwordHash, password))
      ? { isRight: true, user }
      : { isRight: false, unverifiedId: undefined };
  }
  const isOfSignUp =
    signUp === undefined
      ? await passwords.verifyNothing(password)
      : await passwords.verify(signUp.passwordHash, password);
  return { isRight: false, unverifiedId: isOfSignUp ? signUp?.signUpId : undefined };
}

/** `second_factor` means that the password is right and the account asks for a code too. */
type Begun =
  | { readonly outcome: 'open'; readonly token: string }
  | { readonly outcome: 'second_factor'; readonly challenge: string };

/** Returns `undefined` if the password was changed after the check: that change ended all sessions. */
async function begin(
  deps: AuthDeps,
  user: NonNullable<Credentials['user']>,
  device: Device,
  attempt: Attempt,
): Promise<Begun | undefined> {
  const { db, clock } = deps;
  return db.transaction().execute(async (tx): Promise<Begun | undefined> => {
    // The user is locked first, as in a password change and a reset, so that they cannot deadlock.
    const [current, isStopped, confirmedAt] = await pipelined(tx, (pipe) =>
      Promise.all([
        lockPassword(pipe, user.userId),
        // Placing a hold takes the same lock and ends open sessions.
        isHeld(pipe, user.userId, 'sign_in'),
        selectConfirmedAt(pipe, user.userId),
      ]),
    );
    if (current?.passwordHash !== user.passwordHash) return undefined;
    // Only a caller who knows the password learns of a hold.
    if (isStopped) throw accountRestricted('You are not signed in.');
    if (confirmedAt !== undefined) {
      const expiresAt = new Date(clock.nowMs() + CHALLENGE_LIFETIME_MS);
      const { passwordHash } = current;
      const challenge = await insertSignInChallenge(tx, user.userId, { passwordHash, expiresAt });
      await deleteOldestChallenges(tx, user.userId);
      return { outcome: 'second_factor', challenge };
    }
    const token = await beginSession(tx, deps, { user, device, attempt, method: 'password' });
    return { outcome: 'open', token };
  });
}

/**
 * Opens a session. A wrong password, an unknown address and a sign-in before verification get the same response, cost the same
 * work and count alike (D-057). If the password is that of an unverified sign-up, a job sends the verification mail again.
 * Throws `second_factor_required` with a challenge for the account's second step, and `incorrect_credentials`, `account_restricted`,
 * `too_many_attempts` and `overloaded`.
 */
export async function signIn(
  deps: AuthDeps,
  { email, password, device, attempt }: SignInRequest,
): Promise<{ token: string; userUuid: string }> {
  const { db } = deps;
  return makeAttempt(db, deps, attempt, async () => {
    const verdict = await judge(deps, email, password);
    if (!verdict.isRight) {
      const payload = {
        signUpId: verdict.unverifiedId === undefined ? null : String(verdict.unverifiedId),
      };
      await enqueueJob(db, 'auth_mail_unverified_sign_in', payload, { priority: AWAITED_FIRST });
      throw new AppError('incorrect_credentials');
    }
    const { user } = verdict;
    const begun = await begin(deps, user, device, attempt);
    if (begun === undefined) throw new AppError('incorrect_credentials');
    if (begun.outcome === 'second_factor') {
      // The attempt is not counted, and does not forgive earlier wrong codes.
      throw new AppError('second_factor_required', {
        extra: { challenge_id: begun.challenge, methods: ['totp', 'recovery_code'] },
      });
    }
    return { token: begun.token, userUuid: user.userUuid };
  });
}
