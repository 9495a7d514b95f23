/** The API process, which serves the apps over HTTP, and with `CONSOLE=with_api` also the console. */
import { buildApp } from '../app.ts';
import { createDeps } from '../deps.ts';
import { requireNoDemoStaff } from '../modules/staff/index.ts';
import { requireOwnUse } from './database-use.sql.ts';
import { startHeartbeat } from '../platform/health/heartbeat.ts';
import { runProgram } from './run-program.ts';

runProgram('api', async (config, log, metrics) => {
  const deps = createDeps(config, log, { metrics, role: 'api' });
  await requireOwnUse(deps);
  if (config.console.mode === 'with_api') await requireNoDemoStaff(deps);
  const app = await buildApp(deps);
  const { staticDir, scannerStaticDir, console: own } = config;
  // The builds are stored after the process listens, and without waiting: a slow bucket must not delay a roll.
  const keepBuilds = async (): Promise<void> => {
    if (!config.isProduction) return;
    await deps.keptAssets.keep('wallet', staticDir);
    await deps.keptAssets.keep('scanner', scannerStaticDir);
    if (own.mode === 'with_api') await deps.keptAssets.keep('console', own.staticDir);
  };
  const heartbeat = startHeartbeat(deps, 'api');
  const listening = heartbeat.first.then(() =>
    app.listen({ host: config.host, port: config.port }),
  );
  return {
    ready: listening.then(() => {
      void keepBuilds();
      return { url: config.publicUrl };
    }),
    async close() {
      await deps.drain.begin();
      await app.close();
      await heartbeat.stop();
      await deps.close();
    },
  };
});
