import type { ColumnType } from 'kysely';
import type { Voters } from '@athos/contract/approval-policy';
import type { ApprovalState, RiskNote } from '@athos/contract/console/approvals';
import type { Organisation } from '@athos/contract/console/staff';

type Json = ColumnType<unknown, string, string>;

interface Approvals {
  id: string;
  action: string;
  subject_type: string;
  subject_id: string;
  subject_version: string;
  customer_id: bigint | null;
  payload: string;
  digest: Buffer;
  before: Json;
  after: Json;
  asset: string | null;
  amount_units: bigint | null;
  usd_cents: bigint | null;
  measured: bigint | null;
  risks: RiskNote[];
  reason: string;
  requested_by: string | null;
  organisation: Organisation | null;
  requested_at: Date;
  expires_at: Date;
  votes_needed: number;
  voters: Voters;
  state: ApprovalState;
  ended_at: Date | null;
  failure: string | null;
  is_held: boolean;
  holds_customers_value: boolean;
}

interface ApprovalVotes {
  approval_id: string;
  staff_id: string;
  is_approved: boolean;
  reason: string | null;
  at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    approvals: Approvals;
    approval_votes: ApprovalVotes;
  }
}
