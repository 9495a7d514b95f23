import { sql } from 'kysely';
import { rateText, parseRate, type Rate } from '@athos/domain/money';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { invariant } from '../../platform/errors.ts';
import type { RateHistory, RateRange } from './rate-guards.ts';

/** The maximum age of an accepted quote (D-095). */
const QUOTE_AGE_MAX = sql`interval '300 seconds'`;

/** A rate as the database stores it. */
export function readStoredRate(text: string): Rate {
  const rate = parseRate(text);
  invariant(rate !== undefined, 'a stored rate is positive and has at most 8 decimals');
  return rate;
}

/** The newest published rate. */
export async function selectCurrentRate(db: Db | Tx): Promise<Rate | undefined> {
  const row = await db
    .selectFrom('exchange_rates')
    .select('usd_per_ath')
    .orderBy('in_force_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return readStoredRate(row.usd_per_ath);
}

/** The rates in force at any moment of the last 300 s, newest first; the first is in force now. */
export async function selectQuotableRates(
  db: Db,
  now: Date,
): Promise<{ usdPerAth: Rate; confirmedAt: Date }[]> {
  const { rows } = await sql<{ usd_per_ath: string; confirmed_at: Date }>`
    select usd_per_ath, confirmed_at from exchange_rates
    where in_force_from <= ${now}::timestamptz
      and in_force_from >= coalesce(
        (select max(in_force_from) from exchange_rates
          where in_force_from <= ${now}::timestamptz - ${QUOTE_AGE_MAX}),
        '-infinity')
    order by in_force_from desc, id desc`.execute(db);
  return rows.map((row) => ({
    usdPerAth: readStoredRate(row.usd_per_ath),
    confirmedAt: row.confirmed_at,
  }));
}

/**
 * The current rate, and the ranges of the rates in force at some moment of the last hour and of the last 24 hours, the one in
 * force when the window began included. `undefined` before the first rate. Rows of the last 24 hours, and the one before them,
 * must therefore be kept.
 */
export async function selectRateHistory(tx: Tx, now: Date): Promise<RateHistory | undefined> {
  const current = await selectCurrentRate(tx);
  if (current === undefined) return undefined;
  const { rows } = await sql<Record<'hour_low' | 'hour_high' | 'day_low' | 'day_high', string>>`
    with in_force as (
      select usd_per_ath, lead(in_force_from, 1, 'infinity') over (order by in_force_from, id) as until
        from exchange_rates
       where in_force_from >= coalesce(
         (select max(in_force_from) from exchange_rates
           where in_force_from <= ${now}::timestamptz - interval '24 hours'),
         '-infinity')
    )
    select min(usd_per_ath) as day_low, max(usd_per_ath) as day_high,
           min(usd_per_ath) filter (where until > ${now}::timestamptz - interval '1 hour') as hour_low,
           max(usd_per_ath) filter (where until > ${now}::timestamptz - interval '1 hour') as hour_high
      from in_force where until > ${now}::timestamptz - interval '24 hours'`.execute(tx);
  const [row] = rows;
  invariant(row !== undefined, 'the current rate is in force');
  const range = (low: string, high: string): RateRange => ({
    lowest: readStoredRate(low),
    highest: readStoredRate(high),
  });
  return {
    current,
    lastHour: range(row.hour_low, row.hour_high),
    lastDay: range(row.day_low, row.day_high),
  };
}

/** Publishes a rate that takes effect at `now`, or confirms the current one if it is the same. */
export async function upsertRate(
  tx: Tx,
  usdPerAth: Rate,
  now: Date,
): Promise<'published' | 'confirmed'> {
  if ((await selectCurrentRate(tx)) === usdPerAth) {
    await sql`
      update exchange_rates set confirmed_at = greatest(confirmed_at, ${now}::timestamptz)
      where id = (select id from exchange_rates order by in_force_from desc, id desc limit 1)`.execute(
      tx,
    );
    return 'confirmed';
  }
  await tx
    .insertInto('exchange_rates')
    .values({ usd_per_ath: rateText(usdPerAth), in_force_from: now, confirmed_at: now })
    .execute();
  await sql`select pg_notify('rate_published', ${rateText(usdPerAth)})`.execute(tx);
  return 'published';
}

/** Deletes rates that another one had replaced by `before`. */
export const deleteOldRates = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(
    db,
    'exchange_rates',
    sql`in_force_from < (select max(in_force_from) from exchange_rates where in_force_from <= ${before})`,
  );

/** Takes the publishing lock until the transaction ends. Returns `false` if another process is publishing. */
export async function tryLockPublishing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(7214300002) as held`.execute(tx);
  return rows[0]?.held === true;
}
