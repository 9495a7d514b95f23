/**
 * The worker process: sends mails, settles card payments, posts held sends, seals the journal, publishes the exchange rate and prunes
 * expired rows.
 */
import { createTasks, crontab } from '../capabilities.ts';
import { createDeps } from '../deps.ts';
import { startHeadAnchor } from '../modules/bookkeeping/index.ts';
import { watchObserved } from '../modules/health/index.ts';
import { startRatePublisher } from '../modules/rate/index.ts';
import { startSealing, watchSeals } from '../modules/receipts/index.ts';
import { startPostingHolds, watchHolds } from '../modules/transfers/index.ts';
import { openPatiently } from '../platform/database/primary-client.ts';
import { startJobRunner } from '../platform/jobs/job-runner.ts';
import { requireOwnUse } from './database-use.sql.ts';
import { watchQueue } from '../platform/jobs/queue-metrics.ts';
import { startHeartbeat } from '../platform/health/heartbeat.ts';
import { runProgram } from './run-program.ts';
import { waitForSchema } from './wait-for-schema.ts';

type WorkerDeps = ReturnType<typeof createDeps>;

/** Starts the jobs and the rounds. */
function beginWork(deps: WorkerDeps) {
  const { metrics } = deps;
  const jobs = startJobRunner(deps, { tasks: createTasks(deps), crontab });
  watchQueue(metrics, deps.db);
  watchObserved(metrics, deps.db);
  watchHolds(metrics, deps);
  watchSeals(metrics, deps);
  const rounds = [
    startRatePublisher(deps),
    startHeadAnchor(deps),
    startPostingHolds(deps),
    startSealing(deps),
  ];
  return {
    started: jobs.started,
    async stop() {
      await Promise.all([jobs.stop(), ...rounds.map((round) => round.stop())]);
    },
  };
}

runProgram('worker', async (config, log, metrics) => {
  openPatiently(config.databaseUrl);
  const deps = createDeps(config, log, { metrics, role: 'worker' });
  await requireOwnUse(deps);
  const heartbeat = startHeartbeat(deps, 'worker');
  const ending = new AbortController();
  let work: ReturnType<typeof beginWork> | undefined;
  const begun = waitForSchema(deps, ending.signal).then((isNew) => {
    if (isNew) work = beginWork(deps);
    return work;
  });
  return {
    isAskedOnMetricsPort: true,
    // A worker that ends while it waits never becomes ready.
    ready: begun.then(async (own) => {
      await (own?.started ?? new Promise<never>(() => undefined));
      return {};
    }),
    async close() {
      ending.abort();
      await work?.stop();
      await heartbeat.stop();
      await deps.close();
    },
  };
});
