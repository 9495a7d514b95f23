import type { WithDefault } from '../../platform/database/tables.ts';

interface LedgerVerifications {
  id: string;
  requested_at: Date;
  requested_by: string | null;
  started_at: Date | null;
  finished_at: Date | null;
  row_count: WithDefault<bigint>;
  rows_total: WithDefault<bigint>;
  account_count: bigint | null;
  head: string | null;
  fault_row: string | null;
  fault_reason: string | null;
  has_failed: WithDefault<boolean>;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    ledger_verifications: LedgerVerifications;
  }
}
