/** The console's calls about card payments: their list, one payment with what followed it, and the end of a review. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { reviewAction } from './card-money.actions.ts';
import { selectDisputes, selectWarnings } from './dispute-lists.sql.ts';
import {
  afterOf,
  paymentList,
  selectBookings,
  selectPayment,
  selectPayments,
  selectRefunds,
  WHOLE_LIST,
} from './lists.sql.ts';
import { presentBooking, presentDispute, presentPayment, presentRefund } from './present.ts';

export interface CardConsoleDeps extends DisputeDeps, ConsoleDeps {
  readonly config: DisputeDeps['config'] & ConsoleDeps['config'];
  readonly listCursors: ListCursors;
}

export function registerPayments(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consolePayments, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('payments', query);
    return listCursors.answer('payments', query, {
      rows: await selectPayments(db, query, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, paymentList(db, query))),
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentPayment,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consolePayment, async ({ params: { id } }) => {
    const payment = await selectPayment(db, id);
    if (payment === undefined) throw new AppError('not_found');
    const [refunds, disputes, bookings, warnings] = await Promise.all([
      selectRefunds(db, { orderId: id }, WHOLE_LIST),
      selectDisputes(db, { orderId: id }, WHOLE_LIST),
      selectBookings(db, id),
      selectWarnings(db, id),
    ]);
    return {
      ...presentPayment(payment),
      intent_id: payment.intent_id,
      charge_id: payment.charge_id,
      refunds: refunds.map(presentRefund),
      disputes: disputes.map(presentDispute),
      bookings: bookings.map(presentBooking),
      warnings: warnings.map(({ id: warningId, fraud_type, is_actionable, created_at: at }) => ({
        id: warningId,
        fraud_type,
        is_actionable,
        created_at: at.toISOString(),
      })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.resolveReview, ({ params, body, ...act }) => {
    const payload = { payment_id: params.id, outcome: body.outcome };
    return perform(deps, act, reviewAction, { payload, reason: body.reason });
  });
}
