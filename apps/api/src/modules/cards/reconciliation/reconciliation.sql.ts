/** Statements that compare the provider's balance with our bookings. */
import { sql, type Insertable } from 'kysely';
import { usdCents, type UsdCents } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import {
  readTransactionRow,
  type BookingRow,
  type TransactionRow,
} from '../bookings/bookings.sql.ts';
import type { CardTransaction } from '../provider/card-money.ts';

export const selectNewestTransactionTime = async (db: Db): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('card_transactions')
      .select('created_at')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.created_at;

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

export interface Totals {
  /** The sum of all transactions. */
  readonly netsUsdCents: UsdCents;
  /** The expected difference of our books: transactions without a booking, less bookings without a transaction. */
  readonly inFlightUsdCents: UsdCents;
}

export async function selectTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<{ nets: string; unbooked: string; unmatched: string }>`
    select (select coalesce(sum(net_usd_cents), 0)::text from card_transactions) as nets,
           (select coalesce(sum(net_usd_cents), 0)::text from card_transactions where booking_id is null) as unbooked,
           (select coalesce(sum(amount_usd_cents), 0)::text from card_bookings where matched_at is null) as unmatched`.execute(
    db,
  );
  const { nets = '0', unbooked = '0', unmatched = '0' } = rows[0] ?? {};
  return {
    netsUsdCents: usdCents(BigInt(nets)),
    inFlightUsdCents: usdCents(BigInt(unbooked) - BigInt(unmatched)),
  };
}

export async function upsertDay(db: Db, day: Insertable<Tables['card_days']>): Promise<void> {
  const { day: _day, ...facts } = day;
  await db
    .insertInto('card_days')
    .values(day)
    .onConflict((conflict) => conflict.column('day').doUpdateSet(facts))
    .execute();
}

/** The newest day whose totals were compared, such as `2026-11-22`, and whether they agreed. */
export const selectNewestDay = (
  db: Db | Tx,
): Promise<{ readonly day: string; readonly isAgreed: boolean } | undefined> =>
  db
    .selectFrom('card_days')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'is_agreed as isAgreed'])
    .orderBy('card_days.day', 'desc')
    .limit(1)
    .executeTakeFirst();
