/** Statements that join the provider's transactions with our bookings. */
import type { Db } from '../../../platform/database/database.ts';
import {
  readTransactionRow,
  type BookingRow,
  type TransactionRow,
} from '../bookings/bookings.sql.ts';
import type { CardTransaction } from '../provider/card-money.ts';

/** When the stored transactions last added up to the provider's balance, so that none was missing. */
export const selectBalancedAt = async (db: Db): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('card_days')
      .select('checked_at')
      .whereRef('provider_usd_cents', '=', 'nets_usd_cents')
      .orderBy('checked_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.checked_at;

export const selectFirstOrderTime = async (db: Db): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('card_orders')
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
  )?.created_at;

/** Transactions without a booking or an explanation. Those never looked up come first, then those looked up longest ago. */
export async function selectUnmatchedTransactions(
  db: Db,
  limit: number,
): Promise<CardTransaction[]> {
  const rows = await db
    .selectFrom('card_transactions')
    .selectAll()
    .where('booking_id', 'is', null)
    .where('explanation', 'is', null)
    .orderBy('looked_at', (looked) => looked.asc().nullsFirst())
    .orderBy('listed_at')
    .limit(limit)
    .execute();
  return rows.map(readTransactionRow);
}

export async function updateLookedAt(db: Db, transactionId: string, at: Date): Promise<void> {
  await db
    .updateTable('card_transactions')
    .set({ looked_at: at })
    .where('id', '=', transactionId)
    .execute();
}

export async function isTransactionBooked(db: Db, transactionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('card_transactions')
    .select('booking_id')
    .where('id', '=', transactionId)
    .executeTakeFirst();
  return row !== undefined && row.booking_id !== null;
}

export const selectDisputedOrderId = async (
  db: Db,
  providerDisputeId: string,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('card_disputes')
      .select('order_id')
      .where('provider_dispute_id', '=', providerDisputeId)
      .executeTakeFirst()
  )?.order_id;

/** Transactions listed at `before` or earlier without a booking, oldest first. */
export const selectLateTransactions = (
  db: Db,
  before: Date,
  limit: number,
): Promise<TransactionRow[]> =>
  db
    .selectFrom('card_transactions')
    .selectAll()
    .where('booking_id', 'is', null)
    .where('explanation', 'is', null)
    .where('listed_at', '<=', before)
    .orderBy('listed_at')
    .limit(limit)
    .execute();

/** Bookings made at `before` or earlier without a transaction, oldest first. */
export const selectLateBookings = (db: Db, before: Date, limit: number): Promise<BookingRow[]> =>
  db
    .selectFrom('card_bookings')
    .selectAll()
    .where('matched_at', 'is', null)
    .where('explanation', 'is', null)
    .where('booked_at', '<=', before)
    .orderBy('booked_at')
    .limit(limit)
    .execute();
