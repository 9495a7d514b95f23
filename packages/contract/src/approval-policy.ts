/** Four-eyes policies: what a member of staff may do alone, and whose vote is needed above that (decision 0022). */
import { z } from 'zod';

/** The people whose votes count: anybody who may decide, one organisation, or the organisation that did not make the request. */
export const VOTERS = ['anyone', 'provider', 'brand', 'other'] as const;
export type Voters = (typeof VOTERS)[number];

/** Higher than any amount that can be moved. */
const LIMIT_MAX = 10_000_000_000;
const limit = z.number().min(0).max(LIMIT_MAX);

const approvalPolicy = z.strictObject({
  /** The maximum that is done without a vote, in the unit of the policy. 0 means that everything takes a vote. */
  direct_max: limit,
  /** The maximum for one customer within 30 days, including open requests. */
  customer_30_days_max: limit.optional(),
  /** The maximum by one member of staff within 24 hours. */
  person_day_max: limit.optional(),
  votes: z.int().min(1).max(5),
  /** For staff who work at venues and not with customers: the number of minutes after the redemption during which they need no vote. */
  venue_minutes_max: limit.optional(),
  /** A second vote is needed above this many US dollars by one member of staff, or for one customer, within 24 hours. */
  two_votes_above_usd: limit.optional(),
  voters: z.enum(VOTERS),
});
export type ApprovalPolicy = z.output<typeof approvalPolicy>;

/**
 * A missing limit gets its default, so that a policy stored before the limit existed still has it. An action that takes a vote by default
 * always does: no setting can make it direct.
 */
const policySchema = (byDefault: ApprovalPolicy) =>
  approvalPolicy
    .refine(
      ({ direct_max: directMax }) => byDefault.direct_max > 0 || directMax === 0,
      'direct_max must be 0, because this always takes a vote',
    )
    .transform((given): ApprovalPolicy => ({ ...byDefault, ...given }));

interface PolicySetting<Key extends string> {
  readonly key: `policy_${Key}`;
  readonly about: string;
  readonly schema: ReturnType<typeof policySchema>;
  readonly byDefault: ApprovalPolicy;
}

const policy = <Key extends string>(
  key: Key,
  about: string,
  byDefault: ApprovalPolicy,
): PolicySetting<Key> => ({
  key: `policy_${key}`,
  about,
  schema: policySchema(byDefault),
  byDefault,
});

const ONE_VOTE = { direct_max: 0, votes: 1, voters: 'anyone' } as const;
const PROVIDER = { ...ONE_VOTE, voters: 'provider', two_votes_above_usd: 1_000 } as const;

/**
 * Limits apply to all actions of a policy together, and open requests count like completed actions (decision 0027). Policies are ordinary
 * settings, so changing one also takes a vote of the other organisation.
 */
export const APPROVAL_POLICIES = {
  creditPolicy: policy('credit', 'Credits from goodwill, in ATH.', {
    direct_max: 50,
    customer_30_days_max: 200,
    person_day_max: 1_000,
    votes: 1,
    voters: 'anyone',
  }),
  debitPolicy: policy('debit', "Debits of a customer's balance, in ATH.", PROVIDER),
  goodwillBudgetPolicy: policy('goodwill_budget', 'The budget for goodwill, in ATH.', PROVIDER),
  writeOffPolicy: policy('write_off', 'Debts given up, in ATH.', PROVIDER),
  settlementPolicy: policy('settlement', 'Settlements with merchants, in ATH.', PROVIDER),
  bookingPolicy: policy('booking', 'Manual bookings and refunds by bank, in USD.', PROVIDER),
  paymentReviewPolicy: policy('payment_review', 'Ways out of a review of a payment.', PROVIDER),
  // Refunds have a limit per customer; otherwise a refund in parts would never need a vote.
  cardRefundPolicy: policy('card_refund', 'Card refunds of what is refundable, in USD.', {
    direct_max: 100,
    customer_30_days_max: 100,
    votes: 1,
    voters: 'anyone',
  }),
  costRefundPolicy: policy('cost_refund', "Card refunds at the programme's cost, in USD.", {
    ...ONE_VOTE,
    voters: 'provider',
  }),
  purchaseRefundPolicy: policy('purchase_refund', 'Refunds of purchases, in ATH.', {
    direct_max: 100,
    customer_30_days_max: 100,
    votes: 1,
    voters: 'anyone',
  }),
  // Has a limit per customer; otherwise reversing a redemption item by item would never need a vote.
  reversalPolicy: policy('reversal', 'Reversals of redemptions, in ATH that the items cost.', {
    direct_max: 100,
    customer_30_days_max: 100,
    venue_minutes_max: 30,
    votes: 1,
    voters: 'anyone',
  }),
  releasePolicy: policy('release', 'Release of a hold by a dispute or a warning.', ONE_VOTE),
  recoveryPolicy: policy('recovery', 'Removing a lost second step sooner.', ONE_VOTE),
  erasurePolicy: policy('erasure', 'Erasing a customer.', ONE_VOTE),
  personExportPolicy: policy('person_export', 'Exports with e-mails of many people.', ONE_VOTE),
  campaignBudgetPolicy: policy('campaign_budget', 'Budgets of reward campaigns, in ATH.', {
    ...ONE_VOTE,
    voters: 'other',
  }),
  // Limited per person and day; otherwise a batch in parts would never need a vote.
  codeBatchPolicy: policy('code_batch', 'Batches of reward codes within a budget, in codes.', {
    direct_max: 1_000,
    person_day_max: 1_000,
    votes: 1,
    voters: 'other',
  }),
  ratePolicy: policy('rate', 'A rate by hand: its change within an hour, in per cent.', {
    ...ONE_VOTE,
    direct_max: 2,
  }),
  brakePolicy: policy('brake', 'Releasing a brake of the programme.', ONE_VOTE),
  rolePolicy: policy('role', 'Roles that move money, custom roles and owners.', ONE_VOTE),
  offerPolicy: policy('offer', 'Changes of the price of a live offer, in per cent.', {
    direct_max: 30,
    votes: 1,
    voters: 'anyone',
  }),
  tierPolicy: policy('tier', 'Thresholds, colours and notes of the tiers.', {
    ...ONE_VOTE,
    voters: 'other',
  }),
  legalPolicy: policy('legal', 'Publishing legal texts.', { ...ONE_VOTE, voters: 'other' }),
  settingPolicy: policy('setting', 'Settings of the programme, these policies among them.', {
    ...ONE_VOTE,
    voters: 'other',
  }),
} as const;
export type PolicyName = keyof typeof APPROVAL_POLICIES;
