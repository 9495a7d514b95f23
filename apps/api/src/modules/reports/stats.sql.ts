/** Statements on the figures of hours and days, and on how far they have been counted. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { StatRow } from '../../platform/stats/stat-source.ts';
import type {} from './tables.ts';

export interface Progress {
  readonly timeZone: string;
  readonly transferId: bigint;
  readonly rolledAt: Date | null;
}

/** Locks the progress of a source until the transaction ends, so that nothing is counted twice. Creates it if it is missing. */
export async function lockProgress(tx: Tx, source: string, timeZone: string): Promise<Progress> {
  await sql`
    insert into stat_progress (source, time_zone) values (${source}, ${timeZone}) on conflict do nothing`.execute(
    tx,
  );
  const row = await tx
    .selectFrom('stat_progress')
    .selectAll()
    .where('source', '=', source)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { timeZone: row.time_zone, transferId: row.transfer_id, rolledAt: row.rolled_at };
}

export async function updateProgress(
  tx: Tx,
  source: string,
  { timeZone, transferId, rolledAt }: Progress,
): Promise<void> {
  await tx
    .updateTable('stat_progress')
    .set({ time_zone: timeZone, transfer_id: transferId, rolled_at: rolledAt })
    .where('source', '=', source)
    .execute();
}

/** Whether a source was counted in another time zone. */
export async function wasCountedElsewhere(db: Db, timeZone: string): Promise<boolean> {
  const row = await db
    .selectFrom('stat_progress')
    .select('source')
    .where('time_zone', '<>', timeZone)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The beginning of the hour of a time. */
export async function selectHourOf(db: Db, at: Date, timeZone: string): Promise<Date> {
  const { rows } = await sql<{ hour: Date }>`
    select date_trunc('hour', ${at}::timestamptz, ${timeZone}::text) as hour`.execute(db);
  return rows[0]?.hour ?? at;
}

const rowsOf = (rows: readonly StatRow[]): RawBuilder<unknown> => sql`
  select * from unnest(
    ${rows.map(({ metric }) => metric)}::text[], ${rows.map(({ dimension }) => dimension)}::text[],
    ${rows.map(({ bucket }) => bucket)}::timestamptz[], ${rows.map(({ count }) => count)}::bigint[],
    ${rows.map(({ units }) => units)}::bigint[]) as row (metric, dimension, bucket, count, units)`;

export async function addToHours(tx: Tx, rows: readonly StatRow[]): Promise<void> {
  await sql`
    insert into stat_hours as known (metric, dimension, bucket, count, units) ${rowsOf(rows)}
    on conflict (metric, bucket, dimension)
    do update set count = known.count + excluded.count, units = known.units + excluded.units`.execute(
    tx,
  );
}

export interface HourRange {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** Replaces all hours of the metrics in a range by these rows. */
export async function replaceHours(
  tx: Tx,
  metrics: readonly string[],
  { from, to }: HourRange,
  rows: readonly StatRow[],
): Promise<void> {
  await sql`
    delete from stat_hours where metric = any(${metrics}::text[]) and bucket >= ${from} and bucket < ${to}`.execute(
    tx,
  );
  await addToHours(tx, rows);
}

interface DayRange extends HourRange {
  readonly timeZone: string;
  readonly isGauge: boolean;
}

export async function selectFirstBucket(
  db: Db,
  metrics: readonly string[],
): Promise<Date | undefined> {
  const { rows } = await sql<{ bucket: Date | null }>`
    select min(bucket) as bucket from stat_hours where metric = any(${metrics}::text[])`.execute(
    db,
  );
  return rows[0]?.bucket ?? undefined;
}

/** Sums up the days in the range from their hours again. */
export async function refreshDays(
  tx: Tx,
  metrics: readonly string[],
  { from, to, timeZone, isGauge }: DayRange,
): Promise<void> {
  const firstDay = sql`(${from}::timestamptz at time zone ${timeZone}::text)::date`;
  const lastDay = sql`((${to}::timestamptz - interval '1 microsecond') at time zone ${timeZone}::text)::date`;
  await sql`
    delete from stat_days where metric = any(${metrics}::text[]) and day between ${firstDay} and ${lastDay}`.execute(
    tx,
  );
  const last = (column: 'count' | 'units') =>
    sql`(array_agg(${sql.ref(column)} order by bucket desc))[1]`;
  const total = (column: 'count' | 'units') => sql`sum(${sql.ref(column)})::bigint`;
  const figure = isGauge ? last : total;
  await sql`
    insert into stat_days (metric, dimension, day, count, units)
    select metric, dimension, (bucket at time zone ${timeZone}::text)::date as local_day, ${figure('count')}, ${figure('units')}
      from stat_hours
     where metric = any(${metrics}::text[])
       and bucket >= ${firstDay}::timestamp at time zone ${timeZone}::text
       and bucket < (${lastDay} + 1)::timestamp at time zone ${timeZone}::text
     group by metric, dimension, local_day`.execute(tx);
}

/** The total of a metric over all time, by dimension. */
export async function selectTotals(
  tx: Db | Tx,
  metric: string,
): Promise<readonly { readonly dimension: string; readonly units: bigint }[]> {
  const { rows } = await sql<{ dimension: string; units: bigint }>`
    select dimension, sum(units)::bigint as units from stat_days where metric = ${metric}
     group by dimension order by dimension`.execute(tx);
  return rows;
}
