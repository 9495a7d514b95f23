/** The proof of presence. An action that requires one waits here until the dialog has it. */
import { createValue } from '@athos/app-core/value';

interface ProofAsked {
  /** Ends the wait, with or without a proof. */
  readonly settle: (isProved: boolean) => void;
}

export const proofAsked = createValue<ProofAsked | undefined>(undefined);

let waiting: Promise<boolean> | undefined;

/** Cancels what waits for a proof. Called when the session ends, because the proof of whoever signs in next is not for it. */
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
