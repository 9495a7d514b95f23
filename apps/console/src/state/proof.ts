/** The proof of presence. An action that needs one waits here until the dialog has it. */
import { createValue } from '@athos/app-core/value';

interface ProofAsked {
  /** Ends the wait, with a proof or without. */
  readonly settle: (isProved: boolean) => void;
}

export const proofAsked = createValue<ProofAsked | undefined>(undefined);

let waiting: Promise<boolean> | undefined;

/** Opens the dialog and resolves when it closes. Several actions at once wait for the same proof. */
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
