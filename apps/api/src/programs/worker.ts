/** The worker process: sends mails, settles card payments, publishes the exchange rate and prunes expired rows. */
import { createTasks, crontab } from '../capabilities.ts';
import { createDeps } from '../deps.ts';
import { startRatePublisher } from '../modules/rate/index.ts';
import { startJobRunner } from '../platform/jobs/job-runner.ts';
import { startHeartbeat } from '../platform/health/heartbeat.ts';
import { runProgram } from './run-program.ts';

runProgram((config, log) => {
  const deps = createDeps(config, log);
  const jobs = startJobRunner(deps, { tasks: createTasks(deps), crontab });
  const publisher = startRatePublisher(deps);
  const heartbeat = startHeartbeat(deps, 'worker');
  return Promise.resolve({
    ready: jobs.started.then(() => ({})),
    async close() {
      await Promise.all([jobs.stop(), publisher.stop()]);
      await heartbeat.stop();
      await deps.close();
    },
  });
});
