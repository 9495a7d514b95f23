/** Debts of users after a claw-back. Incoming value repays the oldest first; the rest may be written off. */
import { randomFillSync } from 'node:crypto';
import { uuidv7 } from '@athos/domain/uuid';
import { TransferKind, userAccountId } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { lockUsers, selectUser } from '../../identity/index.ts';
import { lockOrder, selectOrder } from '../orders/orders.sql.ts';
import { liftHold, placeHold } from '../../holds/index.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import {
  insertDebt,
  lockDispute,
  lockOpenDebts,
  selectDebt,
  selectDebtors,
  selectDispute,
  selectOpenDebtsOf,
  updateDebt,
  type DebtRow,
  type Debtor,
  type DisputeRow,
} from './disputes.sql.ts';
import { bookRecovery, moveDispute, type DisputedOrder } from './move-dispute.ts';

export type DisputeDeps = SettleDeps & Parameters<typeof placeHold>[0];

const outstandingOf = (debt: DebtRow): bigint =>
  debt.amount_micro_ath - debt.repaid_micro_ath - debt.written_off_micro_ath;

const sumOf = (debts: readonly DebtRow[]): bigint =>
  debts.reduce((sum, debt) => sum + outstandingOf(debt), 0n);

/** The tokens that are still owed for a dispute. */
export const owedOf = async (tx: Tx, disputeId: string): Promise<bigint> =>
  sumOf(await selectOpenDebtsOf(tx, disputeId));

/** The debt for a dispute, the debtor, and the time when the disputed tokens were credited. */
export async function findDebt(
  db: Db,
  disputeId: string,
): Promise<{ userId: bigint; creditedAt: Date; owedMicroAth: bigint } | undefined> {
  const dispute = await selectDispute(db, disputeId);
  const order = dispute && (await selectOrder(db, dispute.order_id));
  if (order === undefined) return undefined;
  return {
    userId: order.user_id,
    creditedAt: order.closed_at ?? order.created_at,
    owedMicroAth: sumOf(await selectOpenDebtsOf(db, disputeId)),
  };
}

/** Stores the part of a claw-back that is below 0 as a debt. */
export async function noteDebt(
  { clock }: Pick<DisputeDeps, 'clock'>,
  tx: Tx,
  dispute: DisputeRow,
  amountMicroAth: bigint,
): Promise<void> {
  if (amountMicroAth <= 0n) return;
  await insertDebt(tx, {
    // The id rises with time, so that ids order debts by age.
    id: uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes)),
    dispute_id: dispute.id,
    user_id: dispute.user_id,
    amount_micro_ath: amountMicroAth,
    repaid_micro_ath: 0n,
    written_off_micro_ath: 0n,
    created_at: dateOf(clock),
    closed_at: null,
  });
}

/** Reduces a dispute's debt by the tokens that its own claw-back returns. */
export async function forgive(
  { clock }: Pick<DisputeDeps, 'clock'>,
  tx: Tx,
  dispute: DisputeRow,
  returnedMicroAth: bigint,
): Promise<void> {
  let left = returnedMicroAth;
  for (const debt of await selectOpenDebtsOf(tx, dispute.id)) {
    const outstanding = outstandingOf(debt);
    const less = outstanding < left ? outstanding : left;
    left -= less;
    await updateDebt(tx, debt.id, {
      amount_micro_ath: debt.amount_micro_ath - less,
      closed_at: less === outstanding ? dateOf(clock) : null,
    });
  }
}

const debtCause = ({ id }: DisputeRow) => ({ kind: 'debt', id }) as const;

/** Holds a debtor once the dispute is lost. Topping up and receiving stay possible, since they repay the debt. */
export async function setDebtHold(
  deps: DisputeDeps,
  tx: Tx,
  dispute: DisputeRow,
  isOwed: boolean,
): Promise<void> {
  const { user_id: userId } = dispute;
  if (!isOwed || dispute.phase !== 'lost') {
    await liftHold(deps, tx, { userId, cause: debtCause(dispute) });
    return;
  }
  await placeHold(deps, tx, {
    userId,
    kinds: ['send', 'spend', 'redeem'],
    cause: debtCause(dispute),
    reason: 'A disputed payment left the balance below zero',
  });
}

/** Locks order and dispute of a debt. The caller must hold the lock of the user. */
async function lockDisputed(tx: Tx, disputeId: string): Promise<DisputedOrder> {
  const known = await lockDispute(tx, disputeId);
  invariant(known !== undefined, 'a debt has its dispute');
  const order = await lockOrder(tx, known.order_id);
  const user = await selectUser(tx, known.user_id);
  invariant(order !== undefined, 'a dispute has its order');
  return { order, dispute: known, isClosed: user === undefined || user.closed_at !== null };
}

