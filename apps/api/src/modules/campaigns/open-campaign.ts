import { createHmac } from 'node:crypto';
import type { MicroAth } from '@athos/domain/money';
import type { RewardCode } from '@athos/domain/reward-code';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import { budgetTransfer } from './books.ts';
import { insertCampaign, insertCodes } from './campaigns.sql.ts';

interface CampaignDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly config: { readonly hashingKey: string };
}

export interface CampaignDraft {
  /** A UUID. A campaign is opened once per key. */
  readonly key: string;
  readonly title: string;
  /** The reward of each claim. */
  readonly amount: MicroAth;
  /** The most that the campaign can give out, issued when it opens. */
  readonly budget: MicroAth;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The limit across all users. */
  readonly claimCountMax?: number;
  readonly userClaimCountMax?: number;
  readonly codes: readonly { readonly code: RewardCode; readonly claimCountMax: number }[];
}

/** The keyed hash under which a code is stored: without the key, a reader of the table cannot even test a guess. */
export const hashCode = (code: RewardCode, hashingKey: string): Buffer =>
  createHmac('sha256', hashingKey).update(`reward code ${code}`).digest();

/** Opens a campaign with its budget and codes, all or nothing. A replay with the same key changes nothing. */
export async function openCampaign(
  { db, ledger, clock, config }: CampaignDeps,
  draft: CampaignDraft,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const campaignId = await insertCampaign(tx, {
      key: draft.key,
      title: draft.title,
      amount_micro_ath: draft.amount,
      starts_at: draft.startsAt,
      ends_at: draft.endsAt,
      claim_count_max: draft.claimCountMax ?? null,
      user_claim_count_max: draft.userClaimCountMax ?? null,
      created_at: dateOf(clock),
    });
    if (campaignId === undefined) return;
    await insertCodes(
      tx,
      draft.codes.map(({ code, claimCountMax }) => ({
        code_hash: hashCode(code, config.hashingKey),
        campaign_id: campaignId,
        claim_count_max: claimCountMax,
      })),
    );
    await ledger.openCampaignAccount(tx, campaignId);
    const { outcome } = await ledger.transferInTx(tx, [
      budgetTransfer(campaignId, draft.budget, draft.key),
    ]);
    invariant(outcome === 'done', 'a new campaign gets its budget');
  });
}
