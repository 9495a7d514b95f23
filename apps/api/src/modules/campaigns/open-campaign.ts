import type { MicroAth } from '@athos/domain/money';
import type { RewardCode } from '@athos/domain/reward-code';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { hashesOf, hashOf } from '../../platform/keys/hashing-keys.ts';
import { updateCampaign } from './campaign-list.sql.ts';
import { insertCampaign, insertCodes } from './campaigns.sql.ts';
import { addBudget } from './fund-campaign.ts';

interface CampaignDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly config: { readonly hashingKeys: readonly string[] };
}

export interface CampaignDraft {
  /** A UUID. A campaign is opened once per key. */
  readonly key: string;
  readonly title: string;
  /** The reward of each claim. */
  readonly amount: MicroAth;
  /** The maximum that the campaign can give out, issued when it opens. */
  readonly budget: MicroAth;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The limit across all users. */
  readonly claimCountMax?: number;
  readonly userClaimCountMax?: number;
  readonly codes: readonly { readonly code: RewardCode; readonly claimCountMax: number }[];
}

const hashedText = (code: RewardCode): string => `reward code ${code}`;

/** The keyed hash under which a code is stored: without the key, a reader of the table cannot even test a guess. */
export const hashCode = (code: RewardCode, hashingKeys: readonly string[]): Buffer =>
  hashOf(hashingKeys, hashedText(code));

/** The hashes under which a code may be stored. When a key is replaced, codes are not hashed again, since nobody knows their text. */
export const codeHashes = (code: RewardCode, hashingKeys: readonly string[]): Buffer[] =>
  hashesOf(hashingKeys, hashedText(code));

/**
 * Opens a campaign with its budget and codes, all or nothing, without a vote. Used for the demo and for tests. A replay with the same key
 * changes nothing.
 */
export async function openCampaign(deps: CampaignDeps, draft: CampaignDraft): Promise<void> {
  const { db, clock, config } = deps;
  await db.transaction().execute(async (tx) => {
    const campaign = await insertCampaign(tx, {
      key: draft.key,
      title: draft.title,
      amount_micro_ath: draft.amount,
      starts_at: draft.startsAt,
      ends_at: draft.endsAt,
      claim_count_max: draft.claimCountMax ?? null,
      user_claim_count_max: draft.userClaimCountMax ?? null,
      created_at: dateOf(clock),
    });
    if (campaign === undefined) return;
    await insertCodes(
      tx,
      draft.codes.map(({ code, claimCountMax }) => ({
        code_hash: hashCode(code, config.hashingKeys),
        campaign_id: campaign.id,
        claim_count_max: claimCountMax,
      })),
    );
    await updateCampaign(tx, campaign.id, { state: 'running' });
    const running = { ...campaign, state: 'running' } as const;
    await addBudget(deps, tx, { campaign: running, amount: draft.budget, key: draft.key });
  });
}
