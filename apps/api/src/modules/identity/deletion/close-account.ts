/**
 * Closing an account for good (D-106; decision 0010), for the owner who deletes it and for staff who erase a customer: it
 * forfeits the balance, frees the address, ends all sessions and links, and enqueues the job that erases the remaining
 * personal data.
 */
import { TOKEN_ASSETS } from '@athos/domain/money';
import type { Contributions } from '../../../capability.ts';
import { userAccountId, type Forfeited, type Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { tryOut } from '../../../platform/database/try-out.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { SealedColumns } from '../../../platform/sealed.ts';
import { deleteResetCodesOf } from '../links/link-code.sql.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { deleteSignUpsOf } from '../sign-up/sign-up.sql.ts';
import { insertClosure, lastMailCell, updateUserClosed } from './account-deletion.sql.ts';

export interface ClosingDeps extends Pick<Contributions, 'deletionGuards'> {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly sealed: SealedColumns;
  readonly sessions: Pick<Sessions, 'revokeAll'>;
}

interface Closing {
  readonly userId: bigint;
  /** The key of the request, and of the movements that forfeit the balances. */
  readonly key: string;
  readonly email: string;
  /** Named in the last mail as the one who deleted the account. */
  readonly by: 'owner' | 'staff';
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

const refusedNegative = () =>
  new AppError('balance_negative', {
    detail: `${NOTHING_DELETED} Bring the balance up to zero first, or write to support.`,
  });
const refusedState = () =>
  new AppError('account_restricted', { detail: `${NOTHING_DELETED} Ask support why.` });

/** Forfeits the balances. Throws an AppError if the ledger refuses. */
async function closeLedgerAccounts(
  { ledger }: ClosingDeps,
  tx: Tx,
  { userId, key }: Closing,
): Promise<readonly Forfeited[]> {
  const closed = await ledger.closeAccounts(tx, userId, key);
  switch (closed.outcome) {
    case 'closed':
      return closed.forfeited;
    case 'negative':
      throw refusedNegative();
    case 'blocked':
      throw refusedState();
    case 'key_reused':
      throw new AppError('idempotency_key_reused', { detail: NOTHING_DELETED });
  }
}

/**
 * Closes the account, and returns the forfeited balances. The caller holds the lock of `lockPassword` on the user, whose account is open,
 * and does nothing afterwards: the ledger comes last, since it stays locked until the commit.
 */
export async function closeAccount(
  deps: ClosingDeps,
  tx: Tx,
  closing: Closing,
): Promise<readonly Forfeited[]> {
  const { userId, key, email, by } = closing;
  const now = dateOf(deps.clock);
  // All rows that the guards check are created under a lock on the user, so none can appear before the commit.
  for (const guard of deps.deletionGuards) await guard(tx, userId);
  await updateUserClosed(tx, userId, now);
  await deleteResetCodesOf(tx, userId);
  // Unverified sign-ups may hold the same address.
  await deleteSignUpsOf(tx, email);
  const sealedMailTo = deps.sealed.seal(lastMailCell(userId), email);
  await insertClosure(tx, { userId, key, closedAt: now, sealedMailTo });
  await enqueueErasure(tx, userId);
  await deps.sessions.revokeAll(tx, userId);
  const forfeited = await closeLedgerAccounts(deps, tx, closing);
  // Enqueued after the ledger's statement because it needs the forfeited amounts.
  await enqueueJob(tx, 'auth_mail_account_deleted', {
    userId: userId.toString(),
    by,
    forfeited: forfeited.map(({ asset, amountUnits }) => [asset, amountUnits.toString()]),
  });
  return forfeited;
}

/** Throws the refusal that `closeAccount` would throw now, and changes nothing. */
export async function requireClosable(
  { deletionGuards, ledger }: Pick<ClosingDeps, 'deletionGuards' | 'ledger'>,
  tx: Tx,
  userId: bigint,
): Promise<void> {
  // A guard may end work that cannot be finished, such as an order without a payment. A check must not, so it is rolled back.
  await tryOut(tx, async () => {
    for (const guard of deletionGuards) await guard(tx, userId);
  });
  const accountIds = TOKEN_ASSETS.map((asset) => userAccountId(userId, asset));
  const balances = await ledger.balances(accountIds);
  if (accountIds.some((id) => (balances.get(id) ?? 0n) < 0n)) throw refusedNegative();
  for (const id of accountIds) {
    if ((await ledger.accountState(tx, id)) !== 'open') throw refusedState();
  }
}
