/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { makeAttempt } from '../../../platform/limits/guesses.ts';
import { requireNotHeld } from '../../holds/index.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { deleteMailedReset } from '../recovery/mailed-resets.sql.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';
import { judgeCode, spendCode } from './codes.ts';
import {
  passwordDigest,
  selectChallenged,
  takeSignInChallenge,
  takeTry,
} from './sign-in-challenges.sql.ts';

interface GivenCode {
  readonly challenge: string;
  readonly code: string;
}

/**
 * Opens a session. A wrong code counts like a wrong password, and the fifth ends the sign-in. Throws `invalid_code`,
 * `challenge_ended`, `account_restricted`, `too_many_attempts`.
 */
export async function finishSignIn(
  deps: AuthDeps,
  { challenge, code }: GivenCode,
  origin: Origin,
): Promise<{ token: string; userUuid: string }> {
  const { db, clock } = deps;
  const user = await selectChallenged(db, challenge, dateOf(clock));
  if (user === undefined) throw new AppError('challenge_ended');
  const { userId, userUuid, email } = user;
  const attempt = await planAttempt(db, deps, email, origin);
  return makeAttempt(db, deps, attempt, async () => {
    if (!(await takeTry(db, challenge, dateOf(clock)))) throw new AppError('challenge_ended');
    const proof = await judgeCode(deps, userId, code);
    const token = await db.transaction().execute(async (tx) => {
      const current = await lockPassword(tx, userId);
      const digest = await takeSignInChallenge(tx, challenge);
      // The password has been changed, or another request has finished this sign-in.
      if (current === undefined || !digest?.equals(passwordDigest(current.passwordHash))) {
        throw new AppError('challenge_ended');
      }
      await requireNotHeld(tx, { userId, kind: 'sign_in', nothing: 'You are not signed in.' });
      await spendCode(tx, deps, userId, proof);
      // A user who set the password with a mailed link has now proved the second step too, so the reset was the owner's.
      await deleteMailedReset(tx, userId);
      const { device } = origin;
      return beginSession(tx, deps, { user, device, attempt, method: proof.by });
    });
    return { token, userUuid };
  });
}
