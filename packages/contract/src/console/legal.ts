/** Legal texts as versions: drafted, published by a vote of the other organisation, and immutable after that. */
import { z } from 'zod';
import { LEGAL_KINDS, legalLabel } from '../legal.ts';
import { acceptedAnswer, smallIdParam, timeText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const BODY_LENGTH_MAX = 60_000;
/** UTF-8 needs up to three bytes for a character of the basic plane, and JSON escapes a few more. */
const BODY_BYTES_MAX = 4 * BODY_LENGTH_MAX;

const summary = {
  id: z.int(),
  kind: z.enum(LEGAL_KINDS),
  /** The name under which customers accept it, such as "2.0". */
  label: z.string(),
  state: z.enum(['draft', 'scheduled', 'current', 'replaced']),
  edited_at: timeText,
  edited_by: z.string(),
  published_at: timeText.nullable(),
  /** The person who requested the publication. */
  published_by: z.string().nullable(),
  in_force_from: timeText.nullable(),
  /** The open request to publish it. */
  approval_id: z.string().nullable(),
};

const inForce = z.object({
  kind: z.enum(LEGAL_KINDS),
  label: z.string(),
  in_force_from: timeText,
  /** Null for the text with which the programs were built. */
  id: z.int().nullable(),
  body: z.string(),
});

const draft = {
  label: legalLabel,
  /** Paragraphs, and headings that begin with `## `. */
  body: z.string().trim().min(1).max(BODY_LENGTH_MAX),
};

const legalDetail = z
  .object({
    ...summary,
    body: z.string(),
    version: z.int(),
    /** The text that it replaces. */
    before: z.object({ label: z.string(), body: z.string() }),
  })
  .meta({ id: 'LegalTextVersion' });

export const legalCalls = {
  legalTexts: {
    method: 'GET',
    path: '/admin/legal',
    auth: 'console',
    permission: 'settings.read',
    summary: 'The versions of the legal texts, newest first',
    answer: z.object({
      items: z.array(z.object(summary).meta({ id: 'LegalTextSummary' })),
      in_force: z.array(inForce),
    }),
  },
  legalTextVersion: {
    method: 'GET',
    path: '/admin/legal/:id',
    auth: 'console',
    permission: 'settings.read',
    versioned: true,
    summary: 'A version of a legal text',
    params: smallIdParam,
    answer: legalDetail,
  },
  draftLegalText: {
    method: 'POST',
    path: '/admin/legal',
    auth: 'console',
    permission: 'legal.publish',
    audit: { action: 'legal.draft', subject: 'legal_text' },
    summary: 'Begin a version of a legal text',
    body: z.object({ kind: z.enum(LEGAL_KINDS), ...draft }).meta({ id: 'DraftLegalText' }),
    bodyBytesMax: BODY_BYTES_MAX,
    answer: legalDetail,
  },
  editLegalText: {
    method: 'PATCH',
    path: '/admin/legal/:id',
    auth: 'console',
    permission: 'legal.publish',
    versioned: true,
    audit: { action: 'legal.edit', subject: 'legal_text' },
    summary: 'Change a version that is not published',
    params: smallIdParam,
    body: z.object(draft).meta({ id: 'EditLegalText' }),
    bodyBytesMax: BODY_BYTES_MAX,
    answer: legalDetail,
  },
  discardLegalText: {
    method: 'POST',
    path: '/admin/legal/:id/discard',
    auth: 'console',
    permission: 'legal.publish',
    audit: { action: 'legal.discard', subject: 'legal_text' },
    summary: 'Delete a version that is not published',
    params: smallIdParam,
    answer: acceptedAnswer,
  },
  publishLegalText: {
    method: 'POST',
    path: '/admin/legal/:id/publish',
    auth: 'console',
    permission: 'legal.publish',
    proof: true,
    audit: { action: 'legal.publish', subject: 'legal_text' },
    summary: 'Request that a version is published',
    params: smallIdParam,
    body: z
      .object({
        /** Null means as soon as it is approved. */
        in_force_from: timeText.nullable(),
        reason: reasonText,
      })
      .meta({ id: 'PublishLegalText' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
