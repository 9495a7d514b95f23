import type { ColumnType } from 'kysely';

export type WithDefault<T> = ColumnType<T, T | undefined, T>;

interface AttemptCounters {
  subject: Buffer;
  attempt_count: number;
  last_attempt_at: Date;
  window_ends_at: Date;
}

interface DatabaseUses {
  is_only: WithDefault<boolean>;
  use: 'live' | 'rehearsal';
  began_at: WithDefault<Date>;
}

interface FactorChallenges {
  challenge_hash: Buffer;
  purpose: string;
  expires_at: Date;
}

interface ProgrammeSettingRows {
  key: string;
  value: ColumnType<unknown, string, string>;
  changed_at: Date;
  changed_by: string;
}

/**
 * The tables known to the query builder: all except the ledger's, which only the ledger accesses. Each capability adds its own
 * (modules/<capability>/tables.ts). Migrations create the tables; schema.sql shows the result.
 */
export interface Tables {
  attempt_counters: AttemptCounters;
  database_use: DatabaseUses;
  factor_challenges: FactorChallenges;
  programme_settings: ProgrammeSettingRows;
}
