import { useState } from 'react';

/** Spec 4: the states of every form under /auth. A failure returns it to idle. */
export type Phase = 'idle' | 'submitting' | 'submitted';

/**
 * `submit` does nothing unless the form is idle. `action` shows its own failure and resolves to whether it succeeded.
 */
export function useSubmission(action: () => Promise<boolean>): [Phase, () => Promise<void>] {
  const [phase, setPhase] = useState<Phase>('idle');

  async function submit(): Promise<void> {
    if (phase !== 'idle') return;
    setPhase('submitting');
    setPhase((await action()) ? 'submitted' : 'idle');
  }

  return [phase, submit];
}
