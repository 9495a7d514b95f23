/** Loaded into an API process before the program (`node --import`): after SIGUSR2 its ledger takes turns with and without barriers. */
import { API, place, replaceModules } from './replace-modules.ts';

replaceModules([
  {
    original: place(`${API}/platform/database/early-commit.ts`),
    by: place('toggled-barrier.ts'),
  },
]);
