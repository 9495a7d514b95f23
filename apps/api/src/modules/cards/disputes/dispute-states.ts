/** The meaning of the provider's dispute statuses for us. */

/** `closed` means decided in our favour or withdrawn. `lost` may still become `closed` by an appeal. */
export type DisputePhase = 'inquiry' | 'open' | 'closed' | 'lost';

const PHASES: Readonly<Record<string, DisputePhase>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'closed',
  prevented: 'closed',
  warning_closed: 'closed',
  lost: 'lost',
};

/** `undefined` for an unknown status, which counts as open. */
export const knownPhaseOf = (status: string): DisputePhase | undefined => PHASES[status];

export const phaseOf = (status: string): DisputePhase => knownPhaseOf(status) ?? 'open';

/** Whether evidence can be sent. */
export const awaitsEvidence = (status: string): boolean => status.endsWith('needs_response');
