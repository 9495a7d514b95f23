/**
 * The owner deletes the account with the password (spec 7, `POST account/delete`; D-106; decision 0010). Defines the answer to a replay.
 */
import { isUuid } from '@athos/domain/uuid';
import { AppError } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { selectDeletedBy, wasDeletedBy } from './account-deletion.sql.ts';
import { closeAccount } from './close-account.ts';
import type { AuthDeps } from '../identity-deps.ts';
import {
  lockPassword,
  selectPassword,
  type CurrentPassword,
} from '../passwords/password-change.sql.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';

/** The caller: user, network place, device and idempotency key. */
interface Caller extends Origin {
  readonly userId: bigint;
  /** The Idempotency-Key. */
  readonly key: string;
}

/** Deletes the account in one transaction, if its password is still the one that was checked. */
function commitDeletion(
  deps: AuthDeps,
  { userId, key }: Caller,
  { attempt, current }: { readonly attempt: Attempt; readonly current: CurrentPassword },
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const locked = await lockPassword(tx, userId);
    // The password was changed, or the account deleted, since the password was checked.
    if (locked?.passwordHash !== current.passwordHash) {
      throw new AppError('try_again', { retryAfterSeconds: 1 });
    }
    await forgiveAttempt(tx, attempt);
    await closeAccount(deps, tx, { userId, key, email: current.email, by: 'owner' });
  });
}

/** Makes one attempt, counted like a sign-in. */
async function attemptDeletion(
  deps: AuthDeps,
  caller: Caller,
  {
    attempt,
    current,
    password,
  }: { readonly attempt: Attempt; readonly current: CurrentPassword; readonly password: string },
): Promise<void> {
  await makeAttempt(deps.db, deps, attempt, async () => {
    if (!(await deps.passwords.verify(current.passwordHash, password))) {
      throw new AppError('incorrect_password');
    }
    await commitDeletion(deps, caller, { attempt, current });
  });
}

/**
 * The current password of an open account; `undefined` if a request with this key deleted the account. Throws
 * `session_ended` if the account was closed in any other way.
 */
async function findCurrent(
  { db }: AuthDeps,
  { userId, key }: Caller,
): Promise<CurrentPassword | undefined> {
  const current = await selectPassword(db, userId);
  if (current !== undefined) return current;
  if (!(await wasDeletedBy(db, userId, key))) throw new AppError('session_ended');
  return undefined;
}

/**
 * Deletes the caller's account permanently. A wrong password counts like a failed sign-in. Guards in order: replay,
 * password, the guards of other capabilities, balance. A replay with the same key succeeds. Throws `incorrect_password`,
 * `too_many_attempts`, `balance_negative`, `account_restricted`, `idempotency_key_reused`, `session_ended`, `try_again`,
 * `overloaded`, and what the guards throw.
 */
export async function deleteAccount(
  deps: AuthDeps,
  caller: Caller,
  password: string,
): Promise<void> {
  const current = await findCurrent(deps, caller);
  if (current === undefined) return;
  const attempt = await planAttempt(deps.db, deps, current.email, caller);
  await attemptDeletion(deps, caller, { attempt, current, password });
}

/**
 * The user whose deletion is replayed. The session ended with the account, so the key and the signature of the token, which
 * names `userUuid`, must identify the caller.
 */
export async function findRepeatingDeleter(
  { db }: AuthDeps,
  userUuid: string,
  key: unknown,
): Promise<SignedInUser | undefined> {
  if (typeof key !== 'string' || !isUuid(key)) return undefined;
  const deleted = await selectDeletedBy(db, userUuid, key.toLowerCase());
  // Deleting an account does not require accepted terms.
  const terms = { version: null, acceptedAt: null };
  return deleted === undefined ? undefined : { ...deleted, sessionId: '', terms };
}
