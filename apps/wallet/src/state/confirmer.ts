import { createValue } from '@athos/app-core/value';
import type { Problem } from '@athos/contract/problem';

type Confirmer = (problem: Problem) => Promise<string | undefined>;

/** Asks the user for a proof; `undefined` until the part of the app that does so is loaded. */
export const confirmer = createValue<Confirmer | undefined>(undefined);

/** Time limit for loading that part, which is fetched once the first screen is shown. */
const LOADED_WITHIN_MS = 10_000;

/** Asks the user for a proof. Resolves to `undefined` if they give none, or if they cannot be asked. */
export async function askForProof(problem: Problem): Promise<string | undefined> {
  if (confirmer.get() === undefined) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOADED_WITHIN_MS);
      const stop = confirmer.subscribe(() => {
        stop();
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return confirmer.get()?.(problem);
}
