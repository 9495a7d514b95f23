/** Statements on our bookings against the provider's balance and on the transactions of that balance. */
import { sql, type Insertable, type Selectable } from 'kysely';
import { usdCents } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import type { CardTransaction } from '../provider/card-money.ts';

export type BookingRow = Selectable<Tables['card_bookings']>;
export type TransactionRow = Selectable<Tables['card_transactions']>;

/** Stores a booking once. */
export async function insertBooking(
  tx: Tx,
  booking: Omit<Insertable<Tables['card_bookings']>, 'matched_at' | 'explanation'>,
): Promise<void> {
  await tx
    .insertInto('card_bookings')
    .values({ ...booking, matched_at: null, explanation: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Stores a transaction unless it is already stored. */
export async function insertTransaction(
  tx: Tx | Db,
  transaction: CardTransaction,
  listedAt: Date,
): Promise<void> {
  await tx
    .insertInto('card_transactions')
    .values({
      id: transaction.transactionId,
      type: transaction.type,
      source_id: transaction.sourceId ?? null,
      amount_usd_cents: transaction.amountUsdCents,
      fee_usd_cents: transaction.feeUsdCents,
      net_usd_cents: transaction.netUsdCents,
      created_at: transaction.createdAt,
      listed_at: listedAt,
      booking_id: null,
      explanation: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export const lockTransaction = (
  tx: Tx,
  transactionId: string,
): Promise<TransactionRow | undefined> =>
  tx
    .selectFrom('card_transactions')
    .selectAll()
    .where('id', '=', transactionId)
    .forUpdate()
    .executeTakeFirst();

export const selectBooking = (tx: Tx | Db, bookingId: string): Promise<BookingRow | undefined> =>
  tx.selectFrom('card_bookings').selectAll().where('id', '=', bookingId).executeTakeFirst();

export const lockBooking = (tx: Tx, bookingId: string): Promise<BookingRow | undefined> =>
  tx
    .selectFrom('card_bookings')
    .selectAll()
    .where('id', '=', bookingId)
    .forUpdate()
    .executeTakeFirst();

/** The customer of the payment, refund or dispute that is the source of a transaction. */
export async function selectUserOfSource(
  tx: Tx,
  sourceId: string | null,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ user_id: bigint }>`
    select user_id from card_orders where charge_id = ${sourceId}::text
    union all select user_id from card_orders where intent_id = ${sourceId}::text
    union all select user_id from card_refunds where provider_refund_id = ${sourceId}::text
    union all select user_id from card_disputes where provider_dispute_id = ${sourceId}::text
    limit 1`.execute(tx);
  return rows[0]?.user_id;
}

/** Locks the oldest unmatched booking about this object with this amount. */
export const lockBookingOf = (
  tx: Tx,
  { source_id: sourceId, amount_usd_cents: amount }: TransactionRow,
): Promise<BookingRow | undefined> =>
  tx
    .selectFrom('card_bookings')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('amount_usd_cents', '=', amount)
    .where('matched_at', 'is', null)
    .orderBy('booked_at')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

export const readTransactionRow = (row: TransactionRow): CardTransaction => ({
  transactionId: row.id,
  type: row.type,
  sourceId: row.source_id ?? undefined,
  amountUsdCents: usdCents(row.amount_usd_cents),
  feeUsdCents: usdCents(row.fee_usd_cents),
  netUsdCents: usdCents(row.net_usd_cents),
  currency: 'usd',
  createdAt: row.created_at,
});

/** Returns `false` if the transaction is unknown or joined with a booking. */
export async function updateTransactionExplained(
  tx: Tx,
  transactionId: string,
  explanation: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('card_transactions')
    .set({ explanation })
    .where('id', '=', transactionId)
    .where('booking_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns `false` if the booking is unknown or joined with a transaction. */
export async function updateBookingExplained(
  tx: Tx,
  bookingId: string,
  explanation: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('card_bookings')
    .set({ explanation })
    .where('id', '=', bookingId)
    .where('matched_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Joins transaction and booking. The caller must hold the locks of both. */
export async function updateMatched(
  tx: Tx,
  { booking, transaction, at }: { booking: BookingRow; transaction: TransactionRow; at: Date },
): Promise<void> {
  await tx
    .updateTable('card_bookings')
    .set({ matched_at: at, fee_usd_cents: transaction.fee_usd_cents })
    .where('id', '=', booking.id)
    .execute();
  await tx
    .updateTable('card_transactions')
    .set({ booking_id: booking.id })
    .where('id', '=', transaction.id)
    .execute();
}

/** Stores the source of a booking once it is known. */
export async function updateBookingSource(
  tx: Tx,
  bookingId: string,
  sourceId: string,
): Promise<void> {
  await sql`
    update card_bookings set source_id = ${sourceId}::text
     where id = ${bookingId}::uuid and matched_at is null and source_id is distinct from ${sourceId}::text`.execute(
    tx,
  );
}
