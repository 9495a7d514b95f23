/** The proof of presence. An action that requires one waits here until the dialog has it. */
import { createValue } from '@athos/app-core/value';

interface ProofAsked {
  /** Ends the wait, with or without a proof. */
  readonly settle: (isProved: boolean) => void;
}

export const proofAsked = createValue<ProofAsked | undefined>(undefined);

let waiting: Promise<boolean> | undefined;

/** Cancels the act that waits for a proof. Call it when the session ends: otherwise the proof of the next person would send the act. */
export const abandonProof = (): void => proofAsked.get()?.settle(false);

/** Opens the dialog and resolves when it closes. Simultaneous actions wait for the same proof. */
export function askProof(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    proofAsked.set({
      settle(isProved) {
        waiting = undefined;
        proofAsked.set(undefined);
        resolve(isProved);
      },
    });
  });
  return waiting;
}
