/** The budget of a campaign: issued by request, with the remainder returned at its end. */
import { z } from 'zod';
import { microAth, usdOfTokens, type MicroAth } from '@athos/domain/money';
import type { Action } from '../../capability.ts';
import { campaignAccountId, selectAccountsById, type Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { pay, type RefusalWords } from '../transfers/index.ts';
import { budgetTransfer, returnTransfer } from './books.ts';
import { updateCampaign } from './campaign-list.sql.ts';
import { lockCampaign, type CampaignRow } from './campaigns.sql.ts';
import { requireOpenCampaign } from './edit-campaign.ts';

interface BudgetDeps {
  readonly ledger: Ledger;
}

export interface FundDeps extends BudgetDeps {
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

const WORDS: RefusalWords = {
  nothing: 'The budget stays as it is.',
  refusals: {
    bad_amount: { advice: 'Choose a smaller amount.' },
    blocked: { advice: 'The account of the campaign is frozen.' },
  },
};

/** The balance of the campaign's account; 0 before it has one. */
export async function leftOf(db: Db | Tx, campaignId: number): Promise<MicroAth> {
  const accountId = campaignAccountId(campaignId);
  const account = (await selectAccountsById(db, [accountId])).get(accountId);
  return microAth(account?.balanceUnits ?? 0n);
}

/** Issues ATH into the campaign's account. Moves value, so it comes last in its transaction. */
export async function addBudget(
  { ledger }: BudgetDeps,
  tx: Tx,
  {
    campaign,
    amount,
    key,
  }: { readonly campaign: CampaignRow; readonly amount: MicroAth; readonly key: string },
): Promise<void> {
  await ledger.openCampaignAccount(tx, campaign.id);
  await updateCampaign(tx, campaign.id, {
    state: campaign.state === 'draft' ? 'funded' : campaign.state,
    budget_micro_ath: campaign.budget_micro_ath + amount,
    version: campaign.version + 1,
  });
  await pay(tx, ledger, [budgetTransfer(campaign.id, amount, key)], WORDS);
}

/**
 * Settles the locked campaign. The remainder is returned under the campaign's own key, so at most once. Must come last in its
 * transaction.
 */
export async function returnRest(
  { ledger, clock }: BudgetDeps & { readonly clock: Clock },
  tx: Tx,
  { campaign, left }: { readonly campaign: CampaignRow; readonly left: MicroAth },
): Promise<void> {
  await updateCampaign(tx, campaign.id, {
    state: 'settled',
    settled_at: dateOf(clock),
    returned_micro_ath: left,
    version: campaign.version + 1,
  });
  if (left > 0n) await pay(tx, ledger, [returnTransfer(campaign, left)], WORDS);
}

const funding = z.object({ campaignId: z.int(), amount: z.string() });
type Funding = z.output<typeof funding>;

/** Throws `amount_above_maximum` for a budget that no vote may allow. */
async function requireBelowMaximum({ programme }: FundDeps, budget: bigint): Promise<void> {
  const { campaignBudgetMax } = await programme();
  if (budget <= campaignBudgetMax) return;
  throw new AppError('amount_above_maximum', {
    detail: `A campaign may hold ${campaignBudgetMax / 1_000_000n} ATH in all. The budget stays as it is.`,
  });
}

export const fundAction: Action<FundDeps, Funding> = {
  name: 'campaign.fund',
  subjectType: 'campaign',
  permission: 'campaigns.fund',
  policy: 'campaignBudgetPolicy',
  unit: 'ATH',
  payload: funding,
  async lock(_deps, tx, { payload }) {
    if ((await lockCampaign(tx, payload.campaignId)) === undefined) throw new AppError('not_found');
  },
  async preview(deps, tx, { payload: { campaignId, amount } }) {
    const campaign = await requireOpenCampaign(tx, campaignId);
    if (campaign.ends_at <= dateOf(deps.clock)) {
      throw new AppError('campaign_state', { detail: 'The campaign has reached its end date.' });
    }
    const budget = campaign.budget_micro_ath + BigInt(amount);
    await requireBelowMaximum(deps, budget);
    const rate = await selectCurrentRate(tx);
    return {
      subjectId: campaignId.toString(),
      version: campaign.version.toString(),
      amount: { asset: 'ATH', units: BigInt(amount) },
      measured: BigInt(amount),
      ...(rate !== undefined && { usdCents: usdOfTokens(microAth(BigInt(amount)), rate) }),
      before: { title: campaign.title, budget: campaign.budget_micro_ath.toString() },
      after: {
        budget: budget.toString(),
        amount_of_a_claim: campaign.amount_micro_ath.toString(),
        starts_at: campaign.starts_at.toISOString(),
        ends_at: campaign.ends_at.toISOString(),
        audience: campaign.audience,
      },
    };
  },
  async execute(deps, tx, { id, payload: { campaignId, amount } }) {
    const campaign = await requireOpenCampaign(tx, campaignId);
    await addBudget(deps, tx, { campaign, amount: microAth(BigInt(amount)), key: id });
  },
};
