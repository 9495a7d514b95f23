/**
 * The only way to a credited card payment. Webhook, poll and reconciliation all end here, with an intent that was just retrieved
 * from the provider. The lock on the order and the key of its transfers ensure a single credit. A payment that differs from its
 * order is not credited and goes to review.
 */
import { isUuid } from '@athos/domain/uuid';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { IntentNotFound } from '../provider/provider-errors.ts';
import { countDecline } from './limits.ts';
import { isOurs, reportUnknown, restoreOrder } from './order-metadata.ts';
import {
  closeByLostIntent,
  lockOrder,
  notifyOrderChanged,
  updateOrder,
  type OrderRow,
} from './orders.sql.ts';
import { CreditRefused, noteCredited, sendToReview, settleSucceeded } from './paid-order.ts';
import type { SettleDeps } from './settle-deps.ts';

async function settleCanceled(
  { ledger, clock }: SettleDeps,
  tx: Tx,
  { order, intent }: { order: OrderRow; intent: CardIntent },
): Promise<void> {
  if (order.state === 'canceled') return;
  const wasAttempted = order.was_attempted || hasAttempt(intent);
  await updateOrder(tx, order.id, {
    state: 'canceled',
    intent_id: intent.intentId,
    provider_status: intent.status,
    error_message: null,
    was_attempted: wasAttempted,
    history_id: wasAttempted ? await ledger.drawTransferId(tx) : null,
    closed_at: dateOf(clock),
  });
  await notifyOrderChanged(tx, order);
}

const hasAttempt = ({ status, error, charge }: CardIntent): boolean =>
  error !== undefined ||
  charge !== undefined ||
  status === 'requires_action' ||
  status === 'processing';

/** Records the progress of an intent that is neither paid nor canceled. Nothing is final, not even a decline. */
async function noteProgress(
  deps: SettleDeps,
  tx: Tx,
  { order, intent, lookedAt }: { order: OrderRow; intent: CardIntent; lookedAt: Date },
): Promise<void> {
  if (intent.error?.chargeId !== undefined) {
    const { chargeId, reason } = intent.error;
    await countDecline(deps, tx, { order, chargeId, reason });
  }
  // Ignores a lookup that is older than the last observation.
  if (order.observed_at !== null && order.observed_at > lookedAt) return;
  const isFailed = intent.status === 'requires_payment_method' && intent.error !== undefined;
  const errorMessage = isFailed ? intent.error.message : null;
  await updateOrder(tx, order.id, {
    state: order.state === 'creating' ? 'open' : order.state,
    intent_id: order.intent_id ?? intent.intentId,
    provider_status: intent.status,
    error_message: errorMessage,
    was_attempted: order.was_attempted || hasAttempt(intent),
    observed_at: lookedAt,
  });
  if (order.provider_status !== intent.status || order.error_message !== errorMessage) {
    await notifyOrderChanged(tx, order);
  }
}

async function applyLocked(
  deps: SettleDeps,
  tx: Tx,
  { order, intent, lookedAt }: { order: OrderRow; intent: CardIntent; lookedAt: Date },
): Promise<void> {
  const isPaid = intent.status === 'succeeded';
  if (order.intent_id !== null && order.intent_id !== intent.intentId && !isPaid) return;
  switch (order.state) {
    case 'credited':
      return noteCredited(deps, tx, { order, intent });
    case 'review':
      return;
    case 'creating':
    case 'open':
    case 'canceled':
      if (isPaid) return settleSucceeded(deps, tx, { order, intent });
      if (order.state === 'canceled') return;
      if (intent.status === 'canceled') return settleCanceled(deps, tx, { order, intent });
      return noteProgress(deps, tx, { order, intent, lookedAt });
  }
}

/** Locks the order of the intent. Restores the order of a payment if it was lost. Returns `undefined` for the payment of another system. */
async function lockOrderOf(
  deps: SettleDeps,
  tx: Tx,
  { intent, orderId }: { intent: CardIntent; orderId: string },
): Promise<OrderRow | undefined> {
  const isPaid = intent.status === 'succeeded';
  const order = await lockOrder(tx, orderId);
  if (isOurs(deps, intent)) {
    return order ?? (isPaid ? restoreOrder(deps, tx, intent) : undefined);
  }
  if (order === undefined || order.intent_id === intent.intentId) return order;
  if (isPaid) {
    deps.log.error(
      { alarm: 'payment_foreign', orderId, intentId: intent.intentId },
      'another system was paid for an order of this one',
    );
  }
  return undefined;
}

/**
 * Brings an order to the state of its intent: credited, canceled, in review, or unchanged. Safe to call any number of times, concurrently
 * and with outdated intents. `lookedAt` is the time of the request to the provider.
 */
export async function settle(deps: SettleDeps, intent: CardIntent, lookedAt: Date): Promise<void> {
  const { order_id: orderId = '' } = intent.metadata;
  if (!isUuid(orderId)) {
    if (isOurs(deps, intent) && intent.status === 'succeeded') reportUnknown(deps, intent);
    return;
  }
  try {
    await deps.db.transaction().execute(async (tx) => {
      const order = await lockOrderOf(deps, tx, { intent, orderId });
      if (order !== undefined) await applyLocked(deps, tx, { order, intent, lookedAt });
    });
  } catch (error) {
    if (!(error instanceof CreditRefused)) throw error;
    await deps.db.transaction().execute(async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (order === undefined || order.state === 'credited') return;
      await sendToReview(deps, tx, { order, intent, reason: error.message });
    });
  }
}

/** Closes the order of an intent that the provider does not know, so that it blocks no other order. A payment would still be credited. */
async function closeLost({ db, clock, log }: SettleDeps, intentId: string): Promise<void> {
  const orderId = await closeByLostIntent(db, intentId, dateOf(clock));
  if (orderId === undefined) return;
  log.error({ alarm: 'payment_not_found', orderId, intentId }, 'the provider lost a payment');
}

async function settleResult(
  deps: SettleDeps,
  intentId: string,
  ask: () => Promise<CardIntent>,
): Promise<CardIntent> {
  const lookedAt = dateOf(deps.clock);
  try {
    const intent = await ask();
    await settle(deps, intent, lookedAt);
    return intent;
  } catch (error) {
    if (error instanceof IntentNotFound) await closeLost(deps, intentId);
    throw error;
  }
}

/** Retrieves the intent, outside any transaction, and settles it. If there is none, closes the order and throws `IntentNotFound`. */
export const fetchAndSettle = (deps: SettleDeps, intentId: string): Promise<CardIntent> =>
  settleResult(deps, intentId, () => deps.cardProvider.retrieveIntent(intentId));

/** Cancels the intent unless it was paid before, and settles it. Throws like `fetchAndSettle`. */
export const cancelAndSettle = (deps: SettleDeps, intentId: string): Promise<CardIntent> =>
  settleResult(deps, intentId, () => deps.cardProvider.cancelIntent(intentId));
