/** The console's calls about money of the provider that could not be matched automatically. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import { explainByHand, matchByHand } from '../bookings/by-hand.ts';
import {
  selectLateBookings,
  selectLateTransactions,
} from '../reconciliation/reconciliation.sql.ts';
import { MATCH_WITHIN_MS } from '../reconciliation/totals.ts';
import { bookAction, bookTransactionAction } from './booking.actions.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { presentBooking, presentTransaction } from './present.ts';

/** Far more than a screen shows. The oldest come first, and later ones follow as the first are settled. */
const UNMATCHED_MAX = 100;

export function registerReconciliation(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.unmatchedMoney, async () => {
    const late = new Date(clock.nowMs() - MATCH_WITHIN_MS);
    const [transactions, bookings] = await Promise.all([
      selectLateTransactions(db, late, UNMATCHED_MAX + 1),
      selectLateBookings(db, late, UNMATCHED_MAX + 1),
    ]);
    return {
      transactions: transactions.slice(0, UNMATCHED_MAX).map(presentTransaction),
      bookings: bookings.slice(0, UNMATCHED_MAX).map(presentBooking),
      has_more: Math.max(transactions.length, bookings.length) > UNMATCHED_MAX,
    };
  });

  consoleEndpoint(app, deps, consoleApi.matchMoney, async ({ tx, body, record }) => {
    const { transaction_id: transactionId, booking_id: bookingId } = body;
    await record({ subjectId: transactionId, after: { bookingId }, ledgerKey: bookingId });
    await matchByHand(deps, tx, { transactionId, bookingId, at: dateOf(clock) });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.explainMoney, async ({ tx, body, record }) => {
    const { transaction_id: transactionId, booking_id: bookingId, explanation } = body;
    const subjectId = transactionId ?? bookingId;
    if (subjectId === undefined) throw new AppError('invalid_request');
    await record({ subjectId, after: { explanation } });
    await explainByHand(tx, { transactionId, bookingId, explanation });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.bookMoney, ({ body: { reason, ...payload }, ...act }) =>
    perform(deps, act, bookTransactionAction, { payload, reason }),
  );

  consoleEndpoint(app, deps, consoleApi.bookByHand, ({ body, ...act }) => {
    const { reason, amount_cents: amountCents, payment_id, ...accounts } = body;
    const payload = { ...accounts, amountCents, ...(payment_id !== undefined && { payment_id }) };
    return perform(deps, act, bookAction, { payload, reason });
  });
}
