/** The job process: sends mails, settles card payments, publishes the exchange rate, removes what has expired. */
import { createTasks, crontab } from '../capabilities.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { createDeps } from '../deps.ts';
import { startJobRunner } from '../platform/jobs/job-runner.ts';
import { startRatePublisher } from '../modules/rate/index.ts';
import { createLog } from '../platform/log/log.ts';

const DRAIN_MS = 8_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const deps = createDeps(config, log);
  const jobs = startJobRunner(deps, { tasks: createTasks(deps), crontab });
  const publisher = startRatePublisher(deps);

  let isClosing = false;
  const close = async (): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    // A job that never ends must not hold the shutdown; the next start takes it over.
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    await Promise.all([jobs.stop(), publisher.stop()]);
    await deps.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => void close());
  process.once('SIGINT', () => void close());

  await jobs.started;
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
}

main().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError;
  const stack = error instanceof Error ? error.stack : undefined;
  process.stderr.write(`${isOurs ? error.message : (stack ?? String(error))}\n`);
  process.exit(1);
});
