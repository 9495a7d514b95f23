/**
 * Loaded into an API process before the program (`node --import`): its transactions wait for their own commits, and work that decision 0041
 * gathered into batches runs alone again. Early commits are compared with this.
 */
import { apiModule, replaceModules } from '../replace-modules.ts';

replaceModules([
  {
    original: apiModule('platform/database/early-commit.ts'),
    by: import.meta.resolve('./waiting-commit.ts'),
  },
  {
    original: apiModule('platform/database/notifications.ts'),
    by: import.meta.resolve('./silent-notifications.ts'),
    importers: [apiModule('deps.ts')],
  },
  {
    original: apiModule('platform/database/batcher.ts'),
    by: import.meta.resolve('./lone-batcher.ts'),
    importers: [
      apiModule('modules/transfers/pay-together.ts'),
      apiModule('modules/campaigns/guess-limits.ts'),
      apiModule('modules/tickets/read-facts.ts'),
    ],
  },
]);