/** Books the part of the debt that incoming value has repaid since the last run. */
async function collectFrom(deps: DisputeDeps, userId: bigint): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockUsers(tx, [userId]);
    const debts = await lockOpenDebts(tx, userId);
    const disputeIds = [...new Set(debts.map(({ dispute_id: id }) => id))];
    const disputed = new Map<string, DisputedOrder>();
    for (const id of disputeIds.toSorted()) disputed.set(id, await lockDisputed(tx, id));
    const floor = await deps.ledger.restoreFloorInTx(tx, userAccountId(userId, 'ATH'));
    let repaid = sumOf(debts) + floor;
    if (repaid <= 0n) return;
    for (const debt of debts) {
      const outstanding = outstandingOf(debt);
      const paid = outstanding < repaid ? outstanding : repaid;
      repaid -= paid;
      await updateDebt(tx, debt.id, {
        repaid_micro_ath: debt.repaid_micro_ath + paid,
        closed_at: paid === outstanding ? dateOf(deps.clock) : null,
      });
    }
    for (const one of disputed.values()) {
      const owed = await owedOf(tx, one.dispute.id);
      await bookRecovery(deps, tx, one, owed);
      if (owed === 0n) await setDebtHold(deps, tx, one.dispute, false);
    }
  });
}

/**
 * The debtors with a balance above what they owe: value has come in. Only they are collected from, because a collection locks the
 * ledger until its commit has reached the standby.
 */
async function selectRepaying(
  { ledger }: DisputeDeps,
  debtors: readonly Debtor[],
): Promise<bigint[]> {
  const balances = await ledger.balances(debtors.map(({ userId }) => userAccountId(userId, 'ATH')));
  const hasPaid = ({ userId, owedMicroAth }: Debtor) =>
    (balances.get(userAccountId(userId, 'ATH')) ?? 0n) > -owedMicroAth;
  return debtors.filter(hasPaid).map(({ userId }) => userId);
}

const DEBTORS_PER_PAGE = 500;
/** Half of the minute between two scheduled runs, so that a restriction is lifted soon after the debt is repaid. */
const AGAIN_AFTER_MS = 30_000;

/** The job that collects all debts. `isScheduled` runs it again half a minute later. */
export async function collectDebts(deps: DisputeDeps, isScheduled: boolean): Promise<void> {
  if (isScheduled) {
    const runAt = new Date(deps.clock.nowMs() + AGAIN_AFTER_MS);
    await enqueueJob(
      deps.db,
      'debt_collect',
      { isAgain: true },
      { key: 'debt_collect_again', runAt },
    );
  }
  for (let afterId = 0n; ;) {
    const debtors = await selectDebtors(deps.db, DEBTORS_PER_PAGE, afterId);
    for (const userId of await selectRepaying(deps, debtors)) await collectFrom(deps, userId);
    const last = debtors.at(-1);
    if (last === undefined || debtors.length < DEBTORS_PER_PAGE) return;
    afterId = last.userId;
  }
}

/**
 * Writes a debt off against the programme's account `write_off`. Throws `not_found`, or `state_changed` if the debt is already paid.
 * Locks the ledger.
 */
export async function writeOffDebt(deps: DisputeDeps, tx: Tx, debtId: string): Promise<void> {
  const known = await selectDebt(tx, debtId);
  if (known === undefined) throw new AppError('not_found');
  await lockUsers(tx, [known.user_id]);
  const debt = (await lockOpenDebts(tx, known.user_id)).find(({ id }) => id === debtId);
  if (debt === undefined) throw new AppError('state_changed');
  const { dispute, isClosed } = await lockDisputed(tx, debt.dispute_id);
  const owed = outstandingOf(debt);
  await updateDebt(tx, debtId, {
    written_off_micro_ath: debt.written_off_micro_ath + owed,
    closed_at: dateOf(deps.clock),
  });
  const change = { written_off_micro_ath: dispute.written_off_micro_ath + owed };
  await moveDispute(deps, tx, { dispute, isClosed }, { change, kind: TransferKind.WriteOff });
  await deps.ledger.restoreFloorInTx(tx, userAccountId(debt.user_id, 'ATH'));
  if ((await owedOf(tx, dispute.id)) === 0n) await setDebtHold(deps, tx, dispute, false);
}
