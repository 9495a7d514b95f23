/** Requesting codes: at once within the policy and the budget, otherwise by a vote. The worker makes them. */
import { z } from 'zod';
import type { Action } from '../../../capability.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { lockCampaign, type CampaignRow } from '../campaigns.sql.ts';
import { requireOpenCampaign } from '../edit-campaign.ts';
import { leftOf } from '../fund-campaign.ts';
import { countPromised, insertBatch } from './batches.sql.ts';

interface BatchDeps {
  readonly clock: Clock;
}

const order = z.object({
  campaignId: z.int(),
  label: z.string(),
  codeCount: z.int(),
  usesPerCode: z.int(),
  expiresAt: z.string().nullable(),
});
type Order = z.output<typeof order>;

/** The job of a worker that died is freed and starts again. */
const ATTEMPTS_MAX = 3;

/** Throws `campaign_state` for a campaign without a budget, and `invalid_request` for codes that would already be expired. */
async function requireMakeable(
  { clock }: BatchDeps,
  tx: Tx,
  { campaignId, expiresAt }: Order,
): Promise<CampaignRow> {
  const campaign = await requireOpenCampaign(tx, campaignId);
  const now = dateOf(clock);
  if (campaign.state === 'draft' || campaign.ends_at <= now) {
    throw new AppError('campaign_state', {
      detail: 'Codes are made for a campaign that has a budget and is not over.',
    });
  }
  if (expiresAt !== null && new Date(expiresAt) <= now) {
    throw new AppError('invalid_request', { detail: 'The codes would have expired already.' });
  }
  return campaign;
}

/** Whether the remaining budget covers these codes and all codes made before. */
async function isWithinBudget(
  tx: Tx,
  campaign: CampaignRow,
  { codeCount, usesPerCode }: Order,
): Promise<boolean> {
  const claims = (await countPromised(tx, campaign.id)) + BigInt(codeCount) * BigInt(usesPerCode);
  return claims * campaign.amount_micro_ath <= (await leftOf(tx, campaign.id));
}

export const makeBatchAction: Action<BatchDeps, Order> = {
  name: 'batch.make',
  subjectType: 'campaign',
  permission: 'campaigns.codes',
  policy: 'codeBatchPolicy',
  unit: 'codes',
  payload: order,
  async lock(_deps, tx, { payload }) {
    if ((await lockCampaign(tx, payload.campaignId)) === undefined) throw new AppError('not_found');
  },
  async preview(deps, tx, { payload }) {
    const campaign = await requireMakeable(deps, tx, payload);
    const isCovered = await isWithinBudget(tx, campaign, payload);
    return {
      subjectId: campaign.id.toString(),
      version: campaign.version.toString(),
      ...(isCovered && { measured: BigInt(payload.codeCount) }),
      before: null,
      after: {
        campaign: campaign.title,
        label: payload.label,
        codes: payload.codeCount,
        uses_per_code: payload.usesPerCode,
        expires_at: payload.expiresAt,
        amount_of_a_claim: campaign.amount_micro_ath.toString(),
        is_within_budget: isCovered,
      },
    };
  },
  async execute(deps, tx, { id, payload }) {
    const campaign = await requireMakeable(deps, tx, payload);
    await insertBatch(tx, {
      id,
      campaign_id: campaign.id,
      label: payload.label,
      code_count: payload.codeCount,
      claim_count_max: payload.usesPerCode,
      expires_at: payload.expiresAt === null ? null : new Date(payload.expiresAt),
      created_at: dateOf(deps.clock),
    });
    await enqueueJob(tx, 'batch_make', { id }, { attemptCountMax: ATTEMPTS_MAX });
  },
};
