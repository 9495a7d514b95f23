import type { ColumnType } from 'kysely';

interface Sealed {
  root: Buffer;
  nodes: Buffer;
  previous: Buffer;
  hash: Buffer;
  signature: Buffer;
  public_key: Buffer;
}

interface JournalSeals extends Sealed {
  n: bigint;
  first_id: bigint;
  last_id: bigint;
  row_count: number;
  chain_hash: Buffer;
  salt_key: Buffer;
  sealed_at: Date;
}

interface JournalDays extends Sealed {
  /** `2026-11-22`, UTC. Read as text, since a date has no time zone. */
  day: ColumnType<Date, string, never>;
  first_seal: bigint;
  last_seal: bigint;
}

interface JournalSealKeys {
  public_key: Buffer;
  first_used_at: Date;
}

interface ReceiptShares {
  id: string;
  user_id: bigint;
  transfer_id: bigint;
  token_hash: Buffer;
  with_names: boolean;
  made_at: Date;
  expires_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    journal_seals: JournalSeals;
    journal_days: JournalDays;
    journal_seal_keys: JournalSealKeys;
    receipt_shares: ReceiptShares;
  }
}
