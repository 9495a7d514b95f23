/** The console's calls about card payments: their list, one payment with its refunds and disputes, and the end of a review. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { selectOrder } from '../orders/orders.sql.ts';
import { reviewAction } from './card-money.actions.ts';
import { selectDisputes, selectWarnings } from './dispute-lists.sql.ts';
import { afterOf, WHOLE_LIST } from './lists.sql.ts';
import {
  countPayments,
  selectBookings,
  selectEventsOf,
  selectPayment,
  selectPayments,
  selectRefundsOf,
} from './payments.sql.ts';
import { presentBooking, presentDispute, presentPayment, presentRefund } from './present.ts';

export interface CardConsoleDeps extends DisputeDeps, ConsoleDeps, PerformDeps {
  readonly config: DisputeDeps['config'] & ConsoleDeps['config'];
  readonly listCursors: ListCursors;
}

export function registerPayments(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;
  registerPayment(app, deps);

  consoleEndpoint(app, deps, consoleApi.consolePayments, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('payments', query);
    const page = { sort: query.sort, limit, after: afterOf(after) };
    const [rows, total] = await Promise.all([
      selectPayments(db, query, page),
      count ?? countPayments(db, query),
    ]);
    return listCursors.answer('payments', query, {
      rows,
      count: total,
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentPayment,
    });
  });

  consoleEndpoint(app, deps, consoleApi.resolveReview, ({ params, body, ...act }) => {
    const payload = { payment_id: params.id, outcome: body.outcome };
    return perform(deps, act, reviewAction, { payload, reason: body.reason });
  });
}

function registerPayment(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, cardProvider } = deps;

  consoleEndpoint(app, deps, consoleApi.consolePayment, async ({ params: { id } }) => {
    const payment = await selectPayment(db, id);
    if (payment === undefined) throw new AppError('not_found');
    const [refunds, disputes, bookings, warnings, events] = await Promise.all([
      selectRefundsOf(db, id),
      selectDisputes(db, { orderId: id }, WHOLE_LIST),
      selectBookings(db, id),
      selectWarnings(db, id),
      payment.intent_id === null ? [] : selectEventsOf(db, payment.intent_id),
    ]);
    const received = bookings.find(({ id: bookingId }) => bookingId === id);
    return {
      ...presentPayment(payment),
      usd_per_ath: payment.usd_per_ath,
      price_usd_cents: payment.price_usd_cents.toString(),
      product_fee_usd_cents: payment.product_fee_usd_cents.toString(),
      processing_fee_usd_cents: payment.processing_fee_usd_cents.toString(),
      received_usd_cents: received?.amount_usd_cents.toString() ?? null,
      intent_id: payment.intent_id,
      charge_id: payment.charge_id,
      provider_status: payment.provider_status,
      error_message: payment.error_message,
      expires_at: payment.expires_at.toISOString(),
      refunds: refunds.map(presentRefund),
      disputes: disputes.map(presentDispute),
      bookings: bookings.map(presentBooking),
      warnings: warnings.map(({ created_at: at, fraud_type, is_actionable, id: warningId }) => ({
        id: warningId,
        fraud_type,
        is_actionable,
        created_at: at.toISOString(),
      })),
      events: events.map(({ created_at: at, processed_at: processedAt, ...event }) => ({
        ...event,
        created_at: at.toISOString(),
        processed_at: processedAt?.toISOString() ?? null,
      })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.paymentAttempts, async ({ params: { id } }) => {
    const order = await selectOrder(db, id);
    if (order === undefined) throw new AppError('not_found');
    const attempts =
      order.intent_id === null ? [] : await cardProvider.listAttempts(order.intent_id);
    return {
      items: attempts.map(({ card, failure, ...attempt }) => ({
        charge_id: attempt.chargeId,
        at: attempt.madeAt.toISOString(),
        state: attempt.state,
        amount_usd_cents: attempt.amountUsdCents.toString(),
        card:
          card === undefined
            ? null
            : {
                brand: card.brand,
                last_four: card.lastFour,
                country: card.country ?? null,
                funding: card.funding ?? null,
              },
        failure: failure ?? null,
        authentication: attempt.authentication ?? null,
        risk_level: attempt.riskLevel ?? null,
      })),
    };
  });
}
