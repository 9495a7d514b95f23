/**
 * Deleting an account (spec 7 `POST account/delete`, decisions "Money"; docs/decisions/0010-delete-account.md). One
 * transaction ends it: the balance is forfeited, the address is free, no session and no link works any more. What else is
 * known of the person is erased by a job that the same transaction enqueues.
 */
import { isUuid } from '@athos/domain/uuid';
import type { Forfeited } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import {
  insertClosure,
  selectDeletedBy,
  updateUserClosed,
  wasDeletedBy,
} from './account-deletion.sql.ts';
import type { AuthDeps, SignInDeps } from '../identity-deps.ts';
import { deleteResetCodesOf } from '../links/link-code.sql.ts';
import {
  lockPassword,
  selectPassword,
  type CurrentPassword,
} from '../passwords/password-change.sql.ts';
import {
  beginAttempt,
  forgiveAttempt,
  withdrawAttempt,
  type Attempt,
} from '../sign-in/sign-in-limits.ts';
import { deleteSignUpsOf } from '../sign-up/sign-up.sql.ts';

/** Who asks, and from where. */
interface Caller {
  readonly userId: bigint;
  readonly networkAddress: string;
  /** The Idempotency-Key. */
  readonly key: string;
}

const NOTHING_DELETED = 'Nothing was deleted.';

/** One job of each kind for a user, also when a lost one is asked for again. */
export const enqueueErasure = (tx: Tx | Db, userId: bigint): Promise<void> =>
  enqueueJob(
    tx,
    'auth_erase_account',
    { userId: userId.toString() },
    { key: `auth_erase_account:${userId}` },
  );

/** Forfeits and closes, or refuses. */
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

/** All or nothing. The ledger comes last: it is held until the commit. */
function commitDeletion(
  deps: SignInDeps,
  caller: Caller,
  { attempt, current }: { readonly attempt: Attempt; readonly current: CurrentPassword },
): Promise<void> {
  const { userId, key } = caller;
  const { db, clock, sessions } = deps;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const locked = await lockPassword(tx, userId);
    // The password was changed, or the account deleted, in this very moment.
    if (locked?.passwordHash !== current.passwordHash) {
      throw new AppError('try_again', { retryAfterSeconds: 1 });
    }
    // Whatever a guard looks for is made under a lock on the user too, so nothing new comes before the commit.
    for (const guard of deps.deletionGuards) await guard(tx, userId);
    await forgiveAttempt(tx, attempt);
    await updateUserClosed(tx, userId, now);
    await deleteResetCodesOf(tx, userId);
    // Sign-ups beside the account had its address too.
    await deleteSignUpsOf(tx, current.email);
    await insertClosure(tx, { userId, key, closedAt: now, mailTo: current.email });
    await enqueueErasure(tx, userId);
    await sessions.revokeAll(tx, userId);
    const forfeited = await closeLedgerAccounts(deps, tx, caller);
    // The one statement after the ledger's, which is held until the commit: only it knows the amounts.
    await enqueueJob(tx, 'auth_mail_account_deleted', {
      userId: userId.toString(),
      forfeited: forfeited.map(({ asset, amountUnits }) => [asset, amountUnits.toString()]),
    });
  });
}

/** One attempt, counted like a sign-in. Whatever ends it without a verdict takes the count back. */
async function attemptDeletion(
  deps: SignInDeps,
  caller: Caller,
  { current, password }: { readonly current: CurrentPassword; readonly password: string },
): Promise<void> {
  const { networkAddress } = caller;
  const attempt = await beginAttempt(deps.db, deps, { email: current.email, networkAddress });
  try {
    if (!(await deps.passwords.verify(current.passwordHash, password))) {
      throw new AppError('incorrect_password');
    }
    await commitDeletion(deps, caller, { attempt, current });
  } catch (error) {
    const isGuess = error instanceof AppError && error.code === 'incorrect_password';
    if (!isGuess) await withdrawAttempt(deps.db, attempt);
    throw error;
  }
}

/** The password of an open account; `undefined` where this key deleted it before. Throws `session_ended` otherwise. */
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
 * Deletes the account of the caller for ever. A wrong password counts like a failed sign-in. Guards in order: repeat,
 * password, open payments, balance. Repeated with the same key it succeeds again. Throws `incorrect_password`,
 * `too_many_attempts`, `payments_open`, `balance_negative`, `account_restricted`, `idempotency_key_reused`, `session_ended`,
 * `try_again`, `overloaded`.
 */
export async function deleteAccount(
  deps: SignInDeps,
  caller: Caller,
  password: string,
): Promise<void> {
  const found = await findCurrent(deps, caller);
  if (found === undefined) return;
  await deps.turns(found.email, async () => {
    // Read again when its turn has come: the request before may have deleted it.
    const current = await findCurrent(deps, caller);
    if (current !== undefined) await attemptDeletion(deps, caller, { current, password });
  });
}

/** Who repeats a deletion: the session ended with the account, so the key and the token's signature tell. */
export async function findRepeatingDeleter(
  { db, sessions }: AuthDeps,
  token: string,
  key: unknown,
): Promise<SignedInUser | undefined> {
  if (typeof key !== 'string' || !isUuid(key)) return undefined;
  const userUuid = await sessions.ownerUuid(token);
  const deleted = await selectDeletedBy(db, userUuid, key.toLowerCase());
  return deleted === undefined ? undefined : { ...deleted, sessionId: '' };
}
