/** Reward campaigns: amount and audience, budget, and starting, pausing and ending them. */
import { z } from 'zod';
import { TRANSFER_MICRO_MAX } from '@athos/domain/money';
import { positiveUnitsText, smallId, smallIdParam, timeText, unitsText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

/**
 * `funded`: has a budget, but pays nothing until it is started. `ended`: past its window, with a remaining budget still to be returned.
 * `settled`: has nothing left, which is final.
 */
export const CAMPAIGN_STATES = [
  'draft',
  'funded',
  'running',
  'paused',
  'ended',
  'settled',
] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

export const AUDIENCE_DAYS_MAX = 3_650;

const audience = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    /** Accounts in this tier or a higher one at the time of the claim. */
    z.object({ kind: z.literal('tier'), tier_id: smallId }),
    /** Accounts up to this age at the time of the claim. */
    z.object({
      kind: z.literal('new_accounts'),
      days: z.int().min(1).max(AUDIENCE_DAYS_MAX),
    }),
  ])
  .meta({ id: 'CampaignAudience' });
export type CampaignAudience = z.output<typeof audience>;

const dateTime = z.iso.datetime({ offset: true });
const amountText = positiveUnitsText.refine(
  (text) => !/^\d+$/.test(text) || BigInt(text) <= TRANSFER_MICRO_MAX,
  'must be at most 1,000,000,000 ATH',
);

const terms = {
  title: z.string().trim().min(1, 'must not be empty').max(100),
  /** Credited for each claim, in micro-units. */
  amount: amountText,
  starts_at: dateTime,
  /** Exclusive. */
  ends_at: dateTime,
  /** The maximum number of claims by all customers; null means that only the budget limits them. */
  claim_count_max: smallId.nullable(),
  /** The maximum number of claims by one customer, over all codes; null means no limit. */
  user_claim_count_max: smallId.nullable(),
  audience,
};
const campaignTerms = z
  .object(terms)
  .refine(({ starts_at: from, ends_at: to }) => Date.parse(to) > Date.parse(from), {
    path: ['ends_at'],
    message: 'must be after starts_at',
  })
  .meta({ id: 'CampaignTerms' });

const summary = {
  id: z.int(),
  ...terms,
  amount: unitsText,
  starts_at: timeText,
  ends_at: timeText,
  state: z.enum(CAMPAIGN_STATES),
  claim_count: z.int(),
  /** The sum of all funding, in micro-units. */
  budget: unitsText,
  /** The sum paid for claims. */
  given: unitsText,
  created_at: timeText,
};

const campaign = z
  .object({
    ...summary,
    version: z.int(),
    /** The balance of its account in the ledger. */
    left: unitsText,
    /** The amount returned to issuance at its end; null before. */
    returned: unitsText.nullable(),
    settled_at: timeText.nullable(),
    account_id: z.string(),
    /** The title of the lowest tier that may claim, if the audience is a tier. */
    tier_title: z.string().nullable(),
  })
  .meta({ id: 'ConsoleCampaign' });

export const campaignCalls = {
  campaigns: {
    method: 'GET',
    path: '/admin/campaigns',
    auth: 'console',
    permission: 'campaigns.read',
    summary: 'Reward campaigns, newest first',
    query: z.object({ ...pageQuery, state: z.enum(CAMPAIGN_STATES).optional() }),
    answer: listOf(z.object(summary).meta({ id: 'ConsoleCampaignSummary' })),
  },
  campaign: {
    method: 'GET',
    path: '/admin/campaigns/:id',
    auth: 'console',
    permission: 'campaigns.read',
    versioned: true,
    summary: 'One campaign with what is left of its budget',
    params: smallIdParam,
    answer: campaign,
  },
  campaignOptions: {
    method: 'GET',
    path: '/admin/campaign-options',
    auth: 'console',
    permission: 'campaigns.read',
    summary: 'What a campaign may be set to: the tiers, and the largest budget',
    answer: z.object({
      tiers: z.array(z.object({ id: z.int(), title: z.string() })),
      budget_max: unitsText,
    }),
  },
  createCampaign: {
    method: 'POST',
    path: '/admin/campaigns',
    auth: 'console',
    permission: 'campaigns.edit',
    audit: { action: 'campaign.create', subject: 'campaign' },
    summary: 'Draft a campaign',
    body: campaignTerms,
    answer: campaign,
  },
  changeCampaign: {
    method: 'PUT',
    path: '/admin/campaigns/:id',
    auth: 'console',
    permission: 'campaigns.edit',
    versioned: true,
    audit: { action: 'campaign.change', subject: 'campaign' },
    summary: 'Change a campaign; amount and audience only before it has a budget',
    params: smallIdParam,
    body: campaignTerms,
    answer: campaign,
  },
  fundCampaign: {
    method: 'POST',
    path: '/admin/campaigns/:id/budget',
    auth: 'console',
    permission: 'campaigns.fund',
    proof: true,
    audit: { action: 'campaign.fund', subject: 'campaign' },
    summary: 'Issue ATH into the budget of a campaign, by request',
    params: smallIdParam,
    body: z.object({ amount: amountText, reason: reasonText }).meta({ id: 'FundCampaign' }),
    answer: policyOutcome({}),
  },
  startCampaign: {
    method: 'POST',
    path: '/admin/campaigns/:id/start',
    auth: 'console',
    permission: 'campaigns.edit',
    audit: { action: 'campaign.start', subject: 'campaign' },
    summary: 'Let a funded or paused campaign give out rewards within its window',
    params: smallIdParam,
    answer: campaign,
  },
  pauseCampaign: {
    method: 'POST',
    path: '/admin/campaigns/:id/pause',
    auth: 'console',
    permission: 'campaigns.edit',
    audit: { action: 'campaign.pause', subject: 'campaign' },
    summary: 'Refuse every claim from the next one on',
    params: smallIdParam,
    answer: campaign,
  },
  endCampaign: {
    method: 'POST',
    path: '/admin/campaigns/:id/end',
    auth: 'console',
    permission: 'campaigns.edit',
    proof: true,
    audit: { action: 'campaign.end', subject: 'campaign' },
    summary: 'End a campaign for good and return what is left of its budget to issuance',
    params: smallIdParam,
    body: z.object({ reason: reasonText }).meta({ id: 'EndCampaign' }),
    answer: campaign,
  },
} as const satisfies ConsoleCalls;
