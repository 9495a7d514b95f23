import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { upsertMailedReset } from '../recovery/mailed-resets.sql.ts';
import { forgetRecovery } from '../recovery/recovery.ts';
import { lockUserEmail, selectUserIdByEmail, updatePasswordHash } from '../users.sql.ts';
import { hashLinkCode } from '../links/link-code.ts';
import { deleteLinkCode, deleteResetCodesOf, selectUserOfCode } from '../links/link-code.sql.ts';
import { deleteUnconfirmedTotp } from '../second-step/second-step.sql.ts';
import { forgetFailures } from '../sign-in/sign-in-limits.ts';
import { requireStrongPassword } from '../sign-up/sign-up.ts';

/** Requests a reset link. Every address costs one query and one job; the job sends a mail only if there is a user. */
export async function requestReset(
  { db }: AuthDeps,
  email: string,
  priority: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const userId = await selectUserIdByEmail(tx, email);
    const payload = { userId: userId === undefined ? null : String(userId) };
    await enqueueJob(tx, 'auth_mail_reset', payload, { priority });
  });
}

interface Reset {
  readonly code: string;
  readonly newPassword: string;
}

/** Refuses a bad reset before it queues for hashing. Returns the user of the code. Throws `weak_password`, `invalid_code`. */
export async function requireReset(
  { db, clock }: AuthDeps,
  { code, newPassword }: Reset,
): Promise<bigint> {
  requireStrongPassword(newPassword);
  const userId = await selectUserOfCode(db, hashLinkCode(code), dateOf(clock));
  if (userId === undefined) throw new AppError('invalid_code');
  return userId;
}

/**
 * Sets a new password with a mailed code, ends every session of the user and informs the owner. A weak password does not use
 * up the code. Throws `weak_password`, `invalid_code`, `overloaded`.
 */
export async function resetPassword(deps: AuthDeps, reset: Reset): Promise<void> {
  const { db, clock, passwords, sessions } = deps;
  const { code, newPassword } = reset;
  const codeHash = hashLinkCode(code);
  // Checked again before the password is hashed: a reset that has waited may repeat one that is done.
  const userId = await requireReset(deps, reset);
  const passwordHash = await passwords.hash(newPassword);
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    // Serializes the resets of a user. The code may have been used or have expired while the password was hashed.
    const email = await lockUserEmail(tx, userId);
    const isGood = (await selectUserOfCode(tx, codeHash, now)) !== undefined;
    if (email === undefined || !isGood || !(await deleteLinkCode(tx, codeHash))) {
      throw new AppError('invalid_code');
    }
    await updatePasswordHash(tx, userId, passwordHash);
    await forgetRecovery(tx, clock, userId);
    await upsertMailedReset(tx, userId, now);
    await deleteResetCodesOf(tx, userId);
    await deleteUnconfirmedTotp(tx, userId);
    await forgetFailures(tx, deps, { userId, email });
    await sessions.revokeAll(tx, userId);
    await enqueueJob(tx, 'auth_mail_password_reset', {
      userId: String(userId),
      at: now.toISOString(),
    });
  });
}
