import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { requireNotHeld } from '../../holds/index.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { AWAITED_FIRST } from '../links/mail-requests.ts';
import { selectCredentials, type Credentials } from '../users.sql.ts';
import type { Device } from './device.ts';
import { rememberDevice } from './known-devices.sql.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { takeDeviceMail } from './sign-in-limits.ts';

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

/** Returns `undefined` if the password was changed after the check: that change ended all sessions. */
async function openSession(
  deps: AuthDeps,
  user: NonNullable<Credentials['user']>,
  device: Device,
  attempt: Attempt,
): Promise<string | undefined> {
  const { db, clock, sessions } = deps;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    // The user is locked first, as in a password change and a reset, so that they cannot deadlock.
    const current = await lockPassword(tx, user.userId);
    if (current?.passwordHash !== user.passwordHash) return undefined;
    // Said only to whoever knows the password. Placing a hold takes the same lock and ends the sessions that are open.
    await requireNotHeld(tx, {
      userId: user.userId,
      kind: 'sign_in',
      nothing: 'You are not signed in.',
    });
    await forgiveAttempt(tx, attempt);
    const isNew = await rememberDevice(tx, user.userId, device, now);
    if (isNew && (await takeDeviceMail(tx, deps, user.userId))) {
      await enqueueJob(tx, 'auth_mail_new_device', {
        userId: String(user.userId),
        device: device.label,
        at: now.toISOString(),
      });
    }
    return sessions.open(tx, user, { label: device.name, method: 'password' });
  });
}

/**
 * Opens a session. A wrong password, an unknown address and a sign-in before verification get the same response, cost the same
 * work and count alike (D-057). If the password is that of an unverified sign-up, a job sends the verification mail again.
 * Throws `incorrect_credentials`, `account_restricted`, `too_many_attempts`, `overloaded`.
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
    const token = await openSession(deps, user, device, attempt);
    if (token === undefined) throw new AppError('incorrect_credentials');
    return { token, userUuid: user.userUuid };
  });
}
