/**
 * The only code that credits card payments. Webhook, poll and reconciliation all end here, with an intent that was just retrieved
 * from the provider. The lock on the order and the key of its transfers ensure a single credit. A payment that differs from its
 * order is not credited and goes to review.
 */
import { isUuid } from '@athos/domain/uuid';
import type { GroupTransferRequest, Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log/log.ts';
import { selectUser } from '../../identity/index.ts';
import { insertBooking, updateBookingSource } from '../bookings/bookings.sql.ts';
import { matchTransaction } from '../bookings/match.ts';
import { creditTransfers, suspenseTransfer } from './books.ts';
import type { CardIntent, CardProvider } from '../provider/card-provider.ts';
import { countDecline } from './limits.ts';
import { enqueueReceipt } from './receipt.ts';
import { reportUnknown, restoreOrder } from './order-metadata.ts';
import {
  chargeColumns,
  closeByLostIntent,
  lockOrder,
  notifyOrderChanged,
  updateOrder,
  type OrderRow,
} from './orders.sql.ts';
import { IntentNotFound } from '../provider/provider-errors.ts';

export interface SettleDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly cardProvider: CardProvider;
  readonly config: {
    readonly isProduction: boolean;
    readonly limits: { readonly declinesPerHour: number };
  };
}

/** The ledger refused the credit. The transaction rolls back, and another one sends the order to review. */
class CreditRefused extends Error {
  override readonly name = 'CreditRefused';
}

/** Stores the booking of a payment. Returns the transfer of the provider's fee, if the fee is known. */
async function bookPayment(
  clock: Clock,
  tx: Tx,
  { order, intent }: { order: OrderRow; intent: CardIntent },
): Promise<GroupTransferRequest[]> {
  const { charge } = intent;
  const at = dateOf(clock);
  await insertBooking(tx, {
    id: order.id,
    what: 'payment',
    order_id: order.id,
    source_id: charge?.chargeId ?? intent.intentId,
    amount_usd_cents: intent.amountReceivedUsdCents,
    booked_at: at,
  });
  if (charge?.transaction === undefined) return [];
  const matched = await matchTransaction(tx, charge.transaction, { at, bookingId: order.id });
  return matched?.transfers ?? [];
}

/** Credits the order. Throws `CreditRefused` if the ledger refuses, so that nothing is written. */
async function credit(
  { ledger, clock }: SettleDeps,
  tx: Tx,
  { order, intent }: { order: OrderRow; intent: CardIntent },
): Promise<void> {
  await enqueueReceipt(tx, order.id);
  await notifyOrderChanged(tx, order);
  const fee = await bookPayment(clock, tx, { order, intent });
  const outcome = await ledger.transferInTx(tx, [...creditTransfers(order), ...fee]);
  if (outcome.outcome === 'refused') {
    throw new CreditRefused(`the ledger refused: ${outcome.refusal.outcome}`);
  }
  const [credited] = outcome.transfers;
  invariant(credited !== undefined, 'a group has a result for each transfer');
  // The only statement after the ledger's, which locks every account until the commit. It needs the id of the transfer.
  await updateOrder(tx, order.id, {
    state: 'credited',
    intent_id: intent.intentId,
    ...chargeColumns(intent.charge),
    provider_status: intent.status,
    provider_fee_usd_cents: intent.charge?.transaction?.feeUsdCents ?? null,
    error_message: null,
    was_attempted: true,
    history_id: credited.transferId,
    closed_at: dateOf(clock),
  });
}

/** An expired order is canceled within minutes. A payment that comes later than this was no race, and its rate is too old. */
const LATE_MAX_MS = 15 * 60_000;

/** Why a successful payment must not be credited; `undefined` if it may. */
function faultOfPayment(
  { config }: SettleDeps,
  order: OrderRow,
  intent: CardIntent,
): string | undefined {
  const { charge } = intent;
  if (!isOurs({ config }, intent)) return `made by the environment ${intent.metadata['env']}`;
  if (order.intent_id !== null && order.intent_id !== intent.intentId) return 'another intent paid';
  if (intent.currency !== 'usd') return `paid in ${intent.currency}`;
  if (intent.amountReceivedUsdCents !== order.total_usd_cents) {
    return `received ${intent.amountReceivedUsdCents} cents instead of ${order.total_usd_cents}`;
  }
  if (charge === undefined) return 'paid without a charge';
  if (charge.refundedUsdCents > 0n) return 'refunded at the provider';
  if (charge.isDisputed) return 'disputed at the provider';
  const lateMs = charge.madeAt.getTime() - order.expires_at.getTime();
  return lateMs > LATE_MAX_MS
    ? `paid ${Math.round(lateMs / 60_000)} min after the order had expired`
    : undefined;
}

