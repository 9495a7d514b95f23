/** What staff do with card money within a policy, and above it after the votes of others (decision 0021). */
import { z } from 'zod';
import { BOOKING_ACCOUNTS } from '@athos/contract/console/card-money';
import { microAth, parseUnits } from '@athos/domain/money';
import type { Action, ActionPreview } from '../../../capability.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { lockUsers, selectUser } from '../../identity/index.ts';
import { bookByHand } from '../bookings/by-hand.ts';
import { lockTransaction } from '../bookings/bookings.sql.ts';
import { writeOffDebt, type DisputeDeps } from '../disputes/debts.ts';
import { selectDebt, selectDispute } from '../disputes/disputes.sql.ts';
import { totalOf } from '../orders/order-shares.ts';
import { lockOrderAndUser, selectOrder } from '../orders/orders.sql.ts';
import { closeReviewed, creditReviewed, lockReviewed, refundReviewed } from '../review/review.ts';
import {
  approveRefund,
  giveUpRefund,
  previewRefund,
  requestRefund,
} from '../refunds/request-refund.ts';
import { selectRefund } from '../refunds/refunds.sql.ts';

/** The customer of an action, as four-eyes needs to know them. */
async function customerOf(tx: Tx, userId: bigint): Promise<NonNullable<ActionPreview['customer']>> {
  const user = await selectUser(tx, userId);
  invariant(user !== undefined, 'users stay');
  return { userId, uuid: user.uuid, email: user.email };
}

const refundPayload = z.object({
  payment_id: z.uuid(),
  /** Absent: as much as is refundable. */
  token_amount: z.string().optional(),
});
type RefundPayload = z.output<typeof refundPayload>;

/** A refund at the programme's cost takes no tokens and needs a vote always. */
const refundAction = (
  name: 'payment.refund' | 'payment.refund_at_cost',
  isAtCost: boolean,
): Action<DisputeDeps, RefundPayload> => {
  const requestOf = (call: { id: string; payload: RefundPayload }) => ({
    refundId: call.id,
    orderId: call.payload.payment_id,
    amountMicroAth:
      call.payload.token_amount === undefined
        ? ('all' as const)
        : microAth(parseUnits(call.payload.token_amount)),
    isAtCost,
  });
  return {
    name,
    subjectType: 'payment',
    permission: 'payments.refund',
    policy: isAtCost ? 'costRefundPolicy' : 'cardRefundPolicy',
    unit: 'USD',
    payload: refundPayload,
    isCustomersValueHeld: !isAtCost,
    async lock(_deps, tx, { payload }) {
      const order = await lockOrderAndUser(tx, payload.payment_id);
      if (order === undefined) throw new AppError('not_found');
    },
    async preview(deps, tx, call) {
      const { order, part } = await previewRefund(deps, tx, requestOf(call));
      const usdCents = totalOf(part);
      return {
        subjectId: order.id,
        version: order.state,
        customer: await customerOf(tx, order.user_id),
        amount: { asset: 'ATH', units: isAtCost ? 0n : part.amountMicroAth },
        usdCents,
        measured: usdCents,
        before: { state: order.state },
        after: { refund_usd_cents: usdCents.toString(), tokens: part.amountMicroAth.toString() },
      };
    },
    async hold(deps, tx, call) {
      const { staffId } = call.requestedBy;
      await requestRefund(deps, tx, {
        ...requestOf(call),
        reason: call.reason,
        requestedBy: staffId,
      });
    },
    giveBack: (deps, tx, { id, state }) => giveUpRefund(deps, tx, id, state),
    async execute(deps, tx, call) {
      if ((await selectRefund(tx, call.id)) === undefined) {
        const { staffId } = call.requestedBy;
        await requestRefund(deps, tx, {
          ...requestOf(call),
          reason: call.reason,
          requestedBy: staffId,
        });
      }
      await approveRefund(tx, call.id);
    },
  };
};

const REVIEW_OUTCOMES = ['credit', 'refund', 'settled_elsewhere'] as const;
const reviewPayload = z.object({ payment_id: z.uuid(), outcome: z.enum(REVIEW_OUTCOMES) });

