import type { Generated } from 'kysely';
import type { BatchState, SheetForm, SheetState } from '@athos/contract/console/batches';
import type { CampaignAudience, CampaignState } from '@athos/contract/console/campaigns';
import type { WithDefault } from '../../platform/database/tables.ts';

interface RewardCampaigns {
  id: Generated<number>;
  key: string;
  title: string;
  amount_micro_ath: bigint;
  starts_at: Date;
  ends_at: Date;
  claim_count_max: number | null;
  user_claim_count_max: number | null;
  claim_count: WithDefault<number>;
  created_at: Date;
  /** The state set by staff, so never `ended`: that follows from the window. */
  state: WithDefault<Exclude<CampaignState, 'ended'>>;
  audience: WithDefault<CampaignAudience['kind']>;
  audience_tier_id: number | null;
  audience_days: number | null;
  budget_micro_ath: WithDefault<bigint>;
  returned_micro_ath: WithDefault<bigint | null>;
  settled_at: WithDefault<Date | null>;
  version: WithDefault<number>;
}

interface RewardCodes {
  code_hash: Buffer;
  campaign_id: number;
  claim_count_max: number;
  claim_count: WithDefault<number>;
  batch_id: string | null;
}

interface RewardBatches {
  id: string;
  campaign_id: number;
  label: string;
  code_count: number;
  claim_count_max: number;
  expires_at: Date | null;
  state: WithDefault<BatchState>;
  codes_done: WithDefault<number>;
  claim_count: WithDefault<number>;
  created_at: Date;
  made_at: WithDefault<Date | null>;
  voided_at: WithDefault<Date | null>;
  file_name: WithDefault<string | null>;
  file_key: WithDefault<Buffer | null>;
  file_expires_at: WithDefault<Date | null>;
  download_count: WithDefault<number>;
  link_hash: WithDefault<Buffer | null>;
  link_expires_at: WithDefault<Date | null>;
  link_form: WithDefault<'csv' | SheetForm | null>;
}

interface RewardSheets {
  batch_id: string;
  form: SheetForm;
  state: WithDefault<SheetState>;
  pages_done: WithDefault<number>;
  page_count: number;
  file_name: WithDefault<string | null>;
}

interface RewardLockOuts {
  id: Generated<bigint>;
  subject: Buffer;
  user_id: bigint | null;
  place: Buffer | null;
  locked_at: Date;
  ends_at: Date;
}

interface RewardClaims {
  id: string;
  user_id: bigint;
  key: string;
  code_hash: Buffer;
  campaign_id: number;
  amount_micro_ath: bigint;
  claimed_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    reward_campaigns: RewardCampaigns;
    reward_codes: RewardCodes;
    reward_batches: RewardBatches;
    reward_sheets: RewardSheets;
    reward_lock_outs: RewardLockOuts;
    reward_claims: RewardClaims;
  }
}
