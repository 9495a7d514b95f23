/** What the figures of the console are counted from. Reports (`modules/reports`) add the sources up by the hour. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

/** One figure of an hour. */
export interface StatRow {
  readonly metric: string;
  /** What the metric is split by, such as the id of a venue; empty for none. */
  readonly dimension: string;
  /** The beginning of the hour. */
  readonly bucket: Date;
  readonly count: bigint;
  /** A sum in the smallest unit; 0 where there is only a count. */
  readonly units: bigint;
}

export interface StatRange {
  /** The beginning of an hour of the time zone. */
  readonly from: Date;
  /** Exclusive, likewise. */
  readonly to: Date;
  readonly timeZone: string;
}

/** Figures that a capability counts in its own tables. */
export interface StatSource {
  /** Its name and those of its metrics must not change, since stored figures carry them. */
  readonly name: string;
  readonly metrics: readonly string[];
  /** The figure of a day is that of its last hour with one, not their sum. */
  readonly isGauge?: boolean;
  /** The time of the oldest row; `undefined` if there is none. What was counted before it stays. */
  readonly firstAt: (db: Db | Tx) => Promise<Date | undefined>;
  /**
   * Counts the range. It must give the same figures whenever it is asked, a few hours after the range at the latest. So it counts
   * by times that never change, and only what the erasure of a customer leaves.
   */
  readonly count: (db: Db | Tx, range: StatRange) => Promise<readonly StatRow[]>;
}

/** The beginning of the hour of a time, in SQL. Both hours between which the clocks are set back stay apart. */
export const hourOf = (at: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  sql<Date>`date_trunc('hour', ${at}, ${timeZone}::text)`;

/** The time of the oldest row of a table, by an index on its time. */
export async function selectFirstAt(
  db: Db | Tx,
  table: string,
  column: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${sql.ref(column)}) as at from ${sql.table(table)}`.execute(db);
  return rows[0]?.at ?? undefined;
}

/** The time of the row with the lowest id, of a table whose ids and times rise together and that no index orders by time. */
export async function selectTimeOfFirst(
  db: Db | Tx,
  table: 'purchases' | 'redemptions',
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from ${sql.table(table)} order by id limit 1`.execute(db);
  return rows[0]?.at;
}
