/** The API process, which serves everything over HTTP. */
import { buildApp } from '../app.ts';
import { createDeps } from '../deps.ts';
import { runProgram } from './run-program.ts';

runProgram(async (config, log) => {
  const deps = createDeps(config, log);
  const app = await buildApp(deps);
  const listening = app.listen({ host: config.host, port: config.port });
  return {
    ready: listening.then(() => ({ url: config.publicUrl })),
    async close() {
      await app.close();
      await deps.close();
    },
  };
});