export const reviewAction: Action<DisputeDeps, z.output<typeof reviewPayload>> = {
  name: 'payment.resolve_review',
  subjectType: 'payment',
  permission: 'payments.review',
  policy: 'paymentReviewPolicy',
  unit: 'USD',
  payload: reviewPayload,
  async lock(_deps, tx, { payload }) {
    await lockReviewed(tx, payload.payment_id);
  },
  async preview(_deps, tx, { payload: { payment_id: id, outcome } }) {
    const order = await lockReviewed(tx, id);
    return {
      subjectId: id,
      version: order.review_reason ?? '',
      customer: await customerOf(tx, order.user_id),
      amount: { asset: 'ATH', units: outcome === 'credit' ? order.amount_micro_ath : 0n },
      usdCents: order.total_usd_cents,
      before: { state: order.state, reason: order.review_reason },
      after: { outcome },
    };
  },
  async execute(deps, tx, { id, reason, requestedBy, payload: { payment_id: orderId, outcome } }) {
    if (outcome === 'credit') return creditReviewed(deps, tx, orderId);
    if (outcome === 'settled_elsewhere') return closeReviewed(deps, tx, orderId);
    const requestedById = requestedBy.staffId;
    return refundReviewed(deps, tx, { orderId, refundId: id, reason, requestedBy: requestedById });
  },
};

/** What so many tokens of the disputed order were paid with. */
async function costOf(tx: Tx, disputeId: string, units: bigint): Promise<bigint> {
  const dispute = await selectDispute(tx, disputeId);
  const order = dispute && (await selectOrder(tx, dispute.order_id));
  invariant(order !== undefined, 'a debt has its dispute and its order');
  return (order.total_usd_cents * units) / order.amount_micro_ath;
}

const debtPayload = z.object({ debt_id: z.uuid() });

export const writeOffAction: Action<DisputeDeps, z.output<typeof debtPayload>> = {
  name: 'debt.write_off',
  subjectType: 'debt',
  permission: 'customers.write_off',
  policy: 'writeOffPolicy',
  unit: 'ATH',
  payload: debtPayload,
  async lock(_deps, tx, { payload }) {
    const debt = await selectDebt(tx, payload.debt_id);
    if (debt === undefined) throw new AppError('not_found');
    await lockUsers(tx, [debt.user_id]);
  },
  async preview(_deps, tx, { payload: { debt_id: id } }) {
    const debt = await selectDebt(tx, id);
    if (debt === undefined) throw new AppError('not_found');
    if (debt.closed_at !== null) throw new AppError('state_changed');
    const owed = debt.amount_micro_ath - debt.repaid_micro_ath - debt.written_off_micro_ath;
    return {
      subjectId: id,
      version: owed.toString(),
      customer: await customerOf(tx, debt.user_id),
      amount: { asset: 'ATH', units: owed },
      usdCents: await costOf(tx, debt.dispute_id, owed),
      before: { owed: owed.toString() },
      after: { owed: '0' },
    };
  },
  execute: (deps, tx, { payload }) => writeOffDebt(deps, tx, payload.debt_id),
};

const bookingPayload = z.object({
  transaction_id: z.string().max(255),
  account: z.enum(BOOKING_ACCOUNTS),
});

export const bookingAction: Action<DisputeDeps, z.output<typeof bookingPayload>> = {
  name: 'reconciliation.book',
  subjectType: 'card_transaction',
  permission: 'ledger.book',
  policy: 'bookingPolicy',
  unit: 'USD',
  payload: bookingPayload,
  async lock(_deps, tx, { payload }) {
    if ((await lockTransaction(tx, payload.transaction_id)) === undefined) {
      throw new AppError('not_found');
    }
  },
  async preview(_deps, tx, { payload: { transaction_id: id, account } }) {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new AppError('not_found');
    if (row.booking_id !== null) throw new AppError('state_changed');
    const { net_usd_cents: net } = row;
    return {
      subjectId: id,
      version: account,
      usdCents: net < 0n ? -net : net,
      before: { booked: false },
      after: { account, net_usd_cents: net.toString() },
    };
  },
  execute: (deps, tx, { payload }) =>
    bookByHand(deps, tx, {
      transactionId: payload.transaction_id,
      account: payload.account,
      at: dateOf(deps.clock),
    }),
};

export const refundToCardAction = refundAction('payment.refund', false);
export const refundAtCostAction = refundAction('payment.refund_at_cost', true);
