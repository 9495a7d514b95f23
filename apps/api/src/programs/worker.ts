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

runProgram('worker', async (config, log, metrics) => {
  openPatiently(config.databaseUrl);
  const deps = createDeps(config, log, { metrics, role: 'worker' });
  await requireOwnUse(deps);
  const jobs = startJobRunner(deps, { tasks: createTasks(deps), crontab });
  watchQueue(metrics, deps.db);
  watchObserved(metrics, deps.db);
  watchHolds(metrics, deps);
  watchSeals(metrics, deps);
  const publisher = startRatePublisher(deps);
  const anchor = startHeadAnchor(deps);
  const posting = startPostingHolds(deps);
  const sealing = startSealing(deps);
  const heartbeat = startHeartbeat(deps, 'worker');
  return {
    ready: jobs.started.then(() => ({})),
    async close() {
      const rounds = [publisher, anchor, posting, sealing];
      await Promise.all([jobs.stop(), ...rounds.map((round) => round.stop())]);
      await heartbeat.stop();
      await deps.close();
    },
  };
});
