import { randomFillSync } from 'node:crypto';
import { microAth, type MicroAth } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';
import { uuidv7 } from '@athos/domain/uuid';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { requireReleased } from '../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { lockUsers } from '../identity/index.ts';
import { pay, type RefusalWords } from '../transfers/index.ts';
import { claimTransfer } from './books.ts';
import { isInAudience } from './audience.ts';
import { hashCode } from './open-campaign.ts';
import { countGuess, takeBackGuess, type GuessDeps, type Guesser } from './guess-limits.ts';
import {
  insertClaim,
  lockCampaign,
  selectCampaignIdOfCode,
  selectClaimByKey,
  selectCode,
  selectCodesUsed,
  type ClaimRow,
} from './campaigns.sql.ts';

export interface ClaimDeps extends GuessDeps {
  readonly ledger: Ledger;
  readonly programme: ReadProgramme;
}

interface Claim extends Guesser {
  readonly key: string;
  /** As the user typed it. */
  readonly codeText: string;
}

interface Claimed {
  readonly amount: MicroAth;
  readonly claimedAt: Date;
}

const NOTHING_CREDITED = 'Nothing was credited.';

/** The campaign's account pays, so `insufficient` means that it is empty, and `blocked` that an operator has frozen it. */
const CLAIM_WORDS: RefusalWords = {
  nothing: NOTHING_CREDITED,
  refusals: {
    insufficient: { code: 'reward_used_up' },
    blocked: { code: 'reward_not_running' },
    unknown_account: { code: 'account_restricted', advice: 'Ask support why.' },
    receiver_held: { code: 'account_restricted', advice: 'Ask support why.' },
  },
};

/** The same error for malformed and unknown codes, so that it reveals nothing else to a guesser. */
const invalidCode = (): AppError =>
  new AppError('invalid_reward_code', { detail: `${NOTHING_CREDITED} Check the code.` });

/** The campaign that a code belongs to. Throws `too_many_attempts` and `invalid_reward_code`. */
async function findCampaign(deps: ClaimDeps, claim: Claim, codeHash: Buffer): Promise<number> {
  const guess = await countGuess(deps, claim);
  const campaignId = await selectCampaignIdOfCode(deps.db, codeHash);
  if (campaignId === undefined) throw invalidCode();
  await takeBackGuess(deps, guess);
  return campaignId;
}

/** The caller has a valid code, so each refusal may say what is wrong. */
async function insertNewClaim(
  { clock }: ClaimDeps,
  tx: Tx,
  { userId, key, codeHash, campaignId }: Claim & { codeHash: Buffer; campaignId: number },
): Promise<ClaimRow> {
  const campaign = await lockCampaign(tx, campaignId);
  invariant(campaign !== undefined, 'campaigns stay');
  const code = await selectCode(tx, codeHash);
  const used = await selectCodesUsed(tx, campaignId, userId);
  const now = dateOf(clock);
  if (used.some((hash) => hash.equals(codeHash))) throw refusal('reward_claimed');
  if (campaign.state !== 'running') throw refusal('reward_not_running');
  if (now < campaign.starts_at || now >= campaign.ends_at) throw refusal('reward_not_running');
  if (code.batchState === 'void' || (code.expiresAt !== null && now >= code.expiresAt)) {
    throw refusal('reward_not_running');
  }
  if (!(await isInAudience(tx, campaign, { userId, now }))) {
    throw refusal('reward_not_for_account');
  }
  if (used.length >= (campaign.user_claim_count_max ?? Infinity)) {
    throw refusal('reward_limit_reached');
  }
  if (
    code.claimCount >= code.claimCountMax ||
    campaign.claim_count >= (campaign.claim_count_max ?? Infinity)
  ) {
    throw refusal('reward_used_up');
  }
  const claim = {
    id: uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes)),
    user_id: userId,
    key,
    code_hash: codeHash,
    campaign_id: campaignId,
    amount_micro_ath: campaign.amount_micro_ath,
    claimed_at: now,
  };
  return insertClaim(tx, claim, code.batchId);
}

const refusal = (
  code:
    | 'reward_claimed'
    | 'reward_not_running'
    | 'reward_not_for_account'
    | 'reward_limit_reached'
    | 'reward_used_up',
): AppError => new AppError(code, { detail: NOTHING_CREDITED });

/**
 * Credits the reward of a code, once per key and once per code and user. Guards in order: shape, replay, brake, guessing, existence,
 * ownership, state, limits, money. Throws an AppError if refused.
 */
export async function claimReward(deps: ClaimDeps, claim: Claim): Promise<Claimed> {
  const { db, ledger, config, programme } = deps;
  const { userId, key } = claim;
  const code = readRewardCode(claim.codeText);
  if (code === undefined) throw invalidCode();
  const codeHash = hashCode(code, config.hashingKey);
  const known = await selectClaimByKey(db, userId, key);
  if (known === undefined) await requireReleased(programme, 'rewards');
  const campaignId = known?.campaign_id ?? (await findCampaign(deps, claim, codeHash));
  return db.transaction().execute(async (tx) => {
    await lockUsers(tx, [userId]);
    const first = await selectClaimByKey(tx, userId, key);
    if (first !== undefined && !first.code_hash.equals(codeHash)) {
      throw new AppError('idempotency_key_reused', {
        detail: `${NOTHING_CREDITED} Use a new key for another code.`,
      });
    }
    const row = first ?? (await insertNewClaim(deps, tx, { ...claim, codeHash, campaignId }));
    const amount = microAth(row.amount_micro_ath);
    const transfer = claimTransfer({ id: row.id, campaignId: row.campaign_id, userId, amount });
    await pay(tx, ledger, [transfer], CLAIM_WORDS);
    return { amount, claimedAt: row.claimed_at };
  });
}
