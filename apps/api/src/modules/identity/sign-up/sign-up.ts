import { legal } from '@athos/brand/legal';
import { passwordStrength } from '@athos/domain/password';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { insertUser } from '../users.sql.ts';
import type { Device } from '../sign-in/device.ts';
import { rememberDevice } from '../sign-in/known-devices.sql.ts';
import { hashLinkCode } from '../links/link-code.ts';
import { deleteLinkCode, selectSignUpOfCode } from '../links/link-code.sql.ts';
import { deleteSignUpsOf, insertSignUp, lockSignUpsBeside, selectSignUp } from './sign-up.sql.ts';

/** Throws `weak_password`. Sign-up, reset and update share this rule (D-048). */
export function requireStrongPassword(password: string): void {
  if (passwordStrength(password) === 'Strong') return;
  throw new AppError('weak_password', {
    detail: 'Use at least 8 characters with an uppercase letter, a number and a symbol.',
  });
}

interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  readonly termsVersion: string | undefined;
}

/**
 * Stores a sign-up and enqueues its mail. It does not look up whether the address has an account, so neither the response nor
 * its timing reveals that: the mail job decides whether to send the link or to inform the owner (D-050, D-051). Throws
 * `weak_password` and `overloaded`.
 */
export async function signUp(
  { db, clock, passwords }: AuthDeps,
  { email, password, termsVersion }: SignUpRequest,
): Promise<void> {
  requireStrongPassword(password);
  const passwordHash = await passwords.hash(password);
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    const signUpId = await insertSignUp(tx, {
      email,
      passwordHash,
      // Signing up accepts the terms; a caller that sends no version accepts the current one.
      termsVersion: termsVersion ?? legal.terms.version,
      termsAcceptedAt: now,
      createdAt: now,
    });
    await enqueueJob(tx, 'auth_mail_sign_up', { signUpId: String(signUpId) });
  });
}

/**
 * Opens an account from the sign-up that a mailed code belongs to, with the password of that sign-up, and signs the owner in.
 * Throws `invalid_code`.
 */
export async function verifySignUp(
  { db, clock, ledger, sessions }: AuthDeps,
  code: string,
  device: Device,
): Promise<{ token: string; userUuid: string }> {
  const codeHash = hashLinkCode(code);
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const signUpId = await selectSignUpOfCode(tx, codeHash, now);
    if (signUpId === undefined) throw new AppError('invalid_code');
    // If two links of one address are used at once, the second waits here and finds its sign-up deleted.
    const beside = await lockSignUpsBeside(tx, signUpId);
    if (beside === undefined || !(await deleteLinkCode(tx, codeHash))) {
      throw new AppError('invalid_code');
    }
    const user = await insertUser(tx, await selectSignUp(tx, signUpId));
    // Another sign-up has opened an account with this address meanwhile.
    if (user === undefined) throw new AppError('invalid_code');
    await ledger.openAccounts(tx, user.userId);
    await deleteSignUpsOf(tx, beside.email);
    await rememberDevice(tx, user.userId, device.hash, now);
    return { token: await sessions.open(tx, user), userUuid: user.userUuid };
  });
}
