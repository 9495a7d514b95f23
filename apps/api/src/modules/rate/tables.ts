import type { Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface ExchangeRates {
  id: Generated<bigint>;
  usd_per_ath: string;
  in_force_from: WithDefault<Date>;
  confirmed_at: WithDefault<Date>;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    exchange_rates: ExchangeRates;
  }
}
