import type { ColumnType, JSONColumnType } from 'kysely';
import type { Asset } from '@athos/domain/money';
import type { WithDefault } from '../../platform/database/tables.ts';

interface LedgerVerifications {
  id: string;
  requested_at: Date;
  requested_by: string | null;
  started_at: Date | null;
  finished_at: Date | null;
  progressed_at: WithDefault<Date | null>;
  row_count: WithDefault<bigint>;
  rows_total: WithDefault<bigint>;
  account_count: bigint | null;
  head: string | null;
  fault_row: string | null;
  fault_reason: string | null;
  has_failed: WithDefault<boolean>;
  is_whole: WithDefault<boolean>;
}

/** The balances of an asset's accounts when the day was sealed, in raw units as text. */
export interface SealedBalances {
  readonly asset: Asset;
  /** The programme's accounts with a balance, by name; all campaigns in one sum. */
  readonly accounts: readonly { readonly code: string; readonly balance: string }[];
  readonly customers: string;
  readonly sum: string;
}

interface Seals {
  /** `2026-11-22`, UTC. Read as text, since a date has no time zone. */
  day: ColumnType<Date, string, never>;
  sealed_at: Date;
  books_head: Buffer;
  audit_seq: bigint;
  audit_head: Buffer;
  balances: JSONColumnType<SealedBalances[]>;
  card_day: ColumnType<Date | null, string | null, never>;
  is_card_agreed: boolean | null;
  mailed_at: ColumnType<Date | null, never, Date>;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    ledger_verifications: LedgerVerifications;
    seals: Seals;
  }
}
