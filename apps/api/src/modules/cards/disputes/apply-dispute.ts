/**
 * Updates our dispute from the provider's answer. The status decides phase and holds. The money depends only on the transactions of the
 * provider's balance, each booked once by its id. No status is final for the books: a lost dispute can still be won by appeal.
 */
import { randomUUID } from 'node:crypto';
import type { HoldKind } from '@athos/contract/console/holds';
import { TransferKind, userAccountId, type GroupTransferRequest } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { liftHold, placeHold } from '../../holds/index.ts';
import { selectUser } from '../../identity/index.ts';
import { bookTransaction } from '../bookings/match.ts';
import { lockOrderAndUser, notifyOrderChanged, type OrderRow } from '../orders/orders.sql.ts';
import type { CardDispute } from '../provider/card-disputes.ts';
import { forgive, noteDebt, owedOf, setDebtHold, type DisputeDeps } from './debts.ts';
import { awaitsEvidence, knownPhaseOf, phaseOf } from './dispute-states.ts';
import { insertAndLockDispute, updateDispute, type DisputeRow } from './disputes.sql.ts';
import { bookRecovery, moveDispute, type DisputedOrder } from './move-dispute.ts';

/** The kinds that a hold stops while a payment is disputed. */
export const HELD_WHILE_OPEN: readonly HoldKind[] = ['send', 'spend', 'redeem', 'top_up'];

/** The row of a new dispute. */
const newDispute = (order: OrderRow, theirs: CardDispute, at: Date) => ({
  id: randomUUID(),
  provider_dispute_id: theirs.disputeId,
  order_id: order.id,
  user_id: order.user_id,
  is_uncredited: order.state !== 'credited',
  opened_at: theirs.createdAt,
  created_at: at,
  ...factsOf(theirs, at),
});

/** The columns that are copied from the provider's answer, except money. */
const factsOf = (theirs: CardDispute, observedAt: Date) => ({
  status: theirs.status,
  phase: phaseOf(theirs.status),
  reason: theirs.reason,
  amount_usd_cents: theirs.amountUsdCents,
  due_at: theirs.dueAt ?? null,
  submission_count: theirs.submissionCount,
  observed_at: observedAt,
});

/** An appeal or a reopened dispute needs evidence again. */
const draftOf = (known: DisputeRow, { status }: CardDispute) =>
  awaitsEvidence(status) && known.status !== status && known.evidence_state === 'submitted'
    ? ({ evidence_state: 'draft' } as const)
    : {};

