import type { Generated } from 'kysely';
import type { HoldCauseKind, HoldKind } from '@athos/contract/console/holds';

interface AccountHolds {
  id: Generated<bigint>;
  user_id: bigint;
  kinds: HoldKind[];
  cause: HoldCauseKind;
  cause_id: string;
  reason: string;
  placed_by: string | null;
  placed_at: Date;
  ends_at: Date | null;
  lifted_by: string | null;
  lifted_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    account_holds: AccountHolds;
  }
}
