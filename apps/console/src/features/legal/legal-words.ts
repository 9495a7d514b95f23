import type { LegalKind } from '@athos/contract/legal';
import type { LegalFault } from '@athos/domain/legal-text';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

export type LegalVersion = AdminAnswer<'legalTextVersion'>;
export type LegalTexts = AdminAnswer<'legalTexts'>;

export const KIND_TITLES: Readonly<Record<LegalKind, () => string>> = {
  terms: m.legal_terms,
  privacy: m.legal_privacy,
  deletion: m.legal_deletion,
};

type State = LegalVersion['state'];

export const STATES: Readonly<Record<State, { title: () => string; tone: Tone }>> = {
  draft: { title: m.legal_state_draft, tone: 'neutral' },
  scheduled: { title: m.legal_state_scheduled, tone: 'info' },
  current: { title: m.legal_state_in_force, tone: 'success' },
  replaced: { title: m.legal_state_replaced, tone: 'neutral' },
};

export const FAULTS: Readonly<Record<LegalFault, () => string>> = {
  no_intro: m.legal_fault_no_intro,
  no_sections: m.legal_fault_no_sections,
  empty_section: m.legal_fault_empty_section,
  long_heading: m.legal_fault_long_heading,
};
