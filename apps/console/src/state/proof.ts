/** The proof of presence: an action that needs one waits here until the dialog has it. */
import { createValue } from '@athos/app-core/value';

interface ProofAsked {
  /** Ends the wait: the person has proved that it is them, or has given up. */
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
