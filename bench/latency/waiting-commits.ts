/**
 * Loaded into an API process before the program (`node --import`): its transactions wait for their own commits, and work that decision 0041
 * gathered into batches runs alone again. Early commits are compared with this.
 */
import { API, place, replaceModules } from './replace-modules.ts';

replaceModules([
  {
    original: place(`${API}/platform/database/early-commit.ts`),
    by: place('waiting-commit.ts'),
  },
  {
    original: place(`${API}/platform/database/notifications.ts`),
    by: place('silent-notifications.ts'),
    importers: [place(`${API}/deps.ts`)],
  },
  {
    original: place(`${API}/platform/database/batcher.ts`),
    by: place('lone-batcher.ts'),
    importers: [
      place(`${API}/modules/transfers/pay-together.ts`),
      place(`${API}/modules/campaigns/guess-limits.ts`),
      place(`${API}/modules/tickets/read-facts.ts`),
    ],
  },
]);
