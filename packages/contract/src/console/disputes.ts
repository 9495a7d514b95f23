/** Calls of the console about disputes: their list, their evidence and what is sent to the bank. */
import { z } from 'zod';
import { timeText, unitsText, uuidParam } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

/** US cents as text, since sums of a programme may exceed what a number holds exactly. */
export const centsText = z.string().regex(/^-?\d{1,19}$/);

/** Text fields of the evidence, by the provider's names. Each holds up to 20,000 characters, all together up to 150,000. */
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
const EVIDENCE_TEXT_MAX = 20_000;
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
/** Base64 of a megabyte. */
const EVIDENCE_FILE_TEXT_MAX = 1_400_000;
/** Enough for one file, or for all texts at four bytes a character. */
const EVIDENCE_BODY_BYTES_MAX = 1_500_000;

const DISPUTE_PHASES = ['inquiry', 'open', 'closed', 'lost'] as const;

export const dispute = z.object({
  id: z.string(),
  provider_dispute_id: z.string(),
  payment_id: z.string(),
  customer_uuid: z.string(),
  /** In the provider's words. */
  status: z.string(),
  phase: z.enum(DISPUTE_PHASES),
  reason: z.string(),
  amount_usd_cents: centsText,
  withdrawn_usd_cents: centsText,
  taken_token_amount: unitsText,
  owed_token_amount: unitsText,
  due_at: timeText.nullable(),
  evidence_state: z.enum(['draft', 'submitting', 'submitted', 'refused']),
  opened_at: timeText,
});

const done = z.object({ outcome: z.literal('done') });

export const disputeCalls = {
  consoleDisputes: {
    method: 'GET',
    path: '/admin/disputes',
    auth: 'console',
    permission: 'payments.read',
    summary: 'Disputes, newest first',
    query: z.object({ ...pageQuery, phase: z.enum(DISPUTE_PHASES).optional() }),
    answer: listOf(dispute),
  },
  consoleDispute: {
    method: 'GET',
    path: '/admin/disputes/:id',
    auth: 'console',
    permission: 'disputes.manage',
    versioned: true,
    audit: { action: 'dispute.open', subject: 'dispute' },
    summary: 'One dispute with its evidence',
    params: uuidParam,
    answer: dispute.extend({
      version: z.int(),
      evidence: z.partialRecord(z.enum(EVIDENCE_TEXT_FIELDS), z.string()),
      evidence_failure: z.string().nullable(),
      submitted_at: timeText.nullable(),
      files: z.array(
        z.object({
          field: z.enum(EVIDENCE_FILE_FIELDS),
          name: z.string(),
          type: z.string(),
          is_sent: z.boolean(),
        }),
      ),
      debts: z.array(
        z.object({
          id: z.string(),
          token_amount: unitsText,
          repaid_token_amount: unitsText,
          written_off_token_amount: unitsText,
          closed_at: timeText.nullable(),
        }),
      ),
    }),
  },
  saveEvidence: {
    method: 'PUT',
    path: '/admin/disputes/:id/evidence',
    auth: 'console',
    permission: 'disputes.manage',
    versioned: true,
    audit: { action: 'dispute.save_evidence', subject: 'dispute' },
    summary: 'Save the texts of evidence',
    bodyBytesMax: EVIDENCE_BODY_BYTES_MAX,
    params: uuidParam,
    body: z.object({
      evidence: z.partialRecord(z.enum(EVIDENCE_TEXT_FIELDS), z.string().max(EVIDENCE_TEXT_MAX)),
    }),
    answer: z.object({ version: z.int() }),
  },
  addEvidenceFile: {
    method: 'POST',
    path: '/admin/disputes/:id/files',
    auth: 'console',
    permission: 'disputes.manage',
    audit: { action: 'dispute.add_file', subject: 'dispute' },
    summary: 'Add a file to the evidence, or replace the one of its field',
    bodyBytesMax: EVIDENCE_BODY_BYTES_MAX,
    params: uuidParam,
    body: z.object({
      field: z.enum(EVIDENCE_FILE_FIELDS),
      name: z.string().min(1).max(200),
      /** The file's bytes. PDF, PNG or JPEG. */
      base64: z.base64().max(EVIDENCE_FILE_TEXT_MAX),
    }),
    answer: done,
  },
  submitEvidence: {
    method: 'POST',
    path: '/admin/disputes/:id/submission',
    auth: 'console',
    permission: 'disputes.manage',
    audit: { action: 'dispute.submit', subject: 'dispute' },
    proof: true,
    summary: 'Submit the saved evidence to the bank, once',
    params: uuidParam,
    answer: done,
  },
  acceptDispute: {
    method: 'POST',
    path: '/admin/disputes/:id/acceptance',
    auth: 'console',
    permission: 'disputes.manage',
    audit: { action: 'dispute.accept', subject: 'dispute' },
    proof: true,
    summary: 'Accept a dispute, which loses it',
    params: uuidParam,
    body: z.object({ reason: reasonText }),
    answer: done,
  },
} as const satisfies ConsoleCalls;
