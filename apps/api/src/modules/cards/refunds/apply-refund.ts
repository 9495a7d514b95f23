/**
 * Updates our refund and its bookings from the provider's answer. Webhook, answer and job all end here. A refund that somebody made in
 * the provider's dashboard is adopted.
 */
import { randomUUID } from 'node:crypto';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { isUuid } from '@athos/domain/uuid';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { insertBooking, selectBooking } from '../bookings/bookings.sql.ts';
import { lookAgain } from '../disputes/looks.ts';
import { selectUser } from '../../identity/index.ts';
import { leftOf, NO_SHARES, partOfCents, returnedAfter, totalOf } from '../orders/order-shares.ts';
import {
  lockOrderAndUser,
  notifyOrderChanged,
  updateOrder,
  type OrderRow,
} from '../orders/orders.sql.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import type { CardRefund } from '../provider/card-money.ts';
import { readRefundable } from './refundable.ts';
import { acceptanceTransfers, returnTransfers } from './refund-books.ts';
import {
  insertRefund,
  lockRefund,
  lockUnaccepted,
  selectRefundedCents,
  selectRefundIdByProvider,
  updateRefund,
  type RefundRow,
} from './refunds.sql.ts';
import { endRefund, partOfRefund } from './request-refund.ts';

/** The states in which the tokens were given back, so that the refund can no longer happen. */
const ENDED_UNSENT: readonly RefundRow['state'][] = ['rejected', 'withdrawn', 'expired', 'refused'];

/** Whether a status means that the money came back. Unknown statuses count as accepted: the money has left the balance. */
const isReturned = ({ status }: CardRefund): boolean =>
  status === 'failed' || status === 'canceled';

interface Applied {
  readonly order: OrderRow;
  readonly refund: RefundRow;
}

/** Whether everything received for an order in review has been refunded. */
async function isAllRefunded(tx: Tx, { id, total_usd_cents: total }: OrderRow): Promise<boolean> {
  const received = (await selectBooking(tx, id))?.amount_usd_cents ?? total;
  return (await selectRefundedCents(tx, id)) >= received;
}

/** Books that the provider has accepted the refund: its money has left, and its tokens are destroyed. */
async function accept(
  { ledger, clock }: SettleDeps,
  tx: Tx,
  { order, refund }: Applied,
  theirs: CardRefund,
): Promise<RefundRow> {
  const now = dateOf(clock);
  const isFinal = theirs.status === 'succeeded';
  const accepted: Partial<RefundRow> = {
    state: isFinal ? 'succeeded' : 'pending',
    provider_refund_id: theirs.refundId,
    accepted_at: now,
    closed_at: isFinal ? now : null,
  };
  await updateRefund(tx, refund.id, accepted);
  await insertBooking(tx, {
    id: refund.id,
    what: 'refund',
    order_id: order.id,
    source_id: theirs.refundId,
    amount_usd_cents: -refund.total_usd_cents,
    booked_at: now,
  });
  if (refund.funding === 'suspense' && (await isAllRefunded(tx, order))) {
    await updateOrder(tx, order.id, {
      state: 'canceled',
      resolution: 'refunded',
      closed_at: now,
      history_id: await ledger.drawTransferId(tx),
    });
  }
  await notifyOrderChanged(tx, order);
  const transfers = acceptanceTransfers(refund);
  // For an adopted refund the user pays, whose account may be stopped. The balance covers the amount, so no floor is lowered.
  const outcome = await (refund.is_adopted
    ? ledger.clawBackInTx(tx, transfers)
    : ledger.transferInTx(tx, transfers));
  invariant(outcome.outcome !== 'refused', 'what a refund takes can go');
  return { ...refund, ...accepted };
}

/** Books that the money of an accepted refund came back, even if the refund had succeeded. */
async function takeBack(
  { ledger, clock, log }: SettleDeps,
  tx: Tx,
  { order, refund }: Applied,
  theirs: CardRefund,
): Promise<void> {
  const now = dateOf(clock);
  const failure = theirs.failureReason ?? theirs.status;
  const bookingId = randomUUID();
  await updateRefund(tx, refund.id, { state: 'failed', failure, closed_at: now });
  await updateOrder(tx, order.id, returnedAfter(order, partOfRefund(refund), -1n));
  await insertBooking(tx, {
    id: bookingId,
    what: 'refund_return',
    order_id: order.id,
    source_id: theirs.refundId,
    amount_usd_cents: refund.total_usd_cents,
    booked_at: now,
  });
  // The money is in suspense again. The customer was told that the payment ended, so staff book it from there by hand.
  if (refund.funding === 'suspense' && order.resolution === 'refunded') {
    await updateOrder(tx, order.id, { resolution: 'settled_elsewhere' });
  }
  await lookAgain(tx, order.id);
  await notifyOrderChanged(tx, order);
  const user = await selectUser(tx, order.user_id);
  const isClosed = user === undefined || user.closed_at !== null;
  log.error(
    { alarm: 'refund_failed', orderId: order.id, refundId: refund.id, reason: failure },
    'a refund came back: the customer has not got the money',
  );
  const outcome = await ledger.transferInTx(tx, returnTransfers(refund, { bookingId, isClosed }));
  invariant(outcome.outcome !== 'refused', 'what a refund returns can be booked');
}

