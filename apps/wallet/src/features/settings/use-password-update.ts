import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { useEffect, useRef, useState } from 'react';
import { updatePassword } from '../../api/password.ts';

/** Spec 4 and 9: 'Updated!' shows for this long before the fields clear. */
const UPDATED_SHOWN_MS = 1000;

type Phase = 'idle' | 'submitting' | 'submitted';

interface Draft {
  readonly oldPassword: string;
  readonly newPassword: string;
  /** Of this pair of passwords, over all its repeats. */
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

/** Changing the password (spec 4): idle, submitting, submitted, and idle again with empty fields; idle on failure. */
export function usePasswordUpdate(): PasswordUpdate {
  const [phase, setPhase] = useState<Phase>('idle');
  const [draft, setDraft] = useState(emptyDraft);
  // Submits of one moment all see the same phase.
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
