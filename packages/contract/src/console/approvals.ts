/** Four-eyes: requests of staff that other people decide on (decision 0022). */
import { z } from 'zod';
import { VOTERS } from '../approval-policy.ts';
import { timeText, unitsText, uuidParam } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { ORGANISATIONS } from './staff.ts';

export const APPROVAL_STATES = [
  'pending',
  'executed',
  'rejected',
  'withdrawn',
  'expired',
  /** The subject changed before the last vote. */
  'stale',
  /** Approved, but it could no longer be carried out. */
  'failed',
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Points that voters should check about a request. */
export const RISK_NOTES = ['first_of_customer', 'above_usual', 'repeated_by_person'] as const;
export type RiskNote = (typeof RISK_NOTES)[number];

/** Reasons why the caller may not decide on a request. */
export const VOTE_OBSTACLES = [
  'ended',
  'own_request',
  'own_account',
  'permission_missing',
  'foreign_organisation',
  'already_voted',
] as const;
export type VoteObstacle = (typeof VOTE_OBSTACLES)[number];

export const reasonText = z.string().trim().min(10, 'must have at least 10 characters').max(1_000);

/** The response of an action under a policy: it is done, or another person must approve it first. */
export const policyOutcome = <Done extends z.ZodRawShape>(done: Done) =>
  z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('done'), ...done }),
    z.object({
      outcome: z.literal('requested'),
      approval_id: z.string(),
      expires_at: timeText,
      votes_needed: z.int(),
    }),
  ]);

const staffName = z.object({ id: z.string(), name: z.string() });

const summary = {
  id: z.string(),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }),
  state: z.enum(APPROVAL_STATES),
  amount: z.object({ asset: z.string(), units: unitsText }).nullable(),
  /** Null if the programme itself made the request. */
  requested_by: staffName.extend({ organisation: z.enum(ORGANISATIONS) }).nullable(),
  requested_at: timeText,
  expires_at: timeText,
  votes_needed: z.int(),
  votes_given: z.int(),
};

const approval = z
  .object({
    ...summary,
    /** The customer concerned. */
    customer_uuid: z.string().nullable(),
    /** Empty once the customer is erased. */
    reason: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    usd_cents: z.int().nullable(),
    risks: z.array(z.enum(RISK_NOTES)),
    /** The ledger account `holds` holds value for it. */
    is_value_held: z.boolean(),
    voters: z.enum(VOTERS),
    votes: z.array(
      z.object({
        staff: staffName,
        is_approved: z.boolean(),
        at: timeText,
        reason: z.string().nullable(),
      }),
    ),
    ended_at: timeText.nullable(),
    /** The error code of a failed request. */
    failure: z.string().nullable(),
    /** The reason why the caller may not decide on it; null if they may. */
    obstacle: z.enum(VOTE_OBSTACLES).nullable(),
    /** The number of people who could still vote for it. With fewer than needed, it cannot be approved. */
    voter_count: z.int(),
  })
  .meta({ id: 'Approval' });

/** The filters and the sort of the list of requests. */
export const approvalFilters = {
  sort: z.enum(['newest', 'oldest']).default('newest'),
  state: z.enum(APPROVAL_STATES).optional(),
  action: z.string().max(100).optional(),
  /** The id of the requests' subject. */
  subject_id: z.string().min(1).max(255).optional(),
};

const decided = z.object({ state: z.enum(APPROVAL_STATES), votes_given: z.int() });
const shared = { auth: 'console', permission: 'approvals.read', params: uuidParam } as const;

export const approvalCalls = {
  approvals: {
    method: 'GET',
    path: '/admin/approvals',
    auth: 'console',
    permission: 'approvals.read',
    summary: 'Requests: those the caller may decide on, their own, or all',
    query: z.object({
      ...pageQuery,
      ...approvalFilters,
      view: z.enum(['decide', 'mine', 'all']).default('decide'),
    }),
    answer: listOf(z.object(summary).meta({ id: 'ApprovalSummary' })).extend({
      /** The number of other people who could decide on any request. If it is 0, the caller's own requests can only expire. */
      other_decider_count: z.int(),
    }),
  },
  approval: {
    ...shared,
    method: 'GET',
    path: '/admin/approvals/:id',
    summary: 'One request with what it would change',
    answer: approval,
  },
  approveRequest: {
    ...shared,
    method: 'POST',
    path: '/admin/approvals/:id/approve',
    proof: true,
    audit: { action: 'approval.approve', subject: 'approval' },
    summary: 'Vote for a request; the last vote carries it out',
    answer: decided,
  },
  rejectRequest: {
    ...shared,
    method: 'POST',
    path: '/admin/approvals/:id/reject',
    proof: true,
    audit: { action: 'approval.reject', subject: 'approval' },
    summary: 'Reject a request',
    body: z.object({ reason: reasonText }).meta({ id: 'RejectRequest' }),
    answer: decided,
  },
  withdrawRequest: {
    ...shared,
    method: 'POST',
    path: '/admin/approvals/:id/withdraw',
    audit: { action: 'approval.withdraw', subject: 'approval' },
    summary: 'Withdraw one’s own request',
    answer: decided,
  },
} as const satisfies ConsoleCalls;
