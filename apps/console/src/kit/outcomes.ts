import type { AuditOutcome } from '@athos/contract/console/audit';
import { m } from '@athos/messages/messages';
import type { Tone } from './badge.tsx';

export const OUTCOME_TITLES: Readonly<Record<AuditOutcome, () => string>> = {
  done: m.console_outcome_done,
  requested: m.console_outcome_requested,
  refused: m.console_outcome_refused,
  failed: m.console_outcome_failed,
};

export const OUTCOME_TONES: Readonly<Record<AuditOutcome, Tone>> = {
  done: 'success',
  requested: 'info',
  refused: 'neutral',
  failed: 'danger',
};
