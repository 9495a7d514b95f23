/** The console's lists of the provider's balance. Each list returns one row more than `limit` if there is a next page. */
import { sql } from 'kysely';
import type { TransactionGroup } from '@athos/contract/console/provider-money';
import type { Db } from '../../../platform/database/database.ts';
import type { BookingRow, TransactionRow } from '../bookings/bookings.sql.ts';
import type { ListPage } from './lists.sql.ts';

export const dayList = (db: Db) => db.selectFrom('card_days');

const daysOf = (db: Db) =>
  dayList(db)
    .selectAll()
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day_text'));

export const selectDays = (db: Db, { limit, after }: ListPage) =>
  daysOf(db)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`day < ${after?.[0]}::date`))
    .orderBy('day', 'desc')
    .limit(limit + 1)
    .execute();

export const selectDay = (db: Db, day: string) =>
  daysOf(db)
    .where(sql<boolean>`day = ${day}::date`)
    .executeTakeFirst();

export type DayRow = NonNullable<Awaited<ReturnType<typeof selectDay>>>;

/** The movements of the balance on a day in UTC, by the provider's type. */
export async function selectDayTypes(db: Db, day: string) {
  const { rows } = await sql<{
    type: string;
    count: number;
    amount_usd_cents: string;
    fee_usd_cents: string;
    net_usd_cents: string;
  }>`
    select type, count(*)::int as count, sum(amount_usd_cents)::text as amount_usd_cents,
           sum(fee_usd_cents)::text as fee_usd_cents, sum(net_usd_cents)::text as net_usd_cents
      from card_transactions
     where created_at >= ${day}::date::timestamp at time zone 'UTC'
       and created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
     group by type order by type`.execute(db);
  return rows;
}

/** The provider's types of transactions for each of our groups. */
const GROUP_TYPES: Readonly<Record<TransactionGroup, readonly string[]>> = {
  payments: ['charge', 'payment'],
  refunds: ['refund', 'payment_refund', 'refund_failure', 'payment_failure_refund'],
  disputes: ['adjustment'],
  payouts: ['payout', 'payout_failure', 'payout_cancel'],
  fees: ['stripe_fee', 'stripe_fx_fee', 'tax_fee'],
};

interface TransactionFilters {
  readonly group?: TransactionGroup | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const transactionList = (db: Db, { group, from, to }: TransactionFilters) =>
  db
    .selectFrom('card_transactions')
    .$if(group !== undefined, (query) => query.where('type', 'in', GROUP_TYPES[group ?? 'fees']))
    // With this exact condition, the few other transactions are found by the index `card_transactions_besides_payments`.
    .$if(group !== undefined && group !== 'payments', (query) =>
      query.where(sql<boolean>`type not in ('charge', 'payment')`),
    )
    .$if(from !== undefined, (query) => query.where('created_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (query) => query.where('created_at', '<', new Date(to ?? 0)));

export const selectTransactions = (
  db: Db,
  filters: TransactionFilters,
  { limit, after }: ListPage,
): Promise<TransactionRow[]> =>
  transactionList(db, filters)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::text)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const selectTransaction = (db: Db, id: string): Promise<TransactionRow | undefined> =>
  db.selectFrom('card_transactions').selectAll().where('id', '=', id).executeTakeFirst();

export const selectTransactionOf = (
  db: Db,
  bookingId: string,
): Promise<TransactionRow | undefined> =>
  db
    .selectFrom('card_transactions')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .executeTakeFirst();

/** Few enough to choose from by eye. */
const CANDIDATES_MAX = 20;

export const selectFreeBookings = (db: Db, amountUsdCents: bigint): Promise<BookingRow[]> =>
  db
    .selectFrom('card_bookings')
    .selectAll()
    .where('matched_at', 'is', null)
    .where('amount_usd_cents', '=', amountUsdCents)
    .orderBy('booked_at')
    .limit(CANDIDATES_MAX)
    .execute();

export const selectFreeTransactions = (db: Db, amountUsdCents: bigint): Promise<TransactionRow[]> =>
  db
    .selectFrom('card_transactions')
    .selectAll()
    .where('booking_id', 'is', null)
    .where('amount_usd_cents', '=', amountUsdCents)
    .orderBy('listed_at')
    .limit(CANDIDATES_MAX)
    .execute();
