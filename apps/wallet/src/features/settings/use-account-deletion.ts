import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { deleteAccount, forgetAnswers, type DeletionRefusal } from '../../api/account-deletion.ts';
import { paths } from '../../routes/paths.ts';
import { forgetAccount } from '../../state/forget-account.ts';

type Phase = 'idle' | 'confirming' | 'submitting' | 'submitted';

interface Draft {
  readonly password: string;
  /** The key of this password, kept over retries. */
  readonly key: string;
}

export interface AccountDeletion {
  readonly phase: Phase;
  readonly password: string;
  /** Why the last attempt was refused; cleared by the next one. */
  readonly refusal: DeletionRefusal | undefined;
  changePassword: (password: string) => void;
  /** Asks for confirmation. Ignored unless idle. */
  ask: () => void;
  /** Handles 'No'. */
  cancel: () => void;
  /** Handles 'Yes'. Ignored unless confirming. */
  confirm: () => Promise<void>;
}

/** The deletion form (spec 4): idle, confirming, submitting, submitted. 'No' and a failure return to idle. */
export function useAccountDeletion(): AccountDeletion {
  const [phase, setPhase] = useState<Phase>('idle');
  const [draft, setDraft] = useState<Draft>(() => ({ password: '', key: newIdempotencyKey() }));
  const [refusal, setRefusal] = useState<DeletionRefusal>();
  const navigate = useNavigate();

  const isDeleted = useRef(false);
  const isGone = useRef(false);

  // The cache is cleared after the screen has unmounted, because a mounted screen would fetch its queries again.
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (isDeleted.current) void forgetAnswers();
    };
  }, []);

  async function confirm(): Promise<void> {
    if (phase !== 'confirming') return;
    setPhase('submitting');
    const outcome = await deleteAccount(draft);
    if (outcome !== 'deleted') {
      setPhase('idle');
      if (outcome !== 'failed' && outcome !== 'ignored') setRefusal(outcome);
      return;
    }
    setPhase('submitted');
    isDeleted.current = true;
    forgetAccount();
    // The user has opened another screen in the meantime.
    if (isGone.current) void forgetAnswers();
    toasts.show('success', m.settings_delete_done(), 5000);
    void navigate(paths.getStarted, { replace: true });
  }

  return {
    phase,
    password: draft.password,
    refusal,
    changePassword: (password) => setDraft({ password, key: newIdempotencyKey() }),
    ask() {
      if (phase !== 'idle') return;
      setRefusal(undefined);
      setPhase('confirming');
    },
    cancel: () => setPhase('idle'),
    confirm,
  };
}
