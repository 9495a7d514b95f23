import type { ApprovalState, RiskNote, VoteObstacle } from '@athos/contract/console/approvals';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

type Approval = AdminAnswer<'approval'>;

const ACTION_TITLES: Readonly<Record<string, () => string>> = {
  'batch.make': m.approvals_action_batch_make,
  'campaign.fund': m.approvals_action_campaign_fund,
  'brake.release': m.approvals_action_brake_release,
  'customer.credit': m.approvals_action_customer_credit,
  'customer.debit': m.approvals_action_customer_debit,
  'customer.erase': m.approvals_action_customer_erase,
  'debt.write_off': m.approvals_action_debt_write_off,
  'export.create': m.approvals_action_export_create,
  'goodwill.fund': m.approvals_action_goodwill_fund,
  'hold.release': m.approvals_action_hold_release,
  'ledger.book': m.approvals_action_ledger_book,
  'merchant.settle': m.approvals_action_merchant_settle,
  'offer.publish': m.approvals_action_offer_publish,
  'payment.refund': m.approvals_action_payment_refund,
  'payment.refund_at_cost': m.approvals_action_payment_refund_at_cost,
  'payment.refund_by_bank': m.approvals_action_payment_refund_by_bank,
  'payment.resolve_review': m.approvals_action_payment_resolve_review,
  'purchase.refund': m.approvals_action_purchase_refund,
  'purchase.refund_redeemed': m.approvals_action_purchase_refund_redeemed,
  'rate.publish_refused': m.approvals_action_rate_publish_refused,
  'rate.schedule': m.approvals_action_rate_schedule,
  'reconciliation.book': m.approvals_action_reconciliation_book,
  'recovery.shorten': m.approvals_action_recovery_shorten,
  'redemption.reverse': m.approvals_action_redemption_reverse,
  'role.change': m.approvals_action_role_change,
  'role.create': m.approvals_action_role_create,
  'setting.change': m.approvals_action_setting_change,
  'legal.publish': m.approvals_action_legal_publish,
  'staff.invite': m.approvals_action_staff_invite,
  'staff.roles': m.approvals_action_staff_roles,
  'tiers.change': m.approvals_action_tiers_change,
};

/** The title of the requested action. Stored requests may name actions that no longer exist; those show their code. */
export const actionTitle = (action: string): string => ACTION_TITLES[action]?.() ?? action;

/** The requester's name: a member of staff, or the programme itself. */
export const requesterName = ({ requestedBy }: Pick<Approval, 'requestedBy'>): string =>
  requestedBy?.name ?? m.approvals_by_programme();

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
