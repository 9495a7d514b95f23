/** The words for disputes. The provider's own terms, which it may change, are shown as they are. */
import type { EvidenceFileField } from '@athos/contract/console/evidence';
import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

type Dispute = RowOf<'consoleDisputes'>;
type Words = Readonly<Record<string, () => string>>;

export const PHASE_TITLES: Readonly<Record<Dispute['phase'], () => string>> = {
  inquiry: m.disputes_phase_inquiry,
  open: m.disputes_phase_open,
  closed: m.disputes_phase_closed,
  lost: m.disputes_phase_lost,
};

const PHASE_TONES: Readonly<Record<Dispute['phase'], Tone>> = {
  inquiry: 'info',
  open: 'info',
  closed: 'success',
  lost: 'danger',
};

const STATUS_TITLES: Words = {
  warning_needs_response: m.disputes_status_warning_needs_response,
  warning_under_review: m.disputes_status_warning_under_review,
  warning_closed: m.disputes_status_warning_closed,
  needs_response: m.disputes_status_needs_response,
  under_review: m.disputes_status_under_review,
  appeal_needs_response: m.disputes_status_appeal_needs_response,
  appeal_under_review: m.disputes_status_appeal_under_review,
  won: m.disputes_status_won,
  prevented: m.disputes_status_prevented,
  lost: m.disputes_status_lost,
};

const REASON_TITLES: Words = {
  bank_cannot_process: m.disputes_reason_bank_cannot_process,
  check_returned: m.disputes_reason_check_returned,
  credit_not_processed: m.disputes_reason_credit_not_processed,
  customer_initiated: m.disputes_reason_customer_initiated,
  debit_not_authorized: m.disputes_reason_debit_not_authorized,
  duplicate: m.disputes_reason_duplicate,
  fraudulent: m.disputes_reason_fraudulent,
  general: m.disputes_reason_general,
  incorrect_account_details: m.disputes_reason_incorrect_account_details,
  insufficient_funds: m.disputes_reason_insufficient_funds,
  noncompliant: m.disputes_reason_noncompliant,
  product_not_received: m.disputes_reason_product_not_received,
  product_unacceptable: m.disputes_reason_product_unacceptable,
  subscription_canceled: m.disputes_reason_subscription_canceled,
  unrecognized: m.disputes_reason_unrecognized,
};

const WARNING_TITLES: Words = {
  card_never_received: m.disputes_warnings_type_card_never_received,
  fraudulent_card_application: m.disputes_warnings_type_fraudulent_card_application,
  made_with_counterfeit_card: m.disputes_warnings_type_made_with_counterfeit_card,
  made_with_lost_card: m.disputes_warnings_type_made_with_lost_card,
  made_with_stolen_card: m.disputes_warnings_type_made_with_stolen_card,
  misc: m.disputes_warnings_type_misc,
  unauthorized_use_of_card: m.disputes_warnings_type_unauthorized_use_of_card,
};

const plainWords = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const isKnownStatus = (status: string): boolean => status in STATUS_TITLES;

export const statusTitle = (status: string): string =>
  STATUS_TITLES[status]?.() ?? plainWords(status);

export const reasonTitle = (reason: string): string =>
  REASON_TITLES[reason]?.() ?? plainWords(reason);

export const warningTitle = (fraudType: string): string =>
  WARNING_TITLES[fraudType]?.() ?? plainWords(fraudType);

/** Waiting for the bank gets a quiet tone; waiting for staff does not. */
export const statusTone = ({ phase, status }: Pick<Dispute, 'phase' | 'status'>): Tone =>
  phase !== 'closed' && phase !== 'lost' && status.endsWith('under_review')
    ? 'neutral'
    : PHASE_TONES[phase];

export type EvidenceTexts = AdminAnswer<'consoleDispute'>['evidence'];
export type TextField = keyof EvidenceTexts;

export const TEXT_TITLES: Readonly<Record<TextField, () => string>> = {
  accessActivityLog: m.disputes_field_access_activity_log,
  cancellationPolicyDisclosure: m.disputes_field_cancellation_policy_disclosure,
  cancellationRebuttal: m.disputes_field_cancellation_rebuttal,
  customerEmailAddress: m.disputes_field_customer_email_address,
  customerName: m.disputes_field_customer_name,
  duplicateChargeExplanation: m.disputes_field_duplicate_charge_explanation,
  productDescription: m.disputes_field_product_description,
  refundPolicyDisclosure: m.disputes_field_refund_policy_disclosure,
  refundRefusalExplanation: m.disputes_field_refund_refusal_explanation,
  serviceDate: m.disputes_field_service_date,
  uncategorizedText: m.disputes_field_uncategorized_text,
};

export const FILE_TITLES: Readonly<Record<EvidenceFileField, () => string>> = {
  cancellation_policy: m.disputes_file_cancellation_policy,
  customer_communication: m.disputes_file_customer_communication,
  receipt: m.disputes_file_receipt,
  refund_policy: m.disputes_file_refund_policy,
  service_documentation: m.disputes_file_service_documentation,
  uncategorized_file: m.disputes_file_uncategorized_file,
};
