/** Work that waits for the people who handle card money. */
import { sql } from 'kysely';
import type { WaitingSource } from '../../../capability.ts';
import type { Clock } from '../../../platform/clock.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db } from '../../../platform/database/database.ts';
import { MATCH_WITHIN_MS } from '../reconciliation/totals.ts';
import {
  selectLateBookings,
  selectLateTransactions,
} from '../reconciliation/reconciliation.sql.ts';
import { disputeList } from './dispute-lists.sql.ts';

interface WaitingDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** The maximum number of unmatched items that is counted. */
const UNMATCHED_MAX = 100;

const paymentsInReview: WaitingSource<WaitingDeps> = {
  kind: 'payments_in_review',
  permission: 'payments.read',
  async count({ db }) {
    const orders = db.selectFrom('card_orders').where('state', '=', 'review');
    const { value, is_at_least } = await countRows(db, orders);
    return { count: value, isAtLeast: is_at_least };
  },
};

const disputesToAnswer: WaitingSource<WaitingDeps> = {
  kind: 'disputes',
  permission: 'payments.read',
  async count({ db }) {
    const disputes = disputeList(db, { view: 'answer' });
    const { count, dueAt } = await disputes
      .select([
        sql<number>`count(*)::int`.as('count'),
        sql<Date | null>`min(card_disputes.due_at)`.as('dueAt'),
      ])
      .executeTakeFirstOrThrow();
    return { count, isAtLeast: false, dueAt: dueAt ?? undefined };
  },
};

const unmatchedMoney: WaitingSource<WaitingDeps> = {
  kind: 'unmatched_money',
  permission: 'payments.read',
  async count({ db, clock }) {
    const late = new Date(clock.nowMs() - MATCH_WITHIN_MS);
    const [transactions, bookings] = await Promise.all([
      selectLateTransactions(db, late, UNMATCHED_MAX),
      selectLateBookings(db, late, UNMATCHED_MAX),
    ]);
    const count = transactions.length + bookings.length;
    return { count: Math.min(count, UNMATCHED_MAX), isAtLeast: count > UNMATCHED_MAX };
  },
};

export const cardsWaiting = [paymentsInReview, disputesToAnswer, unmatchedMoney];