/** Books new transactions. Returns the transfers to post and the amount withdrawn. */
async function bookTransactions(
  tx: Tx,
  { order }: DisputedOrder,
  theirs: CardDispute,
  at: Date,
): Promise<{ transfers: GroupTransferRequest[]; withdrawnUsdCents: bigint }> {
  const transfers: GroupTransferRequest[] = [];
  let withdrawnUsdCents = 0n;
  for (const transaction of theirs.transactions) {
    const booked = await bookTransaction(tx, transaction, {
      at,
      what: 'dispute',
      orderId: order.id,
      kind: TransferKind.Chargeback,
      account: 'disputed',
      feeAccount: 'dispute_fees',
    });
    if (booked === undefined) continue;
    withdrawnUsdCents -= transaction.amountUsdCents;
    transfers.push(...booked.transfers);
  }
  return { transfers, withdrawnUsdCents };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The tokens that a withdrawal takes: its share of the order, at most the tokens that are not refunded. */
function tokensFor({ order, dispute, isClosed }: DisputedOrder, withdrawnUsdCents: bigint): bigint {
  if (withdrawnUsdCents <= 0n || dispute.is_uncredited) return 0n;
  const share = (order.amount_micro_ath * withdrawnUsdCents) / order.total_usd_cents;
  const refunded = order.returned_micro_ath - dispute.recovered_micro_ath;
  const due = least(share, order.amount_micro_ath - refunded);
  return isClosed ? least(due, dispute.taken_micro_ath) : due;
}

/** The part of a claw-back that is below 0. */
function debtOf(balanceAfter: bigint, takenMicroAth: bigint): bigint {
  const hole = (balance: bigint): bigint => (balance < 0n ? -balance : 0n);
  return hole(balanceAfter) - hole(balanceAfter + takenMicroAth);
}

/** Moves tokens and money as required by status and transactions. */
async function applyMoney(
  deps: DisputeDeps,
  tx: Tx,
  disputed: DisputedOrder & { readonly isPhaseNew: boolean },
  theirs: CardDispute,
): Promise<DisputeRow> {
  const { order, dispute: before, isClosed } = disputed;
  const at = dateOf(deps.clock);
  const booked = await bookTransactions(tx, disputed, theirs, at);
  const withdrawn = before.withdrawn_usd_cents + booked.withdrawnUsdCents;
  const taken = tokensFor(disputed, withdrawn);
  const returned = before.taken_micro_ath - taken;
  const unwritten = returned > 0n ? least(returned, before.written_off_micro_ath) : 0n;
  const moved = await moveDispute(deps, tx, disputed, {
    change: {
      withdrawn_usd_cents: withdrawn,
      is_lost: before.phase === 'lost' && withdrawn > 0n,
      taken_micro_ath: taken,
      written_off_micro_ath: before.written_off_micro_ath - unwritten,
    },
    kind: TransferKind.Chargeback,
    besides: booked.transfers,
  });
  if (returned > 0n) {
    await forgive(deps, tx, before, returned - unwritten);
    // `collectDebts` raises the floor of debtors only, and this debt may be closed now.
    await deps.ledger.restoreFloorInTx(tx, userAccountId(before.user_id, 'ATH'));
  } else if (moved.balanceAfterTaking !== undefined) {
    await noteDebt(deps, tx, before, debtOf(moved.balanceAfterTaking, -returned));
  }
  const owed = await owedOf(tx, before.id);
  const dispute = await bookRecovery(deps, tx, { order, dispute: moved.dispute, isClosed }, owed);
  await setHolds(deps, tx, { ...disputed, dispute }, owed > 0n);
  return dispute;
}

/**
 * Places the hold when the phase begins, and not each time the dispute is looked up, since staff may have voted to release it. A closed
 * account can do nothing that a hold would stop.
 */
async function setHolds(
  deps: DisputeDeps,
  tx: Tx,
  { dispute, isClosed, isPhaseNew }: DisputedOrder & { readonly isPhaseNew: boolean },
  isOwed: boolean,
): Promise<void> {
  if (isClosed) return;
  const cause = { kind: 'dispute', id: dispute.id } as const;
  const { user_id: userId } = dispute;
  if (dispute.phase === 'inquiry' || dispute.phase === 'open') {
    const reason = 'A card payment is disputed';
    if (isPhaseNew) await placeHold(deps, tx, { userId, kinds: HELD_WHILE_OPEN, cause, reason });
  } else await liftHold(deps, tx, { userId, cause });
  await setDebtHold(deps, tx, dispute, isOwed);
}

/**
 * Enqueues the gathering of evidence. Only capabilities that depend on this one know what the customer did, so one of them runs the job.
 */
const enqueueGathering = (tx: Tx, disputeId: string): Promise<void> =>
  enqueueJob(tx, 'dispute_gather', { disputeId }, { key: `dispute_gather:${disputeId}` });

function report({ log }: DisputeDeps, order: OrderRow, theirs: CardDispute, isNew: boolean): void {
  const facts = { orderId: order.id, disputeId: theirs.disputeId, status: theirs.status };
  if (isNew) log.error({ alarm: 'payment_disputed', ...facts }, 'a cardholder disputes a payment');
  if (knownPhaseOf(theirs.status) === undefined) {
    log.error({ alarm: 'dispute_status_unknown', ...facts }, 'a dispute has an unknown status');
  }
}

/**
 * Applies the provider's answer, requested at `lookedAt`, about a dispute of this order. Safe to call any number of times, concurrently
 * and in any order: an older answer only adds transactions that are not booked yet.
 */
export async function applyDispute(
  deps: DisputeDeps,
  orderId: string,
  { theirs, lookedAt }: { readonly theirs: CardDispute; readonly lookedAt: Date },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const order = await lockOrderAndUser(tx, orderId);
    invariant(order !== undefined, 'orders with a payment stay');
    const { dispute: known, isNew } = await insertAndLockDispute(
      tx,
      newDispute(order, theirs, lookedAt),
    );
    const isCurrent = known.observed_at <= lookedAt;
    const facts = isCurrent ? { ...factsOf(theirs, lookedAt), ...draftOf(known, theirs) } : {};
    if (isCurrent) await updateDispute(tx, known.id, facts);
    const user = await selectUser(tx, order.user_id);
    const isClosed = user === undefined || user.closed_at !== null;
    if (isNew) await enqueueGathering(tx, known.id);
    if (isNew || known.status !== theirs.status) report(deps, order, theirs, isNew);
    await notifyOrderChanged(tx, order);
    const dispute = { ...known, ...facts };
    const isPhaseNew = isNew || dispute.phase !== known.phase;
    await applyMoney(deps, tx, { order, dispute, isClosed, isPhaseNew }, theirs);
  });
}
