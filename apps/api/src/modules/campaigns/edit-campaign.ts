/** Drafting a campaign, and changing it. */
import { randomUUID } from 'node:crypto';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { microAth } from '@athos/domain/money';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { audienceColumns, audienceOf } from './audience.ts';
import { hasTier } from './audience.sql.ts';
import { updateCampaign } from './campaign-list.sql.ts';
import { insertCampaign, lockCampaign, type CampaignRow } from './campaigns.sql.ts';

type Terms = ConsoleBodyOf<'createCampaign'>;

const invalid = (detail: string): AppError => new AppError('invalid_request', { detail });

/** The open campaign, locked until the transaction ends. Throws `not_found`, and `campaign_state` for a settled one. */
export async function requireOpenCampaign(tx: Tx, id: number): Promise<CampaignRow> {
  const campaign = await lockCampaign(tx, id);
  if (campaign === undefined) throw new AppError('not_found');
  if (campaign.state === 'settled') {
    throw new AppError('campaign_state', { detail: 'The campaign is settled.' });
  }
  return campaign;
}

/** The columns for these terms. Throws `invalid_request` for a window in the past and for an unknown tier. */
async function columnsOf(tx: Tx, terms: Terms, now: Date) {
  const { audience, ends_at: endsText } = terms;
  const endsAt = new Date(endsText);
  if (endsAt <= now) throw invalid('The window is over already. Choose a later end.');
  if (audience.kind === 'tier' && !(await hasTier(tx, audience.tier_id))) {
    throw invalid('No tier has this id.');
  }
  return {
    title: terms.title,
    amount_micro_ath: microAth(BigInt(terms.amount)),
    starts_at: new Date(terms.starts_at),
    ends_at: endsAt,
    claim_count_max: terms.claim_count_max,
    user_claim_count_max: terms.user_claim_count_max,
    ...audienceColumns(audience),
  };
}

/** The terms as they are recorded in the audit. */
export const termsOf = (row: Omit<CampaignRow, 'state'>) => ({
  title: row.title,
  amount: row.amount_micro_ath.toString(),
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  claim_count_max: row.claim_count_max,
  user_claim_count_max: row.user_claim_count_max,
  audience: audienceOf(row),
});

export async function createCampaign(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  terms: Terms,
): Promise<CampaignRow> {
  const now = dateOf(clock);
  const columns = await columnsOf(tx, terms, now);
  const row = await insertCampaign(tx, { ...columns, key: randomUUID(), created_at: now });
  invariant(row !== undefined, 'a random key is new');
  return row;
}

/** Whether the columns change what a voter on the budget was shown, or what printed codes promise. */
const differ = (campaign: CampaignRow, columns: Awaited<ReturnType<typeof columnsOf>>): boolean =>
  campaign.amount_micro_ath !== columns.amount_micro_ath ||
  campaign.audience !== columns.audience ||
  campaign.audience_tier_id !== columns.audience_tier_id ||
  campaign.audience_days !== columns.audience_days;

/** Changes the locked campaign. Amount and audience cannot change once it has a budget. */
export async function changeCampaign(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { campaign, terms }: { readonly campaign: CampaignRow; readonly terms: Terms },
): Promise<void> {
  const columns = await columnsOf(tx, terms, dateOf(clock));
  if (campaign.state !== 'draft' && differ(campaign, columns)) {
    throw new AppError('campaign_state', {
      detail: 'Amount and audience stay as they are once the campaign has a budget.',
    });
  }
  if (columns.claim_count_max !== null && columns.claim_count_max < campaign.claim_count) {
    throw invalid(`There are ${campaign.claim_count} claims already. Choose a higher limit.`);
  }
  await updateCampaign(tx, campaign.id, { ...columns, version: campaign.version + 1 });
}
