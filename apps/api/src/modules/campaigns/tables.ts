import type { Generated } from 'kysely';
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
}

interface RewardCodes {
  code_hash: Buffer;
  campaign_id: number;
  claim_count_max: number;
  claim_count: WithDefault<number>;
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
    reward_claims: RewardClaims;
  }
}
