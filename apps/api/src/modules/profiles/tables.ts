import type { WithDefault } from '../../platform/database/tables.ts';

interface Profiles {
  user_id: bigint;
  display_name: string | null;
  shows_name: WithDefault<boolean>;
  is_findable: WithDefault<boolean>;
}

interface Handles {
  skeleton: string;
  user_id: bigint | null;
  handle: string | null;
  claimed_at: Date;
  ended_at: Date | null;
  removed_at: WithDefault<Date | null>;
}

interface PayCodes {
  id: string;
  user_id: bigint;
  code_hash: Buffer;
  details: Buffer;
  made_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    profiles: Profiles;
    handles: Handles;
    pay_codes: PayCodes;
  }
}
