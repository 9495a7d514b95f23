/** Fills a migrated database with the demo's data. Runs only if DEMO is on, which the API refuses in production. */
import { ConfigError } from '../config/config.ts';
import { createDeps } from '../deps.ts';
import { runProgram } from '../programs/run-program.ts';
import { seed } from './seed.ts';

runProgram(async (config, log) => {
  if (config.isProduction || !config.isDemo) {
    throw new ConfigError(['DEMO: demo data is for demonstration only; set DEMO=1 to have it']);
  }
  const deps = createDeps(config, log);
  try {
    await seed(deps);
  } finally {
    await deps.close();
  }
  return undefined;
});
