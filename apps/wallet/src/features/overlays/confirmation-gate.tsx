import type { Problem } from '@athos/contract/problem';
import { lazy, Suspense, useEffect, useState } from 'react';
import { confirmer } from '../../state/confirmer.ts';

const ConfirmationSheet = lazy(async () => ({
  default: (await import('./confirmation-sheet.tsx')).ConfirmationSheet,
}));

interface Asked {
  readonly problem: Problem;
  readonly answer: (confirmation: string | undefined) => void;
}

/** Asks the user for a proof whenever the server requires one. Only one act at a time is asked about; a second one gets no proof. */
export function ConfirmationGate() {
  const [asked, setAsked] = useState<Asked>();

  useEffect(() => {
    let current: Asked | undefined;
    confirmer.set((problem) => {
      if (current !== undefined) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const answer = (confirmation: string | undefined): void => {
          current = undefined;
          setAsked(undefined);
          resolve(confirmation);
        };
        current = { problem, answer };
        setAsked(current);
      });
    });
    return () => {
      confirmer.set(undefined);
      current?.answer(undefined);
    };
  }, []);

  if (asked === undefined) return null;
  return (
    <Suspense>
      <ConfirmationSheet problem={asked.problem} onAnswer={asked.answer} />
    </Suspense>
  );
}
