/** The sources of the console's figures. Reports (`modules/reports`) add them up by the hour. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

/** One figure of an hour. */
export interface StatRow {
  readonly metric: string;
  /** The value by which the metric is split, such as the id of a venue; empty for none. */
  readonly dimension: string;
  /** The beginning of the hour. */
  readonly bucket: Date;
  readonly count: bigint;
  /** A sum in the smallest unit; 0 where there is only a count. */
  readonly units: bigint;
}

export interface StatRange {
  /** The beginning of an hour in the programme's time zone. */
  readonly from: Date;
  /** Exclusive, and also the beginning of an hour. */
  readonly to: Date;
  readonly timeZone: string;
}

/** Figures that a capability counts in its own tables. */
export interface StatSource {
  /** The names of the source and its metrics must not change, since stored figures carry them. */
  readonly name: string;
  readonly metrics: readonly string[];
  /** If true, the figure of a day is that of the last hour that has one, not the sum of the hours. */
  readonly isGauge?: boolean;
  /** The time of the oldest row; `undefined` if there is none. Figures counted before it stay. */
  readonly firstAt: (db: Db | Tx) => Promise<Date | undefined>;
  /**
   * Counts the range. A few hours after the range at the latest, it must give the same figures whenever it is called. So it counts by
   * times that never change, and only data that the erasure of a customer leaves.
   */
  readonly count: (db: Db | Tx, range: StatRange) => Promise<readonly StatRow[]>;
}

/** The beginning of the hour of a time, in SQL. The hour that is repeated when the clocks are set back counts as two. */
export const hourOf = (at: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`date_trunc('hour', ${at}, ${timeZone}::text)`;

/** The time of the oldest row of a table that has an index on its time. */
export async function selectFirstAt(
  db: Db | Tx,
  table: string,
  column: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${sql.ref(column)}) as at from ${sql.table(table)}`.execute(db);
  return rows[0]?.at ?? undefined;
}

/** The time of the row with the lowest id, for a table whose ids and times rise together and that has no index on its time. */
export async function selectTimeOfFirst(
  db: Db | Tx,
  table: 'purchases' | 'redemptions',
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from ${sql.table(table)} order by id limit 1`.execute(db);
  return rows[0]?.at;
}
