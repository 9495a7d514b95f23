/** Brings the database's schema up to date and ends. It runs before the other programs of a new version. */
import { ConfigError, readConfig } from '../config/config.ts';
import { migrate } from '../migrate.ts';
import { createLog } from '../platform/log/log.ts';

async function main(): Promise<void> {
  const { databaseUrl, logLevel } = readConfig(process.env);
  await migrate(databaseUrl, createLog(logLevel));
}

main().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError;
  const stack = error instanceof Error ? error.stack : undefined;
  process.stderr.write(`${isOurs ? error.message : (stack ?? String(error))}\n`);
  process.exitCode = 1;
});
