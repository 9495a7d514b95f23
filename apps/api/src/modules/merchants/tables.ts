import type { Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Merchants {
  id: Generated<number>;
  name: string;
  note: WithDefault<string>;
  version: WithDefault<number>;
  created_at: Date;
  archived_at: WithDefault<Date | null>;
}

/** The table of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    merchants: Merchants;
  }
}
