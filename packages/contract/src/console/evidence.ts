/** The evidence that a bank accepts, by the provider's names. Importing this file does not load zod. */

/** Text fields. Each holds up to 20,000 characters, all together up to 150,000. */
export const EVIDENCE_TEXT_FIELDS = [
  'access_activity_log',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'duplicate_charge_explanation',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'uncategorized_text',
] as const;
export type EvidenceTextField = (typeof EVIDENCE_TEXT_FIELDS)[number];
export const EVIDENCE_TEXT_MAX = 20_000;
export const EVIDENCE_CHARACTERS_MAX = 150_000;

export const EVIDENCE_FILE_FIELDS = [
  'cancellation_policy',
  'customer_communication',
  'receipt',
  'refund_policy',
  'service_documentation',
  'uncategorized_file',
] as const;
export type EvidenceFileField = (typeof EVIDENCE_FILE_FIELDS)[number];
export const EVIDENCE_FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
/** The provider accepts 5 MB in total. */
export const EVIDENCE_FILE_BYTES_MAX = 1_000_000;
