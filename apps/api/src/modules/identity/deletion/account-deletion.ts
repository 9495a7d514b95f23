/**
 * Deleting an account (spec 7, `POST account/delete`; D-106; decision 0010). One transaction closes the account: it forfeits
 * the balance, frees the address, ends all sessions and links, and enqueues the job that erases the remaining personal data.
 */
import { isUuid } from '@athos/domain/uuid';
import type { Forfeited } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import {
  insertClosure,
  lastMailCell,
  selectDeletedBy,
  updateUserClosed,
  wasDeletedBy,
} from './account-deletion.sql.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { deleteResetCodesOf } from '../links/link-code.sql.ts';
import {
  lockPassword,
  selectPassword,
  type CurrentPassword,
} from '../passwords/password-change.sql.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';
import { deleteSignUpsOf } from '../sign-up/sign-up.sql.ts';

/** The user who sends the request, and from where. */
interface Caller extends Origin {
  readonly userId: bigint;
  /** The Idempotency-Key. */
  readonly key: string;
}

const NOTHING_DELETED = 'Nothing was deleted.';

/** Keeps at most one waiting job per user, however often it is enqueued. */
export const enqueueErasure = (tx: Tx | Db, userId: bigint): Promise<void> =>
  enqueueJob(
    tx,
    'auth_erase_account',
    { userId: userId.toString() },
    { key: `auth_erase_account:${userId}` },
  );

/** Forfeits the balances. Throws an AppError if the ledger refuses. */
async function closeLedgerAccounts(
  { ledger }: AuthDeps,
  tx: Tx,
  { userId, key }: Caller,
): Promise<readonly Forfeited[]> {
  const closed = await ledger.closeAccounts(tx, userId, key);
  switch (closed.outcome) {
    case 'closed':
      return closed.forfeited;
    case 'negative':
      throw new AppError('balance_negative', {
        detail: `${NOTHING_DELETED} Bring the balance up to zero first, or write to support.`,
      });
    case 'blocked':
      throw new AppError('account_restricted', { detail: `${NOTHING_DELETED} Ask support why.` });
    case 'key_reused':
      throw new AppError('idempotency_key_reused', { detail: NOTHING_DELETED });
  }
}

/** Closes the account in one transaction. The ledger comes last, since it stays locked until the commit. */
function commitDeletion(
  deps: AuthDeps,
  caller: Caller,
  { attempt, current }: { readonly attempt: Attempt; readonly current: CurrentPassword },
): Promise<void> {
  const { userId, key } = caller;
  const { db, clock, sealed, sessions } = deps;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const locked = await lockPassword(tx, userId);
    // The password was changed, or the account deleted, since the password was checked.
    if (locked?.passwordHash !== current.passwordHash) {
      throw new AppError('try_again', { retryAfterSeconds: 1 });
    }
    // Whatever the guards look for is created under a lock on the user, so none can appear before the commit.
    for (const guard of deps.deletionGuards) await guard(tx, userId);
    await forgiveAttempt(tx, attempt);
    await updateUserClosed(tx, userId, now);
    await deleteResetCodesOf(tx, userId);
    // Unverified sign-ups may hold the same address.
    await deleteSignUpsOf(tx, current.email);
    const sealedMailTo = sealed.seal(lastMailCell(userId), current.email);
    await insertClosure(tx, { userId, key, closedAt: now, sealedMailTo });
    await enqueueErasure(tx, userId);
    await sessions.revokeAll(tx, userId);
    const forfeited = await closeLedgerAccounts(deps, tx, caller);
    // Runs after the ledger's statement because it needs the forfeited amounts.
    await enqueueJob(tx, 'auth_mail_account_deleted', {
      userId: userId.toString(),
      forfeited: forfeited.map(({ asset, amountUnits }) => [asset, amountUnits.toString()]),
    });
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
  return deleted === undefined ? undefined : { ...deleted, sessionId: '' };
}
