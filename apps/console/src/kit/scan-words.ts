/** The outcomes of scans in words. */
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../api/call.ts';
import type { Tone } from './badge.tsx';
import { inWords } from './in-words.ts';

export type ScanOutcome = AdminAnswer<'scans'>['items'][number]['outcome'];

/** The common outcomes. The log can hold any error of the API; others are shown by their code in words. */
const TITLES: Readonly<Record<string, () => string>> = {
  ok: m.scans_outcome_ok,
  already_redeemed: m.scans_outcome_already_redeemed,
  voided: m.scans_outcome_voided,
  inactive: m.scans_outcome_inactive,
  wrong_venue: m.scans_outcome_wrong_venue,
  not_found: m.scans_outcome_not_found,
  unreadable_code: m.scanner_app_refusal_unreadable_code,
  wrong_code_kind: m.scanner_app_refusal_wrong_code_kind,
  invalid_signature: m.scanner_app_refusal_invalid_signature,
  code_expired: m.scanner_app_refusal_code_expired,
  ticket_ended: m.scanner_app_refusal_ticket_ended,
  code_from_future: m.scans_outcome_code_from_future,
  code_replayed: m.scanner_app_refusal_code_replayed,
  foreign_venue: m.scans_outcome_foreign_venue,
  venue_required: m.scanner_app_refusal_venue_required,
  staff_revoked: m.scans_outcome_staff_revoked,
  account_restricted: m.scans_outcome_account_restricted,
} satisfies Partial<Record<ScanOutcome, () => string>>;

export const OUTCOMES = Object.keys(TITLES) as ScanOutcome[];

export const outcomeTitle = (outcome: string): string => TITLES[outcome]?.() ?? inWords(outcome);

/** A forged code, or one that was shown twice, is suspicious. */
const ALARMING: ReadonlySet<ScanOutcome> = new Set(['invalid_signature', 'code_replayed']);

export const outcomeTone = (outcome: ScanOutcome): Tone =>
  outcome === 'ok' ? 'success' : ALARMING.has(outcome) ? 'danger' : 'neutral';
