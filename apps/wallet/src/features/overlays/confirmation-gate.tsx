import type { Problem } from '@athos/contract/problem';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useEffect, useState } from 'react';
import { confirmer } from '../../state/confirmer.ts';

/** Not with `lazy`, which keeps a failure: the next act would find it again, and its error would replace the whole app. */
const loadSheet = () =>
  import('./confirmation-sheet.tsx').then(
    ({ ConfirmationSheet }) => ConfirmationSheet,
    () => undefined,
  );

type Answer = (confirmation: string | undefined) => void;

interface Asked {
  readonly Sheet: NonNullable<Awaited<ReturnType<typeof loadSheet>>>;
  readonly problem: Problem;
  readonly answer: Answer;
}

/**
 * Asks the user for a proof whenever the server requires one. Only one act at a time is asked about; a second one gets no proof, and neither
 * does one for which the sheet cannot be loaded.
 */
export function ConfirmationGate() {
  const [asked, setAsked] = useState<Asked>();

  useEffect(() => {
    let current: Answer | undefined;
    confirmer.set((problem) => {
      if (current !== undefined) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const answer: Answer = (confirmation) => {
          current = undefined;
          setAsked(undefined);
          resolve(confirmation);
        };
        current = answer;
        void loadSheet().then((Sheet) => {
          // The session ended meanwhile.
          if (current !== answer) return;
          if (Sheet !== undefined) {
            setAsked({ Sheet, problem, answer });
            return;
          }
          toasts.show('danger', m.security_confirm_not_loaded(), 5000);
          answer(undefined);
        });
      });
    });
    return () => {
      confirmer.set(undefined);
      current?.(undefined);
    };
  }, []);

  if (asked === undefined) return null;
  const { Sheet, problem, answer } = asked;
  return <Sheet problem={problem} onAnswer={answer} />;
}
