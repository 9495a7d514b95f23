import { Button } from '@athos/ui/primitives/button';
import type { Phase } from './use-submission.ts';

/** A form's primary action. Its label shows the state, and it is disabled unless the form is idle. */
export function SubmitButton({ phase, labels }: { phase: Phase; labels: Record<Phase, string> }) {
  return (
    <Button
      type="submit"
      isWide
      isPending={phase === 'submitting'}
      isDisabled={phase === 'submitted'}
    >
      <span aria-live="polite">{labels[phase]}</span>
    </Button>
  );
}
