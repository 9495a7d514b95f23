/** Acts that require the password in addition to the session. */
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { forgiveAttempt, makeAttempt } from '../../../platform/limits/guesses.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockPassword, selectPassword } from '../passwords/password-change.sql.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';

/** The caller: user, network place, device and session. */
export interface Owner extends Origin {
  readonly userId: bigint;
  readonly sessionId: string;
}

/**
 * Runs `act` for a user who proves the password, and locks the user. `judge` runs first, outside the transaction, and its errors count
 * like a wrong password. Throws `incorrect_password`, `too_many_attempts`, `session_ended`, `try_again`.
 */
export async function asOwner<Judged, Result>(
  deps: AuthDeps,
  { owner, password }: { readonly owner: Owner; readonly password: string },
  judge: () => Promise<Judged>,
  act: (tx: Tx, email: string, judged: Judged) => Promise<Result>,
): Promise<Result> {
  const { db, passwords } = deps;
  const current = await selectPassword(db, owner.userId);
  if (current === undefined) throw new AppError('session_ended');
  const { email, passwordHash } = current;
  const attempt = await planAttempt(db, deps, email, owner);
  return makeAttempt(db, deps, attempt, async () => {
    if (!(await passwords.verify(passwordHash, password))) throw new AppError('incorrect_password');
    const judged = await judge();
    return db.transaction().execute(async (tx) => {
      const locked = await lockPassword(tx, owner.userId);
      if (locked?.passwordHash !== passwordHash) {
        throw new AppError('try_again', { retryAfterSeconds: 1 });
      }
      const result = await act(tx, email, judged);
      await forgiveAttempt(tx, attempt);
      return result;
    });
  });
}
