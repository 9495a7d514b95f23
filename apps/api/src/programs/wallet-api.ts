/** The API process, which serves the apps over HTTP, and with `CONSOLE=with_api` the console. */
import { buildApp } from '../app.ts';
import { createDeps } from '../deps.ts';
import { requireNoDemoStaff } from '../modules/staff/index.ts';
import { requireOwnUse } from './database-use.sql.ts';
import { startHeartbeat } from '../platform/health/heartbeat.ts';
import { runProgram } from './run-program.ts';

runProgram(async (config, log, metrics) => {
  const deps = createDeps(config, log, { metrics });
  await requireOwnUse(deps);
  if (config.console.mode === 'with_api') await requireNoDemoStaff(deps);
  const app = await buildApp(deps);
  const heartbeat = startHeartbeat(deps, 'api');
  const listening = heartbeat.first.then(() =>
    app.listen({ host: config.host, port: config.port }),
  );
  return {
    ready: listening.then(() => ({ url: config.publicUrl })),
    async close() {
      await deps.drain.begin();
      await app.close();
      await heartbeat.stop();
      await deps.close();
    },
  };
});
