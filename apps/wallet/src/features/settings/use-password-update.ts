import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { useEffect, useRef, useState } from 'react';
import { updatePassword } from '../../api/password.ts';

/** Spec 4 and 9: how long 'Updated!' is shown before the fields are cleared. */
const UPDATED_SHOWN_MS = 1000;

type Phase = 'idle' | 'submitting' | 'submitted';

interface Draft {
  readonly oldPassword: string;
  readonly newPassword: string;
  /** The key of these passwords, kept over retries. */
  readonly key: string;
}

const emptyDraft = (): Draft => ({ oldPassword: '', newPassword: '', key: newIdempotencyKey() });

export interface PasswordUpdate {
  readonly phase: Phase;
  readonly draft: Draft;
  change: (part: Partial<Omit<Draft, 'key'>>) => void;
  /** Ignored unless idle. Shows its own failure. */
  submit: () => Promise<void>;
}

/** The password form (spec 4): idle, submitting, submitted, then idle with empty fields. A failure returns to idle. */
export function usePasswordUpdate(): PasswordUpdate {
  const [phase, setPhase] = useState<Phase>('idle');
  const [draft, setDraft] = useState(emptyDraft);
  // A ref, because several submits at the same moment would all see the same state.
  const isBusy = useRef(false);

  useEffect(() => {
    if (phase !== 'submitted') return;
    const timer = setTimeout(() => {
      setDraft(emptyDraft());
      setPhase('idle');
      isBusy.current = false;
    }, UPDATED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [phase]);

  async function submit(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setPhase('submitting');
    const isUpdated = await updatePassword(draft);
    setPhase(isUpdated ? 'submitted' : 'idle');
    isBusy.current = isUpdated;
  }

  return {
    phase,
    draft,
    change: (part) => setDraft({ ...draft, ...part, key: newIdempotencyKey() }),
    submit,
  };
}
