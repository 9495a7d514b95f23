/** The three outcomes of a review: the payment is credited as ordered, refunded in full, or closed as settled elsewhere. */
import { usdCents } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  type GroupTransferRequest,
  type Ledger,
} from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { insertBooking, selectBooking } from '../bookings/bookings.sql.ts';
import { isOrderDisputed, isOrderUndecided } from '../disputes/disputes.sql.ts';
import { selectUser } from '../../identity/index.ts';
import { creditTransfers, suspenseTransfer } from '../orders/books.ts';
import { NO_SHARES } from '../orders/order-shares.ts';
import {
  lockOrderAndUser,
  notifyOrderChanged,
  updateOrder,
  type OrderRow,
} from '../orders/orders.sql.ts';
import { enqueueReceipt } from '../orders/receipt.ts';
import { enqueueSending } from '../refunds/request-refund.ts';
import { hasPendingRefund, insertRefund, selectRefundedCents } from '../refunds/refunds.sql.ts';

interface ReviewDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

const decided = (detail: string): AppError => new AppError('state_changed', { detail });

/**
 * Locks an order in review whose money is still ours or, with `mayBeLost`, was lost in a dispute. Throws `not_found` or `state_changed`.
 */
export async function lockReviewed(
  tx: Tx,
  orderId: string,
  { mayBeLost = false } = {},
): Promise<OrderRow> {
  const order = await lockOrderAndUser(tx, orderId);
  if (order === undefined) throw new AppError('not_found');
  if (order.state !== 'review') throw decided('The payment is not in review any more.');
  if (await hasPendingRefund(tx, orderId)) throw decided('A refund of the payment is on its way.');
  const isDisputed = mayBeLost
    ? await isOrderUndecided(tx, orderId)
    : await isOrderDisputed(tx, orderId);
  if (isDisputed) throw decided('The payment is disputed.');
  return order;
}

/** Payments from before bookings were stored are not in the books yet. Returns the transfers that put such a payment into suspense. */
async function putIntoSuspense(
  { clock }: ReviewDeps,
  tx: Tx,
  order: OrderRow,
): Promise<{ receivedUsdCents: bigint; transfers: GroupTransferRequest[] }> {
  const booking = await selectBooking(tx, order.id);
  if (booking !== undefined) {
    return { receivedUsdCents: booking.amount_usd_cents, transfers: [] };
  }
  await insertBooking(tx, {
    id: order.id,
    what: 'payment',
    order_id: order.id,
    source_id: order.charge_id ?? order.intent_id,
    amount_usd_cents: order.total_usd_cents,
    booked_at: dateOf(clock),
  });
  const amount = usdCents(order.total_usd_cents);
  return {
    receivedUsdCents: order.total_usd_cents,
    transfers: [suspenseTransfer(order.id, amount)],
  };
}

/** Credits the ordered tokens. Any difference between the received money and the order's total stays in suspense. */
export async function creditReviewed(deps: ReviewDeps, tx: Tx, orderId: string): Promise<void> {
  const order = await lockReviewed(tx, orderId);
  const user = await selectUser(tx, order.user_id);
  if (user === undefined || user.closed_at !== null) throw decided('The account was closed.');
  if ((await selectRefundedCents(tx, orderId)) > 0n) throw decided('A part of it was refunded.');
  const { transfers } = await putIntoSuspense(deps, tx, order);
  await enqueueReceipt(tx, order.id);
  await notifyOrderChanged(tx, order);
  await notifyConsole(tx, 'payments');
  const release: GroupTransferRequest = {
    key: order.id,
    line: 0,
    kind: TransferKind.CardMoney,
    debitAccountId: systemAccountId('suspense', 'USD'),
    creditAccountId: systemAccountId('card_provider', 'USD'),
    amountUnits: usdCents(order.total_usd_cents),
  };
  const credit = creditTransfers(order);
  const outcome = await deps.ledger.transferInTx(tx, [...credit, ...transfers, release]);
  if (outcome.outcome === 'refused') throw decided('The ledger refuses the credit.');
  await updateOrder(tx, order.id, {
    state: 'credited',
    resolution: 'credited',
    history_id: outcome.transfers[0]?.transferId ?? null,
    closed_at: dateOf(deps.clock),
  });
}

/** Refunds the rest of the received money to the card. `refundId` is a UUIDv7. The order ends when the provider accepts. */
export async function refundReviewed(
  deps: ReviewDeps,
  tx: Tx,
  {
    orderId,
    refundId,
    reason,
    requestedBy,
  }: {
    readonly orderId: string;
    readonly refundId: string;
    readonly reason: string;
    readonly requestedBy: string | null;
  },
): Promise<void> {
  const order = await lockReviewed(tx, orderId);
  const { receivedUsdCents, transfers } = await putIntoSuspense(deps, tx, order);
  const leftUsdCents = receivedUsdCents - (await selectRefundedCents(tx, orderId));
  await insertRefund(tx, {
    id: refundId,
    order_id: order.id,
    user_id: order.user_id,
    state: 'approved',
    funding: 'suspense',
    share_micro_ath: 0n,
    taken_micro_ath: 0n,
    price_usd_cents: NO_SHARES.priceUsdCents,
    product_fee_usd_cents: NO_SHARES.productFeeUsdCents,
    processing_fee_usd_cents: NO_SHARES.processingFeeUsdCents,
    total_usd_cents: leftUsdCents,
    reason,
    requested_by: requestedBy,
    provider_refund_id: null,
    failure: null,
    created_at: dateOf(deps.clock),
    sent_at: null,
    accepted_at: null,
    closed_at: null,
  });
  await enqueueSending(tx, refundId);
  if (transfers.length > 0) await deps.ledger.transferInTx(tx, transfers);
}

/** Ends the review without moving anything: the received money, unless a dispute took it, stays in suspense until it is booked by hand. */
export async function closeReviewed(deps: ReviewDeps, tx: Tx, orderId: string): Promise<void> {
  const order = await lockReviewed(tx, orderId, { mayBeLost: true });
  const { transfers } = await putIntoSuspense(deps, tx, order);
  await updateOrder(tx, order.id, {
    state: 'canceled',
    resolution: 'settled_elsewhere',
    history_id: await deps.ledger.drawTransferId(tx),
    closed_at: dateOf(deps.clock),
  });
  await notifyOrderChanged(tx, order);
  await notifyConsole(tx, 'payments');
  if (transfers.length > 0) await deps.ledger.transferInTx(tx, transfers);
}
