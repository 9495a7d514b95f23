import type { ColumnType } from 'kysely';
import type { AuditOutcome } from '@athos/contract/console/audit';
import type { Organisation } from '@athos/contract/console/staff';

/** A column that only the function `audit_append` writes. */
type Kept<T> = ColumnType<T, never, never>;

interface AuditEntries {
  seq: Kept<bigint>;
  at: Kept<Date>;
  staff_id: Kept<string | null>;
  session_id: Kept<string | null>;
  organisation: Kept<Organisation | null>;
  action: Kept<string>;
  subject_type: Kept<string>;
  subject_id: Kept<string>;
  outcome: Kept<AuditOutcome>;
  request_id: Kept<string>;
  approval_id: Kept<string | null>;
  ledger_key: Kept<string | null>;
  digest: Kept<Buffer>;
  hash: Kept<Buffer>;
}

interface AuditDetails {
  seq: Kept<bigint>;
  salt: ColumnType<Buffer | null, never, null>;
  details: ColumnType<string | null, never, null>;
}

interface AuditHead {
  seq: Kept<bigint>;
  at: Kept<Date>;
  hash: Kept<Buffer>;
}

declare module '../database/tables.ts' {
  interface Tables {
    audit_entries: AuditEntries;
    audit_details: AuditDetails;
    audit_head: AuditHead;
  }
}
