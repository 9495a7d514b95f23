import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { forgetRecovery } from '../recovery/recovery.ts';
import { updatePasswordHash } from '../users.sql.ts';
import { deleteResetCodesOf } from '../links/link-code.sql.ts';
import { deleteUnconfirmedTotp } from '../second-step/second-step.sql.ts';
import {
  insertChange,
  lockPassword,
  selectChange,
  selectPassword,
  type CurrentPassword,
} from './password-change.sql.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';
import { requireStrongPassword } from '../sign-up/sign-up.ts';

/** The caller: user, network place, device and session. The session stays open. */
interface Caller extends Origin {
  readonly userId: bigint;
  readonly sessionId: string;
  /** The Idempotency-Key. */
  readonly key: string;
}

interface PasswordPair {
  readonly oldPassword: string;
  readonly newPassword: string;
}

type Verdict = 'right' | 'wrong' | 'done_before' | 'other_request';

/** An unambiguous text of both passwords. */
const requestText = ({ oldPassword, newPassword }: PasswordPair): string =>
  JSON.stringify([oldPassword, newPassword]);

/** The key is looked up first, because in a replay the old password no longer matches. */
async function judge(
  { db, passwords }: AuthDeps,
  caller: Caller,
  { current, pair }: { current: CurrentPassword; pair: PasswordPair },
): Promise<Verdict> {
  const doneHash = await selectChange(db, caller);
  if (doneHash !== undefined) {
    const isSame = await passwords.verify(doneHash, requestText(pair));
    return isSame ? 'done_before' : 'other_request';
  }
  return (await passwords.verify(current.passwordHash, pair.oldPassword)) ? 'right' : 'wrong';
}

interface Change {
  readonly attempt: Attempt;
  /** The stored password against which the old one was checked. */
  readonly current: CurrentPassword;
  readonly passwordHash: string;
  readonly requestHash: string;
}

/** Returns `false` and changes nothing if the password was changed after the check. */
async function commitChange(deps: AuthDeps, caller: Caller, change: Change): Promise<boolean> {
  const { db, clock, sessions } = deps;
  const { userId, sessionId } = caller;
  const { attempt, current, passwordHash, requestHash } = change;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const locked = await lockPassword(tx, userId);
    if (locked?.passwordHash !== current.passwordHash) return false;
    await insertChange(tx, caller, { requestHash, now });
    await updatePasswordHash(tx, userId, passwordHash);
    await forgetRecovery(tx, clock, userId);
    // An unused reset link in a mailbox must not be able to undo the change.
    await deleteResetCodesOf(tx, userId);
    await deleteUnconfirmedTotp(tx, userId);
    await forgiveAttempt(tx, attempt);
    await sessions.revokeAll(tx, userId, sessionId);
    await enqueueJob(tx, 'auth_mail_password_changed', {
      userId: String(userId),
      at: now.toISOString(),
    });
    return true;
  });
}

/** Makes one attempt, counted like a sign-in. */
async function attemptChange(
  deps: AuthDeps,
  caller: Caller,
  { attempt, current, pair }: { attempt: Attempt; current: CurrentPassword; pair: PasswordPair },
): Promise<void> {
  const { db, passwords } = deps;
  await makeAttempt(db, deps, attempt, async () => {
    const verdict = await judge(deps, caller, { current, pair });
    if (verdict === 'wrong') throw new AppError('incorrect_password');
    if (verdict === 'other_request') throw new AppError('idempotency_key_reused');
    if (verdict === 'done_before') {
      await db.transaction().execute((tx) => forgiveAttempt(tx, attempt));
      return;
    }
    const passwordHash = await passwords.hash(pair.newPassword);
    const requestHash = await passwords.hash(requestText(pair));
    const change = { attempt, current, passwordHash, requestHash };
    // Another request has just changed it, perhaps a replay in another process: a retry with the same key can tell.
    if (!(await commitChange(deps, caller, change))) {
      throw new AppError('try_again', { retryAfterSeconds: 1 });
    }
  });
}

/**
 * Replaces the password, ends every other session of the user and informs the owner (spec 7, `PUT account/update_password`;
 * D-056). A wrong old password counts like a failed sign-in, so that a stolen session does not help with guessing. A replay
 * with the same key and passwords succeeds and changes nothing. Throws `weak_password`, `incorrect_password`,
 * `idempotency_key_reused`, `too_many_attempts`, `session_ended`, `try_again`, `overloaded`.
 */
export async function changePassword(
  deps: AuthDeps,
  caller: Caller,
  pair: PasswordPair,
): Promise<void> {
  requireStrongPassword(pair.newPassword);
  const current = await selectPassword(deps.db, caller.userId);
  if (current === undefined) throw new AppError('session_ended');
  const attempt = await planAttempt(deps.db, deps, current.email, caller);
  await attemptChange(deps, caller, { attempt, current, pair });
}
