/**
 * Loaded into an API process before the program (`node --import`): its sends take turns between the ledger in its database and that in the
 * database `BENCH_OTHER_DATABASE_URL`, which has the same users and a journal in one table.
 */
import { apiModule, replaceModules } from '../replace-modules.ts';

replaceModules([
  {
    original: apiModule('ledger/index.ts'),
    by: import.meta.resolve('./toggled-ledger.ts'),
    importers: [apiModule('deps.ts')],
  },
]);
