/** The API process: reads the settings, builds the app, listens, closes. */
import { buildApp } from '../app.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { createDeps } from '../deps.ts';
import { createLog } from '../platform/log/log.ts';

const DRAIN_MS = 8_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const deps = createDeps(config, log);
  const app = await buildApp(deps);

  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    // A request that never ends must not hold the shutdown.
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    void app
      .close()
      .then(() => deps.close())
      .then(() => process.exit(0));
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);

  await app.listen({ host: config.host, port: config.port });
  process.stdout.write(`${JSON.stringify({ ready: true, url: config.publicUrl })}\n`);
}

function describeStartFault(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port of the API (PORT) is taken by another program. Choose another one or end that program.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFault(error)}\n`);
  process.exit(1);
});
