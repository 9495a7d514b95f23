/** Loaded into an API process before the program (`node --import`): its ledger takes turns with and without barriers. */
import { apiModule, replaceModules } from '../replace-modules.ts';

replaceModules([
  {
    original: apiModule('platform/database/early-commit.ts'),
    by: import.meta.resolve('./toggled-barrier.ts'),
  },
]);
