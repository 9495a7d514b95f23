import type { ApprovalState, RiskNote, VoteObstacle } from '@athos/contract/console/approvals';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

type Approval = AdminAnswer<'approval'>;

export const STATE_TITLES: Readonly<Record<ApprovalState, () => string>> = {
  pending: m.approvals_state_pending,
  executed: m.approvals_state_executed,
  rejected: m.approvals_state_rejected,
  withdrawn: m.approvals_state_withdrawn,
  expired: m.approvals_state_expired,
  stale: m.approvals_state_stale,
  failed: m.approvals_state_failed,
};

export const STATE_TONES: Readonly<Record<ApprovalState, Tone>> = {
  pending: 'info',
  executed: 'success',
  rejected: 'danger',
  withdrawn: 'neutral',
  expired: 'neutral',
  stale: 'neutral',
  failed: 'danger',
};

export const RISK_TEXTS: Readonly<Record<RiskNote, () => string>> = {
  first_of_customer: m.approvals_risk_first_of_customer,
  above_usual: m.approvals_risk_above_usual,
  repeated_by_person: m.approvals_risk_repeated_by_person,
};

export const OBSTACLE_TEXTS: Readonly<Record<VoteObstacle, () => string>> = {
  ended: m.approvals_obstacle_ended,
  own_request: m.approvals_obstacle_own_request,
  own_account: m.approvals_obstacle_own_account,
  permission_missing: m.approvals_obstacle_permission_missing,
  foreign_organisation: m.approvals_obstacle_foreign_organisation,
  already_voted: m.approvals_obstacle_already_voted,
};

export const VOTERS_TITLES: Readonly<Record<Approval['voters'], () => string>> = {
  anyone: m.approvals_voters_anyone,
  provider: m.approvals_voters_provider,
  brand: m.approvals_voters_brand,
  other: m.approvals_voters_other,
};
