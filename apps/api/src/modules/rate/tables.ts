import type { Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface ExchangeRates {
  id: Generated<bigint>;
  usd_per_ath: string;
  in_force_from: WithDefault<Date>;
  confirmed_at: WithDefault<Date>;
  is_by_vote: WithDefault<boolean>;
}

export type ScheduledState = 'waiting' | 'published' | 'skipped' | 'refused' | 'cancelled';

interface RateSchedule {
  id: string;
  usd_per_ath: string;
  in_force_from: Date;
  is_by_vote: boolean;
  state: WithDefault<ScheduledState>;
  ended_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    exchange_rates: ExchangeRates;
    rate_schedule: RateSchedule;
  }
}
