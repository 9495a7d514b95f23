/** Fills a migrated database with the demo's data. Runs only if DEMO is on, which the API refuses in production. */
import { brand } from '@athos/brand/brand';
import { ConfigError, type Config } from '../config/config.ts';
import { createDeps, type Deps } from '../deps.ts';
import { runProgram } from '../programs/run-program.ts';
import { HISTORY_DAYS, writeHistory } from './history/history.ts';
import { importIntoSandbox } from './history/sandbox-import.ts';
import { seedBalances, seedShop } from './seed.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The past is created only on an empty ledger, and only with the sandbox, since past payments can be imported into no other provider. */
const isHistoryDue = async (config: Config, { ledger }: Deps): Promise<boolean> =>
  config.hasDemoHistory && config.stripe.isSandbox && (await ledger.postedAt()) === undefined;

runProgram('seed', async (config, log) => {
  if (config.isProduction || !config.isDemo) {
    throw new ConfigError(['DEMO: demo data is for demonstration only; set DEMO=1 to have it']);
  }
  const deps = createDeps(config, log);
  try {
    if (await isHistoryDue(config, deps)) {
      const endMs = deps.clock.nowMs();
      const beginMs = endMs - (HISTORY_DAYS + 1) * DAY_MS;
      const userIds = await seedShop(deps, { nowMs: () => beginMs });
      const options = { words: brand.name, endMs, dayCount: HISTORY_DAYS };
      await importIntoSandbox(config.stripe.apiUrl, await writeHistory(config, log, options));
      await seedBalances(deps, userIds);
    } else await seedBalances(deps, await seedShop(deps));
  } finally {
    await deps.close();
  }
});
