/** Fills a migrated database with the demo's data. Runs where DEMO is on, which a production start refuses. */
import { ConfigError, readConfig } from '../config/config.ts';
import { createDeps } from '../deps.ts';
import { createLog } from '../platform/log/log.ts';
import { seed } from './seed.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.isProduction || !config.isDemo) {
    throw new ConfigError(['DEMO: demo data is for demonstration only; set DEMO=1 to have it']);
  }
  const deps = createDeps(config, createLog(config.logLevel));
  try {
    await seed(deps);
  } finally {
    await deps.close();
  }
}

main().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError;
  const stack = error instanceof Error ? error.stack : undefined;
  process.stderr.write(`${isOurs ? error.message : (stack ?? String(error))}\n`);
  process.exitCode = 1;
});
