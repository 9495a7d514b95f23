/** Calls of the console about disputes: their list, their evidence, and its submission to the bank. */
import { z } from 'zod';
import { timeText, unitsText, uuidParam, uuidText } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { EVIDENCE_FILE_FIELDS, EVIDENCE_TEXT_FIELDS, EVIDENCE_TEXT_MAX } from './evidence.ts';
import { LEDGER_ASSETS, shownKind } from './ledger.ts';
import { listOf, pageQuery } from './lists.ts';

/** US cents as text, because a programme's sums may exceed what a JSON number holds exactly. */
export const centsText = z.string().regex(/^-?\d{1,19}$/);

/** The length of a megabyte in base64. */
const EVIDENCE_FILE_TEXT_MAX = 1_400_000;
/** Enough for one file, or for all texts at four bytes a character. */
const EVIDENCE_BODY_BYTES_MAX = 1_500_000;

/** `answer`: awaits our evidence. `undecided`: the bank has not decided. */
export const DISPUTE_VIEWS = ['answer', 'undecided', 'all'] as const;
const DISPUTE_PHASES = ['inquiry', 'open', 'closed', 'lost'] as const;

export const disputeFilters = {
  view: z.enum(DISPUTE_VIEWS).default('all'),
  phase: z.enum(DISPUTE_PHASES).optional(),
  customer_uuid: uuidText.optional(),
};

export const dispute = z.object({
  id: z.string(),
  provider_dispute_id: z.string(),
  payment_id: z.string(),
  customer_uuid: z.string(),
  /** In the provider's terms. */
  status: z.string(),
  phase: z.enum(DISPUTE_PHASES),
  reason: z.string(),
  amount_usd_cents: centsText,
  withdrawn_usd_cents: centsText,
  taken_token_amount: unitsText,
  owed_token_amount: unitsText,
  due_at: timeText.nullable(),
  evidence_state: z.enum(['draft', 'submitting', 'submitted', 'refused']),
  /** The bank waits for our evidence, and no submission is in progress. */
  awaits_evidence: z.boolean(),
  opened_at: timeText,
});

/** A transfer between accounts, by the names of the programme's accounts; null for the customer's. */
const journalLine = z.object({
  id: z.string(),
  at: timeText,
  kind: shownKind,
  asset: z.enum(LEDGER_ASSETS),
  amount: unitsText,
  debit: z.string().nullable(),
  credit: z.string().nullable(),
});

const evidenceFile = z.object({
  field: z.enum(EVIDENCE_FILE_FIELDS),
  name: z.string(),
  type: z.string(),
});

const done = z.object({ outcome: z.literal('done') });

export const disputeCalls = {
  consoleDisputes: {
    method: 'GET',
    path: '/admin/disputes',
    auth: 'console',
    permission: 'payments.read',
    summary:
      'Disputes: those to answer and those undecided by their due dates, all of them newest first',
    query: z.object({ ...pageQuery, ...disputeFilters }),
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
      /** The last action that was sent, or is being sent. */
      evidence_act: z.enum(['submit', 'accept']).nullable(),
      evidence_failure: z.string().nullable(),
      submitted_at: timeText.nullable(),
      /** The number of submissions to the bank: a dispute that is reopened accepts evidence once more. */
      submission_count: z.int(),
      files: z.array(evidenceFile.extend({ is_sent: z.boolean() })),
      payment: z.object({
        token_amount: unitsText,
        total_usd_cents: centsText,
        returned_token_amount: unitsText,
        created_at: timeText,
      }),
      /** Ledger movements for the dispute, newest first. */
      journal: z.array(journalLine),
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
  evidenceFile: {
    method: 'GET',
    path: '/admin/disputes/:id/files/:field',
    auth: 'console',
    permission: 'disputes.manage',
    audit: { action: 'dispute.open_file', subject: 'dispute' },
    summary: 'A file of the evidence',
    params: uuidParam.extend({ field: z.enum(EVIDENCE_FILE_FIELDS) }),
    answer: evidenceFile.extend({ base64: z.string() }),
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
    answer: z.object({ version: z.int() }),
  },
  submitEvidence: {
    method: 'POST',
    path: '/admin/disputes/:id/submission',
    auth: 'console',
    permission: 'disputes.manage',
    versioned: true,
    audit: { action: 'dispute.submit', subject: 'dispute' },
    proof: true,
    summary: 'Submit the saved evidence of this version to the bank, once',
    params: uuidParam,
    answer: z.object({ version: z.int() }),
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
