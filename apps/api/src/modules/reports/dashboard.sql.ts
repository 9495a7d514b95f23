/** The dashboard's queries: figures by day, and by the hour of the day if a chart shows them. */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type {} from './tables.ts';

/** Days of the programme's time zone, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface DayFigure {
  readonly metric: string;
  readonly dimension: string;
  readonly day: string;
  readonly count: bigint;
  readonly units: bigint;
}

export async function selectDays(
  db: Db,
  metrics: readonly string[],
  { from, to }: Days,
): Promise<readonly DayFigure[]> {
  const { rows } = await sql<DayFigure>`
    select metric, dimension, to_char(day, 'YYYY-MM-DD') as day, count, units from stat_days
     where metric = any(${metrics}::text[]) and day between ${from}::date and ${to}::date
     order by metric, day, dimension`.execute(db);
  return rows;
}

export interface DimensionFigure {
  readonly dimension: string;
  readonly count: bigint;
  readonly units: bigint;
}

/** A metric of the whole range by dimension, most frequent first. */
export async function selectByDimension(
  db: Db,
  metric: string,
  { from, to }: Days,
): Promise<readonly DimensionFigure[]> {
  const { rows } = await sql<DimensionFigure>`
    select dimension, sum(count)::bigint as count, sum(units)::bigint as units from stat_days
     where metric = ${metric} and day between ${from}::date and ${to}::date
     group by dimension order by sum(count) desc, dimension`.execute(db);
  return rows;
}

/** The venues whose redemptions are counted; `undefined` for all. */
export type SeenVenues = readonly number[] | undefined;

interface HourQuery extends Days {
  readonly timeZone: string;
  readonly seen: SeenVenues;
}

export interface HourFigure {
  /** The hour of the day, from 0 to 23. */
  readonly hour: number;
  readonly count: bigint;
}

/** The rows in the range, with redemptions only at those venues. */
const inHours = ({ from, to, timeZone, seen }: HourQuery) => sql`
  bucket >= ${from}::date::timestamp at time zone ${timeZone}::text
  and bucket < (${to}::date + 1)::timestamp at time zone ${timeZone}::text
  and (metric <> 'redeemed' or ${seen?.map(String) ?? null}::text[] is null or dimension = any(${seen?.map(String) ?? null}::text[]))`;
const hourOfDay = ({ timeZone }: HourQuery) =>
  sql`extract(hour from bucket at time zone ${timeZone}::text)::int`;

/** Metrics of the whole range by the hour of the day. On a day when clocks are set back, one hour of the day includes two hours. */
export async function selectHoursOfDay(
  db: Db,
  metrics: readonly string[],
  query: HourQuery,
): Promise<readonly (HourFigure & { readonly metric: string })[]> {
  const { rows } = await sql<HourFigure & { metric: string }>`
    select metric, ${hourOfDay(query)} as hour, sum(count)::bigint as count
      from stat_hours where metric = any(${metrics}::text[]) and ${inHours(query)}
     group by 1, 2`.execute(db);
  return rows;
}

/** Redemptions of the whole range by venue and hour of the day. */
export async function selectVenueHours(
  db: Db,
  query: HourQuery,
): Promise<readonly (HourFigure & { readonly venueId: number })[]> {
  const { rows } = await sql<HourFigure & { venueId: number }>`
    select dimension::int as "venueId", ${hourOfDay(query)} as hour, sum(count)::bigint as count
      from stat_hours where metric = 'redeemed' and ${inHours(query)}
     group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** The newest figure of a gauge up to a day. */
export async function selectNewestGauge(
  db: Db,
  metric: string,
  until: string,
): Promise<DayFigure | undefined> {
  const { rows } = await sql<DayFigure>`
    select metric, dimension, to_char(day, 'YYYY-MM-DD') as day, count, units from stat_days
     where metric = ${metric} and day <= ${until}::date order by day desc limit 1`.execute(db);
  return rows[0];
}

interface Counted {
  /** The time until which everything has been counted; `undefined` while a source was never counted. */
  readonly until: Date | undefined;
  /** Changes with each count. */
  readonly version: string;
}

export async function selectCounted(db: Db): Promise<Counted> {
  const { rows } = await sql<{ until: Date | null; version: string | null }>`
    select case when bool_and(rolled_at is not null) then min(rolled_at) end as until,
           string_agg(xmin::text, ' ' order by source) as version
      from stat_progress`.execute(db);
  return { until: rows[0]?.until ?? undefined, version: rows[0]?.version ?? '' };
}
