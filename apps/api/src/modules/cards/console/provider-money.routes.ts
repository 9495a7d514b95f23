/** The console's calls that show the provider's balance: its transactions, their bookings, and a day of both. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import { AppError } from '../../../platform/errors.ts';
import { selectBooking } from '../bookings/bookings.sql.ts';
import { afterOf } from './lists.sql.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { presentBooking, presentDay, presentTransaction } from './present.ts';
import {
  dayList,
  selectDay,
  selectDays,
  selectDayTypes,
  selectFreeBookings,
  selectFreeTransactions,
  selectTransaction,
  selectTransactionOf,
  selectTransactions,
  transactionList,
} from './provider-money.sql.ts';

export function registerProviderMoney(app: FastifyInstance, deps: CardConsoleDeps): void {
  registerDays(app, deps);
  registerTransactions(app, deps);
}

function registerDays(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.reconciliationDays, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('card days', query);
    const [rows, total] = await Promise.all([
      selectDays(db, { limit, after: afterOf(after) }),
      count ?? countRows(db, dayList(db)),
    ]);
    return listCursors.answer('card days', query, {
      rows,
      count: total,
      positionOf: ({ day_text: day }) => [day, day],
      present: presentDay,
    });
  });

  consoleEndpoint(app, deps, consoleApi.reconciliationDay, async ({ params: { day } }) => {
    const [row, types] = await Promise.all([selectDay(db, day), selectDayTypes(db, day)]);
    if (row === undefined) throw new AppError('not_found');
    return { ...presentDay(row), types };
  });
}

function registerTransactions(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.cardTransactions, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('card transactions', query);
    const [rows, total] = await Promise.all([
      selectTransactions(db, query, { limit, after: afterOf(after) }),
      count ?? countRows(db, transactionList(db, query)),
    ]);
    return listCursors.answer('card transactions', query, {
      rows,
      count: total,
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentTransaction,
    });
  });

  consoleEndpoint(app, deps, consoleApi.cardTransaction, async ({ params: { id } }) => {
    const row = await selectTransaction(db, id);
    if (row === undefined) throw new AppError('not_found');
    const { booking_id: bookingId } = row;
    const booking = bookingId === null ? undefined : await selectBooking(db, bookingId);
    return {
      ...presentTransaction(row),
      booking: booking === undefined ? null : presentBooking(booking),
      candidates:
        bookingId === null
          ? (await selectFreeBookings(db, row.amount_usd_cents)).map(presentBooking)
          : [],
    };
  });

  consoleEndpoint(app, deps, consoleApi.cardBooking, async ({ params: { id } }) => {
    const row = await selectBooking(db, id);
    if (row === undefined) throw new AppError('not_found');
    const transaction = await selectTransactionOf(db, id);
    return {
      ...presentBooking(row),
      transaction: transaction === undefined ? null : presentTransaction(transaction),
      candidates:
        row.matched_at === null
          ? (await selectFreeTransactions(db, row.amount_usd_cents)).map(presentTransaction)
          : [],
    };
  });
}
