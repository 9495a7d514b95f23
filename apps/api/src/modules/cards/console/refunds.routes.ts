/** The console's calls about refunds of card payments. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { microAth, parseUnits } from '@athos/domain/money';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import { isOrderDisputed } from '../disputes/disputes.sql.ts';
import {
  faultOfRefund,
  largestPart,
  leftOf,
  partOfTokens,
  type OrderMoney,
} from '../orders/order-shares.ts';
import { selectOrder } from '../orders/orders.sql.ts';
import { readRefundable } from '../refunds/refundable.ts';
import { hasFailedRefund } from '../refunds/refunds.sql.ts';
import {
  refundAtCostAction,
  refundByBankAction,
  refundToCardAction,
} from './card-money.actions.ts';
import { afterOf } from './lists.sql.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { countRefunds, selectRefundCase, selectRefunds } from './payments.sql.ts';
import { presentPart, presentRefund, presentRefundCase } from './present.ts';

export function registerRefunds(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;
  registerRefundable(app, deps);

  consoleEndpoint(app, deps, consoleApi.consoleRefunds, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('refunds', query);
    const page = { sort: query.sort, limit, after: afterOf(after) };
    const [rows, total] = await Promise.all([
      selectRefunds(db, query, page),
      count ?? countRefunds(db, query),
    ]);
    return listCursors.answer('refunds', query, {
      rows,
      count: total,
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentRefund,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consoleRefund, async ({ params: { id } }) => {
    const refund = await selectRefundCase(db, id);
    if (refund === undefined) throw new AppError('not_found');
    return presentRefundCase(refund);
  });

  consoleEndpoint(app, deps, consoleApi.refundPayment, ({ params, body, ...act }) => {
    const { token_amount, is_at_cost: isAtCost, reason } = body;
    const payload = { payment_id: params.id, ...(token_amount !== undefined && { token_amount }) };
    const action = isAtCost ? refundAtCostAction : refundToCardAction;
    return perform(deps, act, action, { payload, reason });
  });

  consoleEndpoint(app, deps, consoleApi.refundByBank, ({ params, body, ...act }) => {
    const { reason, ...wanted } = body;
    const payload = { payment_id: params.id, ...wanted };
    return perform(deps, act, refundByBankAction, { payload, reason });
  });
}

/** The money for this many tokens, and the reason why it may not be refunded; null if fewer tokens are left. */
function askedPart(order: OrderMoney, tokenAmount: string | undefined) {
  if (tokenAmount === undefined) return null;
  const amount = microAth(parseUnits(tokenAmount));
  if (amount > leftOf(order).amountMicroAth) return null;
  const part = partOfTokens(order, amount);
  return { ...presentPart(part), fault: faultOfRefund(order, part) ?? null };
}

function registerRefundable(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db } = deps;

  consoleEndpoint(app, deps, consoleApi.refundable, async ({ params: { id }, query }) => {
    const order = await selectOrder(db, id);
    if (order?.state !== 'credited') throw new AppError('not_found');
    const [isDisputed, hasCardFailed] = await Promise.all([
      isOrderDisputed(db, id),
      hasFailedRefund(db, id),
    ]);
    const facts = await readRefundable(deps, db, order);
    const largest = isDisputed ? undefined : largestPart(order, facts.amountMicroAth);
    const atCost = isDisputed ? undefined : largestPart(order, facts.notReturnedMicroAth);
    return {
      not_returned_token_amount: facts.notReturnedMicroAth.toString(),
      low_water_token_amount: facts.lowWaterMicroAth?.toString() ?? null,
      is_disputed: isDisputed,
      has_card_failed: hasCardFailed,
      largest: largest === undefined ? null : presentPart(largest),
      largest_at_cost: atCost === undefined ? null : presentPart(atCost),
      asked: askedPart(order, query.token_amount),
    };
  });
}
