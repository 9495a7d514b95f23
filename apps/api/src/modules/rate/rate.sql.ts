import { sql } from 'kysely';
import { rateText, parseRate, type Rate } from '@athos/domain/money';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { invariant } from '../../platform/errors.ts';
import type { RateHistory, RateRange } from './rate-guards.ts';

/** Sorts scheduled rates after rates that were published at the same time. */
const AFTER_ANY_ID = sql`9223372036854775807`;
/** The maximum age of an accepted quote (D-095). */
const QUOTE_AGE_MAX = sql`interval '300 seconds'`;

/** A rate as the database stores it. */
export function readStoredRate(text: string): Rate {
  const rate = parseRate(text);
  invariant(rate !== undefined, 'a stored rate is positive and has at most 8 decimals');
  return rate;
}

/** The rate in force at each of the times; `undefined` before the first one. */
export async function selectRatesAt(
  db: Db,
  times: readonly Date[],
): Promise<readonly (Rate | undefined)[]> {
  if (times.length === 0) return [];
  const texts = times.map((time) => time.toISOString());
  const { rows } = await sql<{ rate: string | null }>`
    select in_force.usd_per_ath as rate
      from unnest(${texts}::timestamptz[]) with ordinality asked (at, place)
      left join lateral (
        select usd_per_ath from exchange_rates where in_force_from <= asked.at
         order by in_force_from desc, id desc limit 1
      ) in_force on true
     order by asked.place`.execute(db);
  return rows.map(({ rate }) => (rate === null ? undefined : readStoredRate(rate)));
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
 * The rate in force at `now`, and the ranges of the rates in force at any time of the preceding hour and of the preceding 24 hours,
 * including the rate in force when each window began. Both windows begin no earlier than the last rate that was voted for. Rows of the
 * last 24 hours, and the one before them, must therefore be kept. `undefined` before the first rate. With the schedule, waiting rates
 * count as if they had been published at their times.
 */
export async function selectRateHistory(
  tx: Tx,
  now: Date,
  { isWithSchedule = false }: { readonly isWithSchedule?: boolean } = {},
): Promise<RateHistory | undefined> {
  const { rows } = await sql<
    Record<'current' | 'hour_low' | 'hour_high' | 'day_low' | 'day_high', string> & {
      is_by_vote: boolean;
    }
  >`
    with series as (
      select usd_per_ath, in_force_from, is_by_vote, id
        from exchange_rates
       where in_force_from >= coalesce(
         (select max(in_force_from) from exchange_rates
           where in_force_from <= ${now}::timestamptz - interval '24 hours'),
         '-infinity')
      union all
      select usd_per_ath, in_force_from, is_by_vote, ${AFTER_ANY_ID}
        from rate_schedule
       where ${isWithSchedule}::boolean and state = 'waiting' and in_force_from <= ${now}::timestamptz
    ), windows as (
      select coalesce(max(in_force_from) filter (where is_by_vote), '-infinity') as begun from series
    ), in_force as (
      select usd_per_ath, is_by_vote, lead(in_force_from, 1, 'infinity') over (order by in_force_from, id) as until
        from series, windows where in_force_from >= begun
    )
    select min(usd_per_ath) as day_low, max(usd_per_ath) as day_high,
           min(usd_per_ath) filter (where until > ${now}::timestamptz - interval '1 hour') as hour_low,
           max(usd_per_ath) filter (where until > ${now}::timestamptz - interval '1 hour') as hour_high,
           min(usd_per_ath) filter (where until = 'infinity') as current,
           bool_or(is_by_vote) filter (where until = 'infinity') as is_by_vote
      from in_force where until > ${now}::timestamptz - interval '24 hours'
    having count(*) > 0`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const range = (low: string, high: string): RateRange => ({
    lowest: readStoredRate(low),
    highest: readStoredRate(high),
  });
  return {
    current: readStoredRate(row.current),
    isByVote: row.is_by_vote,
    lastHour: range(row.hour_low, row.hour_high),
    lastDay: range(row.day_low, row.day_high),
  };
}

/** Publishes a rate that takes effect at `now`, or confirms the current one if it is the same and there was no new vote on it. */
export async function upsertRate(
  tx: Tx,
  usdPerAth: Rate,
  now: Date,
  { isByVote = false }: { readonly isByVote?: boolean } = {},
): Promise<'published' | 'confirmed'> {
  if (!isByVote && (await selectCurrentRate(tx)) === usdPerAth) {
    await sql`
      update exchange_rates set confirmed_at = greatest(confirmed_at, ${now}::timestamptz)
      where id = (select id from exchange_rates order by in_force_from desc, id desc limit 1)`.execute(
      tx,
    );
    return 'confirmed';
  }
  await tx
    .insertInto('exchange_rates')
    .values({
      usd_per_ath: rateText(usdPerAth),
      in_force_from: now,
      confirmed_at: now,
      is_by_vote: isByVote,
    })
    .execute();
  await sql`select pg_notify('rate_published', ${rateText(usdPerAth)})`.execute(tx);
  return 'published';
}

/**
 * Thins the rates of days that had ended by `before` to one a day (UTC): the last one, which was in force when the day ended. The newest
 * rate overall is the last of its day, so it is never deleted.
 */
export const thinOldRates = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(
    db,
    'exchange_rates',
    sql`in_force_from < date_trunc('day', ${before}::timestamptz, 'UTC') and exists (
      select from exchange_rates later
       where later.in_force_from >= exchange_rates.in_force_from
         and later.in_force_from < date_trunc('day', exchange_rates.in_force_from, 'UTC') + interval '1 day'
         and (later.in_force_from, later.id) > (exchange_rates.in_force_from, exchange_rates.id))`,
  );

const PUBLISHING = sql`7214300002`;

/** Takes the publishing lock until the transaction ends. Returns `false` if another process is publishing. */
export async function tryLockPublishing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(${PUBLISHING}) as held`.execute(tx);
  return rows[0]?.held === true;
}

/** Takes the same lock, but waits for it. */
export async function lockPublishing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PUBLISHING})`.execute(tx);
}

/** The rate that is in force, with the times at which it took effect and was last confirmed. */
export async function selectRateInForce(db: Db): Promise<
  | {
      readonly usdPerAth: Rate;
      readonly inForceFrom: Date;
      readonly confirmedAt: Date;
      readonly isByVote: boolean;
    }
  | undefined
> {
  const row = await db
    .selectFrom('exchange_rates')
    .selectAll()
    .orderBy('in_force_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    usdPerAth: readStoredRate(row.usd_per_ath),
    inForceFrom: row.in_force_from,
    confirmedAt: row.confirmed_at,
    isByVote: row.is_by_vote,
  };
}

/** The rate at `count` times, evenly spaced from `from` to `to`. Costs the same for an hour and for a quarter. */
export async function selectRateSeries(
  db: Db,
  { from, to, count }: { readonly from: Date; readonly to: Date; readonly count: number },
): Promise<{ readonly at: Date; readonly usdPerAth: string | null }[]> {
  const { rows } = await sql<{ at: Date; usdPerAth: string | null }>`
    select moment.at, trim_scale(rate.usd_per_ath)::text as "usdPerAth"
      from (select ${from}::timestamptz + (${to}::timestamptz - ${from}::timestamptz) * step / (${count}::int - 1) as at
              from generate_series(0, ${count}::int - 1) as step) as moment
      left join lateral (
        select usd_per_ath from exchange_rates
         where in_force_from <= moment.at order by in_force_from desc, id desc limit 1
      ) as rate on true
     order by moment.at`.execute(db);
  return rows;
}
