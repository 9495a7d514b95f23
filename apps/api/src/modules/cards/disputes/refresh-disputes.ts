/** Handles the provider's events about disputes and fraud warnings, and finds those whose events never came. */
import { dateOf } from '../../../platform/clock.ts';
import { liftHold, placeHold } from '../../holds/index.ts';
import { selectUser } from '../../identity/index.ts';
import { lockOrderAndUser, type OrderRow } from '../orders/orders.sql.ts';
import type { CardDispute, CardWarning } from '../provider/card-disputes.ts';
import { findPaidOrder } from '../refunds/refresh-refunds.ts';
import { applyDispute, HELD_WHILE_OPEN } from './apply-dispute.ts';
import type { DisputeDeps } from './debts.ts';
import { selectStaleDisputes, selectIsActionable, upsertWarning } from './disputes.sql.ts';
import { enqueueLook } from './looks.ts';

async function applyTheirs(deps: DisputeDeps, theirs: CardDispute, lookedAt: Date): Promise<void> {
  const order =
    theirs.intentId === undefined ? undefined : await findPaidOrder(deps, theirs.intentId);
  if (order !== undefined) await applyDispute(deps, order.id, { theirs, lookedAt });
}

export async function refreshDispute(deps: DisputeDeps, providerDisputeId: string): Promise<void> {
  const lookedAt = dateOf(deps.clock);
  await applyTheirs(deps, await deps.cardProvider.retrieveDispute(providerDisputeId), lookedAt);
}

/** Looks up all disputes of a payment. */
export async function refreshDisputesOf(deps: DisputeDeps, intentId: string): Promise<void> {
  const lookedAt = dateOf(deps.clock);
  for await (const theirs of deps.cardProvider.listDisputes(intentId)) {
    await applyTheirs(deps, theirs, lookedAt);
  }
}

const LOOK_EVERY_MS = 60 * 60_000;
const DISPUTES_PER_ROUND_MAX = 500;

/** Enqueues a lookup of each undecided dispute without news for an hour. */
export async function resumeDisputes({ db, clock }: DisputeDeps): Promise<void> {
  const before = new Date(clock.nowMs() - LOOK_EVERY_MS);
  for (const { provider_dispute_id: disputeId } of await selectStaleDisputes(
    db,
    before,
    DISPUTES_PER_ROUND_MAX,
  )) {
    await enqueueLook(db, disputeId);
  }
}

/** Holds the account while a refund can prevent a dispute. A dispute that follows has a hold of its own. */
async function applyWarning(
  deps: DisputeDeps,
  order: OrderRow,
  theirs: CardWarning,
): Promise<void> {
  const { warningId, isActionable } = theirs;
  await deps.db.transaction().execute(async (tx) => {
    await lockOrderAndUser(tx, order.id);
    const wasActionable = await selectIsActionable(tx, warningId);
    await upsertWarning(tx, {
      id: warningId,
      order_id: order.id,
      user_id: order.user_id,
      fraud_type: theirs.fraudType,
      is_actionable: isActionable,
      created_at: theirs.createdAt,
    });
    const user = await selectUser(tx, order.user_id);
    if (user === undefined || user.closed_at !== null) return;
    const hold = { userId: order.user_id, cause: { kind: 'warning', id: warningId } } as const;
    if (!isActionable) await liftHold(deps, tx, hold);
    else if (wasActionable !== true) {
      const reason = 'The bank of the cardholder suspects fraud';
      await placeHold(deps, tx, { ...hold, kinds: HELD_WHILE_OPEN, reason });
    }
  });
  deps.log.error(
    { alarm: 'payment_fraud_warning', orderId: order.id, warningId, isActionable },
    'the bank of a cardholder suspects fraud',
  );
}

export async function refreshWarning(deps: DisputeDeps, warningId: string): Promise<void> {
  const theirs = await deps.cardProvider.retrieveWarning(warningId);
  const { intentId } = theirs;
  const order = intentId === undefined ? undefined : await findPaidOrder(deps, intentId);
  if (order !== undefined) await applyWarning(deps, order, theirs);
}
