/**
 * The effect of a successful payment on its order, whose row the caller has locked: the order is credited with the provider's fee, or
 * goes to review with its money in suspense if the payment differs from the order.
 */
import type { GroupTransferRequest } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { selectUser } from '../../identity/index.ts';
import { insertBooking, updateBookingSource } from '../bookings/bookings.sql.ts';
import { matchTransaction } from '../bookings/match.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { creditTransfers, suspenseTransfer } from './books.ts';
import { isOurs } from './order-metadata.ts';
import { chargeColumns, notifyOrderChanged, updateOrder, type OrderRow } from './orders.sql.ts';
import { enqueueReceipt } from './receipt.ts';
import type { SettleDeps } from './settle-deps.ts';

/** Thrown if the ledger refused the credit. The transaction rolls back, and another one sends the order to review. */
export class CreditRefused extends Error {
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

/** An expired order is canceled within minutes. A payment later than this is not the result of a race, and its rate is too old. */
const LATE_MAX_MS = 15 * 60_000;

/** The reason why a successful payment must not be credited; `undefined` if it may. */
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

/** Keeps an order for a person to decide. If the money belongs to this system, it waits in suspense. */
export async function sendToReview(
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
  await notifyConsole(tx, 'payments');
  if (intent.currency !== 'usd' || !isOurs(deps, intent)) return;
  const fee = await bookPayment(deps.clock, tx, { order, intent });
  const held = suspenseTransfer(order.id, intent.amountReceivedUsdCents);
  const outcome = await deps.ledger.transferInTx(tx, [held, ...fee]);
  invariant(outcome.outcome !== 'refused', 'money can always be put into suspense');
}

/** Credits a paid order. Sends it to review if the payment differs from it. Throws `CreditRefused`. */
export async function settleSucceeded(
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

/** A credited order never changes its state. The intent can only add the provider's fee or reveal a double payment. */
export async function noteCredited(
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
