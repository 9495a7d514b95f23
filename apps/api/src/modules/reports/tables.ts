import type { ColumnType } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface StatHours {
  metric: string;
  dimension: string;
  bucket: Date;
  count: bigint;
  units: bigint;
}

interface StatDays {
  metric: string;
  dimension: string;
  /** `2026-11-22`. Read as text, since a date has no time zone. */
  day: ColumnType<Date, string, never>;
  count: bigint;
  units: bigint;
}

interface StatProgress {
  source: string;
  time_zone: string;
  transfer_id: WithDefault<bigint>;
  rolled_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    stat_hours: StatHours;
    stat_days: StatDays;
    stat_progress: StatProgress;
  }
}
