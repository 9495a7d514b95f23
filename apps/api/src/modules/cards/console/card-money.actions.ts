/** Acts of staff on card payments and debts: within a policy at once, and beyond it after a vote by others (decision 0022). */
import { z } from 'zod';
import { REVIEW_OUTCOMES } from '@athos/contract/console/payments';
import { microAth, parseUnits } from '@athos/domain/money';
import type { Action, ActionPreview } from '../../../capability.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { lockUsers, selectUser } from '../../identity/index.ts';
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

/** The customer of an action, in the form that four-eyes needs. */
export async function customerOf(
  tx: Tx,
  userId: bigint,
): Promise<NonNullable<ActionPreview['customer']>> {
  const user = await selectUser(tx, userId);
  invariant(user !== undefined, 'users stay');
  return { userId, uuid: user.uuid, email: user.email };
}

const refundPayload = z.object({
  payment_id: z.uuid(),
  /** If absent, as much as is refundable. */
  token_amount: z.string().optional(),
  bank_reference: z.string().optional(),
});
type RefundPayload = z.output<typeof refundPayload>;

type RefundAction = Action<DisputeDeps, RefundPayload>;

/** A refund at the programme's cost takes no tokens from the customer. */
function refundAction(
  { name, policy }: Pick<RefundAction, 'name' | 'policy'>,
  { isAtCost }: { readonly isAtCost: boolean },
): RefundAction {
  const wantedOf = ({ id, payload }: { id: string; payload: RefundPayload }) => ({
    refundId: id,
    orderId: payload.payment_id,
    amountMicroAth:
      payload.token_amount === undefined
        ? ('all' as const)
        : microAth(parseUnits(payload.token_amount)),
    isAtCost,
    bankReference: payload.bank_reference,
  });
  const hold: RefundAction['hold'] = async (deps, tx, call) => {
    const { reason, requestedBy } = call;
    await requestRefund(deps, tx, {
      ...wantedOf(call),
      reason,
      requestedBy: requestedBy.staffId,
    });
  };
  return {
    name,
    policy,
    subjectType: 'payment',
    permission: 'payments.refund',
    unit: 'USD',
    payload: refundPayload,
    isCustomersValueHeld: !isAtCost,
    async lock(_deps, tx, { payload }) {
      const order = await lockOrderAndUser(tx, payload.payment_id);
      if (order === undefined) throw new AppError('not_found');
    },
    async preview(deps, tx, call) {
      const { order, part } = await previewRefund(deps, tx, wantedOf(call));
      const usdCents = totalOf(part);
      const { bank_reference: reference } = call.payload;
      return {
        subjectId: order.id,
        version: order.state,
        customer: await customerOf(tx, order.user_id),
        amount: { asset: 'ATH', units: isAtCost ? 0n : part.amountMicroAth },
        usdCents,
        measured: usdCents,
        before: { state: order.state },
        after: {
          refund_usd_cents: usdCents.toString(),
          tokens: part.amountMicroAth.toString(),
          ...(reference !== undefined && { bank_reference: reference }),
        },
      };
    },
    hold,
    giveBack: (deps, tx, { id, state }) => giveUpRefund(deps, tx, id, state),
    async execute(deps, tx, call) {
      if ((await selectRefund(tx, call.id)) === undefined) await hold(deps, tx, call);
      await approveRefund(deps, tx, call.id);
    },
  };
}

export const refundToCardAction = refundAction(
  { name: 'payment.refund', policy: 'cardRefundPolicy' },
  { isAtCost: false },
);
/** Always needs a vote. */
export const refundAtCostAction = refundAction(
  { name: 'payment.refund_at_cost', policy: 'costRefundPolicy' },
  { isAtCost: true },
);
/** Money leaves the programme's bank account by hand, as with any other booking. */
export const refundByBankAction = refundAction(
  { name: 'payment.refund_by_bank', policy: 'bookingPolicy' },
  { isAtCost: false },
);

const reviewPayload = z.object({ payment_id: z.uuid(), outcome: z.enum(REVIEW_OUTCOMES) });

export const reviewAction: Action<DisputeDeps, z.output<typeof reviewPayload>> = {
  name: 'payment.resolve_review',
  subjectType: 'payment',
  permission: 'payments.review',
  policy: 'paymentReviewPolicy',
  unit: 'USD',
  payload: reviewPayload,
  // `preview` checks whether the payment is still in review: it must be possible to end a request that was overtaken.
  async lock(_deps, tx, { payload }) {
    const order = await lockOrderAndUser(tx, payload.payment_id);
    if (order === undefined) throw new AppError('not_found');
  },
  async preview(_deps, tx, { payload: { payment_id: id, outcome } }) {
    const order = await lockReviewed(tx, id, { mayBeLost: outcome === 'settled_elsewhere' });
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

/** The amount in US cents that was paid for this many tokens of the disputed order. */
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
