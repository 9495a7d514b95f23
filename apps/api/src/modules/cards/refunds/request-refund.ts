/**
 * A refund before the provider knows about it: requested, with its tokens held, then approved or given back. The console and jobs call
 * the same functions inside their own transactions.
 */
import { microAth, usdCents, type MicroAth } from '@athos/domain/money';
import type { Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { isOrderDisputed } from '../disputes/disputes.sql.ts';
import { lookAgain } from '../disputes/looks.ts';
import {
  faultOfRefund,
  largestPart,
  leftOf,
  partOfTokens,
  returnedAfter,
  totalOf,
  type OrderMoney,
  type Part,
} from '../orders/order-shares.ts';
import {
  lockOrderAndUser,
  notifyOrderChanged,
  updateOrder,
  type OrderRow,
} from '../orders/orders.sql.ts';
import { readRefundable } from './refundable.ts';
import { acceptanceTransfers, holdTransfers, releaseTransfers } from './refund-books.ts';
import {
  hasFailedRefund,
  insertRefund,
  lockRefund,
  selectRefund,
  updateRefund,
  type RefundRow,
} from './refunds.sql.ts';

export interface RefundDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

export interface RefundRequest {
  /** A UUIDv7: the refund's id, its key in the ledger, and the provider's idempotency key. */
  readonly refundId: string;
  readonly orderId: string;
  /** `all` means as much as is refundable. */
  readonly amountMicroAth: MicroAth | 'all';
  /** If true, the refund takes no tokens: the programme bears it. */
  readonly isAtCost: boolean;
  /** The reference of the bank transfer with which finance pays the refund; absent for a refund to the card. */
  readonly bankReference?: string | undefined;
  readonly reason: string;
  /** The member of staff who requested it. */
  readonly requestedBy: string | null;
}

const refuse = (detail: string): AppError => new AppError('not_refundable', { detail });

/** The part to refund. Throws `not_refundable`. */
function choosePart(order: OrderRow, amount: MicroAth | 'all', available: MicroAth): Part {
  const part =
    amount === 'all'
      ? largestPart(order, available)
      : amount <= available
        ? partOfTokens(order, amount)
        : undefined;
  if (part === undefined) throw refuse('Less than this is left of the order.');
  switch (faultOfRefund(order, part)) {
    case 'below_minimum':
      throw refuse('A refund is at least 1.00 USD.');
    case 'leaves_too_little':
      throw refuse('A refund leaves nothing of the order, or at least 1.00 USD.');
    case undefined:
      return part;
  }
}

/** Locks user and order, and checks that the order's money can be refunded to its card. */
async function lockRefundableOrder(tx: Tx, orderId: string): Promise<OrderRow> {
  const order = await lockOrderAndUser(tx, orderId);
  if (order === undefined) throw new AppError('not_found');
  if (order.state !== 'credited') throw refuse('The payment was not credited.');
  if (await isOrderDisputed(tx, orderId)) throw refuse('The payment is disputed.');
  return order;
}

type Wanted = Omit<RefundRequest, 'reason' | 'requestedBy'>;

/** The part that would be refunded now, or that a requested refund holds. Throws `not_found` or `not_refundable`. */
export async function previewRefund(
  deps: RefundDeps,
  tx: Tx,
  wanted: Wanted,
): Promise<{ order: OrderRow; part: Part }> {
  const order = await lockRefundableOrder(tx, wanted.orderId);
  const asked = await selectRefund(tx, wanted.refundId);
  if (asked !== undefined) return { order, part: partOfRefund(asked) };
  if (wanted.bankReference !== undefined && !(await hasFailedRefund(tx, order.id))) {
    throw refuse('The card has not failed to take a refund of this payment.');
  }
  const available = wanted.isAtCost
    ? leftOf(order).amountMicroAth
    : (await readRefundable(deps, tx, order)).amountMicroAth;
  return { order, part: choosePart(order, wanted.amountMicroAth, available) };
}

/** Requests a refund and holds its tokens. Throws `not_found` or `not_refundable`. Locks the ledger: only `approveRefund` may follow. */
export async function requestRefund(
  deps: RefundDeps,
  tx: Tx,
  request: RefundRequest,
): Promise<RefundRow> {
  await lockRefundableOrder(tx, request.orderId);
  // With the lock, the refundable amount is still the same when the tokens are held.
  await deps.ledger.lockInTx(tx);
  const { order, part } = await previewRefund(deps, tx, request);
  const refund = await insertRefund(tx, {
    id: request.refundId,
    order_id: order.id,
    user_id: order.user_id,
    state: 'requested',
    funding: 'order',
    method: request.bankReference === undefined ? 'card' : 'bank',
    reference: request.bankReference ?? null,
    share_micro_ath: part.amountMicroAth,
    taken_micro_ath: request.isAtCost ? 0n : part.amountMicroAth,
    price_usd_cents: part.priceUsdCents,
    product_fee_usd_cents: part.productFeeUsdCents,
    processing_fee_usd_cents: part.processingFeeUsdCents,
    total_usd_cents: totalOf(part),
    reason: request.reason,
    requested_by: request.requestedBy,
    provider_refund_id: null,
    failure: null,
    created_at: dateOf(deps.clock),
    sent_at: null,
    accepted_at: null,
    closed_at: null,
  });
  await updateOrder(tx, order.id, returnedAfter(order, part, 1n));
  const held = holdTransfers(refund);
  if (held.length > 0) {
    // A hold or a restriction stops the user, but not the refund. The balance covers the amount, so no floor is lowered.
    const outcome = await deps.ledger.clawBackInTx(tx, held);
    if (outcome.outcome === 'refused') throw refuse('The account is closed.');
  }
  return refund;
}

/** Lets a requested refund be sent, or books that it is paid by bank. Throws `state_changed` if it was already decided. */
export async function approveRefund(deps: RefundDeps, tx: Tx, refundId: string): Promise<void> {
  const { order, refund } = await lockRefundAndOrder(tx, refundId);
  if (refund.state !== 'requested') throw new AppError('state_changed');
  if (refund.method === 'bank') {
    await bookPaidByBank(deps, tx, { order, refund });
    return;
  }
  await updateRefund(tx, refundId, { state: 'approved' });
  await enqueueSending(tx, refundId);
}

/** The provider is not involved, so the refund is final once approved. */
async function bookPaidByBank(
  { ledger, clock }: RefundDeps,
  tx: Tx,
  { order, refund }: { readonly order: OrderRow; readonly refund: RefundRow },
): Promise<void> {
  const now = dateOf(clock);
  await updateRefund(tx, refund.id, { state: 'succeeded', accepted_at: now, closed_at: now });
  await notifyOrderChanged(tx, order);
  const outcome = await ledger.transferInTx(tx, acceptanceTransfers(refund));
  invariant(outcome.outcome !== 'refused', 'what a refund holds can go');
}

export const enqueueSending = (
  tx: Parameters<typeof enqueueJob>[0],
  refundId: string,
): Promise<void> => enqueueJob(tx, 'refund_send', { refundId }, { key: `refund_send:${refundId}` });

/** The part of the order's money that the refund returns to the order if it ends. */
export const partOfRefund = (refund: RefundRow): Part => ({
  amountMicroAth: microAth(refund.share_micro_ath),
  priceUsdCents: usdCents(refund.price_usd_cents),
  productFeeUsdCents: usdCents(refund.product_fee_usd_cents),
  processingFeeUsdCents: usdCents(refund.processing_fee_usd_cents),
});

/** Ends a refund that the provider has not accepted and gives its tokens back. The caller must hold the locks of order and refund. */
export async function endRefund(
  { ledger, clock }: RefundDeps,
  tx: Tx,
  {
    order,
    refund,
    state,
    failure = null,
  }: {
    readonly order: OrderMoney & { readonly id: string };
    readonly refund: RefundRow;
    readonly state: 'rejected' | 'withdrawn' | 'expired' | 'refused';
    readonly failure?: string | null;
  },
): Promise<void> {
  await updateRefund(tx, refund.id, { state, failure, closed_at: dateOf(clock) });
  await updateOrder(tx, order.id, returnedAfter(order, partOfRefund(refund), -1n));
  await lookAgain(tx, order.id);
  const released = releaseTransfers(refund);
  if (released.length === 0) return;
  const outcome = await ledger.transferInTx(tx, released);
  invariant(outcome.outcome !== 'refused', 'held tokens can be given back');
}

/** Gives up a requested refund, unless it has ended. Throws `state_changed` if it was approved. */
export async function giveUpRefund(
  deps: RefundDeps,
  tx: Tx,
  refundId: string,
  state: 'rejected' | 'withdrawn' | 'expired',
): Promise<void> {
  const { order, refund } = await lockRefundAndOrder(tx, refundId);
  if (refund.closed_at !== null) return;
  if (refund.state !== 'requested') throw new AppError('state_changed');
  await endRefund(deps, tx, { order, refund, state });
}

/** Locks user, order and refund, in this sequence. Throws `not_found`. */
export async function lockRefundAndOrder(
  tx: Tx,
  refundId: string,
): Promise<{ order: OrderRow; refund: RefundRow }> {
  const known = await selectRefund(tx, refundId);
  if (known === undefined) throw new AppError('not_found');
  const order = await lockOrderAndUser(tx, known.order_id);
  const refund = await lockRefund(tx, refundId);
  invariant(order !== undefined && refund !== undefined, 'a refund and its order stay');
  return { order, refund };
}
