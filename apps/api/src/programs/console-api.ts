/** The console's process, which serves staff and nothing of the wallet (`CONSOLE=own`). */
import { buildConsoleApp } from '../app.ts';
import { createDeps } from '../deps.ts';
import { requireNoDemoStaff } from '../modules/staff/index.ts';
import { requireOwnUse } from './database-use.sql.ts';
import { startHeartbeat } from '../platform/health/heartbeat.ts';
import { runProgram } from './run-program.ts';

runProgram('console', async (config, log, metrics) => {
  const deps = createDeps(config, log, { metrics, role: 'console' });
  await requireOwnUse(deps);
  await requireNoDemoStaff(deps);
  const app = await buildConsoleApp(deps);
  const { host, port, origin } = config.console;
  const heartbeat = startHeartbeat(deps, 'console');
  const listening = app.listen({ host, port });
  return {
    ready: listening.then(() => {
      // Other builds need these assets while processes are replaced one by one.
      if (config.isProduction) void deps.keptAssets.keep('console', config.console.staticDir);
      return { url: `${origin}/console` };
    }),
    async close() {
      await deps.drain.begin();
      await app.close();
      await heartbeat.stop();
      await deps.close();
    },
  };
});
