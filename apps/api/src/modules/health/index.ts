/** The door of health: whether this process is ready for requests, and alarms about the database. */
import type { FastifyInstance } from 'fastify';
import type { Capability, WaitingSource } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Drain } from '../../platform/health/drain.ts';
import { registerJobConsole, type JobConsoleDeps } from './jobs.console.routes.ts';
import { registerSystemConsole } from './system.console.routes.ts';
import { healthCrontab, createHealthTasks } from './watch.tasks.ts';
import { countFailedJobs, isMigrationApplied } from './watch.sql.ts';

export { watchObserved } from './observed-metrics.ts';
export { isMigrationApplied };

/** The maximum that is counted. */
const FAILED_JOBS_MAX = 100;
const OPTIONS = { schema: { hide: true }, config: { answersData: true } } as const;

interface ReadyDeps {
  readonly db: Db;
  readonly drain: Drain;
  readonly newestMigration: string;
}

/**
 * `/healthz` responds if the process runs; the wallet polls it while the network seems to be lost. `/readyz` responds once the schema is
 * as new as the program, and from then on whatever the state of the database: all processes share it, so a load balancer that removed
 * each of them during a failover, or on a read-only server, would have no process left. `/readyz` no longer responds once the process was
 * asked to stop.
 */
function registerRoutes(app: FastifyInstance, { db, drain, newestMigration }: ReadyDeps): void {
  app.get('/healthz', OPTIONS, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );

  let isSchemaNew = false;
  // Concurrent requests share one query, so a crowd cannot occupy the database's connections.
  let check: Promise<boolean> | undefined;
  app.get('/readyz', OPTIONS, async (_request, reply) => {
    if (drain.isDraining()) throw new AppError('try_again', { detail: 'The process is ending.' });
    if (!isSchemaNew) {
      check ??= isMigrationApplied(db, newestMigration).finally(() => {
        check = undefined;
      });
      isSchemaNew = await check.catch((error: unknown) => {
        throw new AppError('try_again', { detail: 'The database does not answer.', cause: error });
      });
    }
    if (!isSchemaNew)
      throw new AppError('try_again', { detail: 'The schema is not migrated yet.' });
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}

/** Jobs that used up their attempts. They are kept for a month. */
const failedJobs: WaitingSource<{ readonly db: Db }> = {
  kind: 'failed_jobs',
  permission: 'jobs.read',
  async count({ db }) {
    const count = await countFailedJobs(db, FAILED_JOBS_MAX);
    return { count, isAtLeast: count === FAILED_JOBS_MAX };
  },
};

function registerConsoleRoutes(app: FastifyInstance, deps: JobConsoleDeps): void {
  registerJobConsole(app, deps);
  registerSystemConsole(app, deps);
}

export const health = {
  registerConsoleRoutes,
  waiting: [failedJobs],
  registerRoutes,
  createTasks: createHealthTasks,
  crontab: healthCrontab,
} satisfies Capability;
