/** Statements of the daily totals of card money. */
import { sql, type Insertable } from 'kysely';
import { usdCents, type UsdCents } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

/** The sum of the transactions that were listed before `until`. */
export interface ListedSum {
  readonly until: Date;
  readonly usdCents: bigint;
}

/** The sum that the newest day has kept. */
export async function selectListedSum(db: Db): Promise<ListedSum | undefined> {
  const row = await db
    .selectFrom('card_days')
    .select(['summed_until', 'summed_usd_cents'])
    .where('summed_until', 'is not', null)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row?.summed_until == null || row.summed_usd_cents === null) return undefined;
  return { until: row.summed_until, usdCents: row.summed_usd_cents };
}

/** When a transaction was listed next, at `from` or later; from the first one on without `from`. */
export async function selectNextListing(db: Db, from: Date | undefined): Promise<Date | undefined> {
  const row = await db
    .selectFrom('card_transactions')
    .select('listed_at')
    .$if(from !== undefined, (query) => query.where('listed_at', '>=', from ?? null))
    .orderBy('listed_at')
    .limit(1)
    .executeTakeFirst();
  return row?.listed_at;
}

interface ListingTimes {
  readonly from: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** The sum of the transactions that were listed within these times. */
export async function sumListed(db: Db | Tx, { from, to }: ListingTimes): Promise<bigint> {
  const { sum } = await db
    .selectFrom('card_transactions')
    .select(sql<string>`coalesce(sum(net_usd_cents), 0)::text`.as('sum'))
    .where('listed_at', '>=', from)
    .$if(to !== undefined, (query) => query.where('listed_at', '<', to ?? null))
    .executeTakeFirstOrThrow();
  return BigInt(sum);
}

/** The expected difference of our books: transactions without a booking, less bookings without a transaction. */
export async function selectInFlight(tx: Tx): Promise<UsdCents> {
  const { rows } = await sql<{ unbooked: string; unmatched: string }>`
    select (select coalesce(sum(net_usd_cents), 0)::text from card_transactions where booking_id is null) as unbooked,
           (select coalesce(sum(amount_usd_cents), 0)::text from card_bookings where matched_at is null) as unmatched`.execute(
    tx,
  );
  const { unbooked = '0', unmatched = '0' } = rows[0] ?? {};
  return usdCents(BigInt(unbooked) - BigInt(unmatched));
}

/** Which of these transactions are stored. */
export async function selectStored(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from card_transactions where id = any(${ids}::text[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
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
