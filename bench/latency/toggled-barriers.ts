/** Loaded into an API process before the program (`node --import`): SIGUSR2 toggles the barriers of its ledger. */
import { API, place, replaceModules } from './replace-modules.ts';

replaceModules([
  {
    original: place(`${API}/platform/database/early-commit.ts`),
    by: place('toggled-barrier.ts'),
  },
]);