/**
 * Ends refunds of ours that the provider would refuse because of one made in its dashboard, so that their tokens pay for that one. Throws
 * while one of ours is being sent: the provider's answer tells which of the two it made.
 */
async function makeRoom(
  deps: SettleDeps,
  tx: Tx,
  found: OrderRow,
  theirs: CardRefund,
): Promise<OrderRow> {
  let order = found;
  for (const refund of await lockUnaccepted(tx, order.id)) {
    if (isReturned(theirs) || totalOf(leftOf(order)) >= theirs.amountUsdCents) return order;
    if (refund.state === 'sending') throw new Error(`refund ${refund.id} is being sent`);
    const failure = `${theirs.refundId} was made in the dashboard of the provider`;
    await endRefund(deps, tx, { order, refund, state: 'refused', failure });
    order = { ...order, ...returnedAfter(order, partOfRefund(refund), -1n) };
  }
  return order;
}

/**
 * Adopts a refund that we did not make. It takes the tokens that the low water allows; the programme bears the rest, and an alarm is
 * raised.
 */
async function adopt(
  deps: SettleDeps,
  tx: Tx,
  found: OrderRow,
  theirs: CardRefund,
): Promise<Applied> {
  const order = await makeRoom(deps, tx, found, theirs);
  const isCredited = order.state === 'credited';
  const part = isCredited ? partOfCents(order, theirs.amountUsdCents) : undefined;
  await deps.ledger.lockInTx(tx);
  // A refund that has already failed moves money out and back, but no tokens.
  const { amountMicroAth: available } =
    isCredited && !isReturned(theirs)
      ? await readRefundable(deps, tx, order)
      : { amountMicroAth: 0n };
  const share = part?.amountMicroAth ?? 0n;
  const taken = share < available ? share : available;
  const isBeyond = part !== undefined && totalOf(part) < theirs.amountUsdCents;
  const { log, clock } = deps;
  const refundId = randomUUID();
  log.error(
    {
      alarm: taken < share || isBeyond ? 'refund_uncovered' : 'refund_adopted',
      orderId: order.id,
      refundId,
      providerRefundId: theirs.refundId,
    },
    'a refund was made in the dashboard of the provider',
  );
  const { priceUsdCents, productFeeUsdCents, processingFeeUsdCents } = part ?? NO_SHARES;
  const refund = await insertRefund(tx, {
    id: refundId,
    order_id: order.id,
    user_id: order.user_id,
    state: 'approved',
    funding: isCredited ? 'order' : 'suspense',
    is_adopted: true,
    share_micro_ath: share,
    taken_micro_ath: taken,
    price_usd_cents: priceUsdCents,
    product_fee_usd_cents: productFeeUsdCents,
    processing_fee_usd_cents: processingFeeUsdCents,
    total_usd_cents: theirs.amountUsdCents,
    reason: 'Made in the dashboard of the provider',
    requested_by: null,
    provider_refund_id: theirs.refundId,
    failure: null,
    created_at: dateOf(clock),
    sent_at: null,
    accepted_at: null,
    closed_at: null,
  });
  if (part === undefined) return { order, refund };
  const returned = returnedAfter(order, part, 1n);
  await updateOrder(tx, order.id, returned);
  return { order: { ...order, ...returned }, refund };
}

/** Finds and locks our refund for the provider's; `undefined` if no refund of ours can match it. */
async function findOurs(
  tx: Tx,
  order: OrderRow,
  theirs: CardRefund,
): Promise<RefundRow | undefined> {
  const { refund_id: claimed = '' } = theirs.metadata;
  const id =
    (await selectRefundIdByProvider(tx, theirs.refundId)) ??
    (isUuid(claimed) ? claimed : undefined);
  const refund = id === undefined ? undefined : await lockRefund(tx, id);
  if (refund === undefined || refund.order_id !== order.id) return undefined;
  if (ENDED_UNSENT.includes(refund.state)) return undefined;
  const isOther =
    refund.provider_refund_id !== null && refund.provider_refund_id !== theirs.refundId;
  return isOther ? undefined : refund;
}

/** Applies the provider's data about a refund of this order. Safe to call any number of times, concurrently and with outdated answers. */
export async function applyRefund(
  deps: SettleDeps,
  orderId: string,
  theirs: CardRefund,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const order = await lockOrderAndUser(tx, orderId);
    invariant(order !== undefined, 'orders with a payment stay');
    const known = await findOurs(tx, order, theirs);
    let applied: Applied =
      known === undefined ? await adopt(deps, tx, order, theirs) : { order, refund: known };
    if (applied.refund.accepted_at === null) {
      applied = { ...applied, refund: await accept(deps, tx, applied, theirs) };
    }
    const { state } = applied.refund;
    if (state === 'failed') return;
    if (isReturned(theirs)) await takeBack(deps, tx, applied, theirs);
    else if (theirs.status === 'succeeded' && state === 'pending') {
      await updateRefund(tx, applied.refund.id, {
        state: 'succeeded',
        closed_at: dateOf(deps.clock),
      });
    }
  });
}

/** The amount in cents, to compare with the refund that the provider made. */
export const amountOf = (refund: RefundRow): UsdCents => usdCents(refund.total_usd_cents);