async function sendToReview(
  deps: SettleDeps,
  tx: Tx,
  { order, intent, reason }: { order: OrderRow; intent: CardIntent; reason: string },
): Promise<void> {
  deps.log.error(
    { alarm: 'payment_review', orderId: order.id, reason },
    'a payment needs a person',
  );
  await updateOrder(tx, order.id, {
    state: 'review',
    review_reason: reason,
    intent_id: order.intent_id ?? intent.intentId,
    provider_status: intent.status,
    error_message: null,
    ...chargeColumns(intent.charge),
    was_attempted: true,
    closed_at: null,
  });
  await notifyOrderChanged(tx, order);
  if (intent.currency !== 'usd' || !isOurs(deps, intent)) return;
  const fee = await bookPayment(deps.clock, tx, { order, intent });
  const held = suspenseTransfer(order.id, intent.amountReceivedUsdCents);
  const outcome = await deps.ledger.transferInTx(tx, [held, ...fee]);
  invariant(outcome.outcome !== 'refused', 'money can always be put into suspense');
}

async function settleSucceeded(
  deps: SettleDeps,
  tx: Tx,
  { order, intent }: { order: OrderRow; intent: CardIntent },
): Promise<void> {
  const payer = await selectUser(tx, order.user_id);
  const reason =
    faultOfPayment(deps, order, intent) ??
    (payer === undefined || payer.closed_at !== null ? 'the account was closed' : undefined);
  if (reason === undefined) await credit(deps, tx, { order, intent });
  else await sendToReview(deps, tx, { order, intent, reason });
}

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
    await countDecline(deps, tx, { order, chargeId: intent.error.chargeId });
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

/** A credited order never changes its state. The intent can only add the provider's fee or reveal a double payment. */
async function noteCredited(
  { log, clock, ledger }: SettleDeps,
  tx: Tx,
  { order, intent }: { order: OrderRow; intent: CardIntent },
): Promise<void> {
  if (order.intent_id !== intent.intentId) {
    log.error({ alarm: 'payment_double', orderId: order.id }, 'an order was paid twice');
    return;
  }
  const { charge } = intent;
  if (charge?.transaction === undefined) return;
  if (order.provider_fee_usd_cents !== null && order.charge_id !== null) return;
  await updateOrder(tx, order.id, {
    ...chargeColumns(intent.charge),
    provider_fee_usd_cents: charge.transaction.feeUsdCents,
  });
  await updateBookingSource(tx, order.id, charge.chargeId);
  const matched = await matchTransaction(tx, charge.transaction, {
    at: dateOf(clock),
    bookingId: order.id,
  });
  if (matched === undefined || matched.transfers.length === 0) return;
  const outcome = await ledger.transferInTx(tx, matched.transfers);
  invariant(outcome.outcome !== 'refused', 'a fee can always be booked');
}

/** Whether this system made the intent: several may share one account at the provider. */
export const isOurs = ({ config }: Pick<SettleDeps, 'config'>, { metadata }: CardIntent): boolean =>
  metadata['env'] === environmentName(config);

/** Locks the order of the intent. Restores the lost order of a payment. Returns `undefined` for the payment of another system. */
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
 * Brings an order to the state of its intent: credited, canceled, in review, or unchanged. Safe to call any number of times,
 * concurrently and with outdated intents. `lookedAt` is when the provider was asked.
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

/** Closes the order of an intent that the provider does not know, so that it blocks nobody. A payment would still be credited. */
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
export const lookAndSettle = (deps: SettleDeps, intentId: string): Promise<CardIntent> =>
  settleResult(deps, intentId, () => deps.cardProvider.retrieveIntent(intentId));

/** Cancels the intent unless it was paid before, and settles it. Throws like `lookAndSettle`. */
export const cancelAndSettle = (deps: SettleDeps, intentId: string): Promise<CardIntent> =>
  settleResult(deps, intentId, () => deps.cardProvider.cancelIntent(intentId));

/** The name of this system in every intent's metadata. */
export const environmentName = ({ isProduction }: { isProduction: boolean }): string =>
  isProduction ? 'production' : 'development';
