/**
 * Runs the jobs of the queue for as long as the process lives, and survives outages of the database. Jobs of a process that died
 * are taken over within seconds instead of graphile-worker's four hours.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Logger,
  parseCrontab,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import { connectTo } from '../database/address.ts';
import type { Clock } from '../clock.ts';
import { FollowingPool } from '../database/pool.ts';
import { watchPool } from '../database/pool-metrics.ts';
import { FailureAlarm } from './failure-alarm.ts';
import { keepJobsAlive, type OwnJobs } from './job-keeper.ts';
import { LANES, type Lane, type TasksByLane } from './lanes.ts';
import { OutageAlarm } from './outage-alarm.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { tracedTasks } from './traced-tasks.ts';

/** One connection per running job, one per lane for notifications, and one for the keeper's locks. */
const POOL_SIZE =
  Object.values(LANES).reduce((sum, count) => sum + count, 0) + Object.keys(LANES).length + 1;
/** Notifications announce new jobs; polling finds jobs that have become due. */
const POLL_INTERVAL_MS = 1_000;
const RETRY_PAUSE_MIN_MS = 200;
const RETRY_PAUSE_MAX_MS = 5_000;
/** Less than the time that an ending process has left (programs/run-program.ts). */
const FINISH_WITHIN_MS = 5_000;
/** Releases the jobs marked with these names, so that other workers can take them at once. */
const GIVE_BACK_SQL = 'select graphile_worker.force_unlock_workers($1::text[])';

export interface JobRunner {
  /** Resolves with the first connection to the queue. */
  readonly started: Promise<void>;
  /** Takes no more jobs and lets running ones finish, for a limited time. Other workers get the rest, so a job may run twice. */
  stop(): Promise<void>;
}

function createJobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const facts = scope.taskIdentifier === undefined ? {} : { task: scope.taskIdentifier };
    if (level === 'error') log.error(facts, message);
    else if (level === 'warning') log.warn(facts, message);
    // A line for every finished job is useful only in development.
    else log.debug(facts, message);
  });
}

function openPool(databaseUrl: string, log: Log): FollowingPool {
  const pool = new FollowingPool(
    {
      ...connectTo(databaseUrl),
      max: POOL_SIZE,
      application_name: 'athos-jobs',
      // Taking a job is a durable commit, and it follows the commit that enqueued the job. So no mail reports a change that could still be
      // lost.
      options: '-c synchronous_commit=on',
    },
    log,
  );
  const onLost = (error: Error): void => log.warn({ err: error }, 'a job connection was lost');
  pool.on('connect', (client) => client.on('error', onLost));
  releaseOnce(pool);
  return pool;
}

/**
 * graphile-worker 0.18.0 releases the connection on which it listens twice if it stops before LISTEN has failed. The pool throws at the
 * second release, in a promise that nothing awaits, which would end the process.
 */
function releaseOnce(pool: pg.Pool): void {
  type Callback = Parameters<typeof pool.connect>[0];
  const connect = pool.connect.bind(pool);
  const connectOnce = (callback?: Callback) => {
    if (callback === undefined) return connect();
    connect((error, client, release) => {
      // If no connection was available in time, there is no release function, contrary to the types of `pg`.
      let pending: typeof release | undefined = release;
      callback(error, client, (fault) => {
        pending?.(fault);
        pending = undefined;
      });
    });
  };
  pool.connect = connectOnce as typeof pool.connect;
}

interface RunnerDeps {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'jobsFailed' | 'poolConnections' | 'poolWaitSeconds'>;
  readonly clock: Clock;
  readonly config: { readonly databaseUrl: string };
}

interface JobRunnerOptions {
  readonly tasks: TasksByLane;
  readonly crontab: string;
  /** How long running jobs may take after the runner stops. */
  readonly finishWithinMs?: number;
}

export function startJobRunner(
  { log, metrics, clock, config }: RunnerDeps,
  { tasks, crontab, finishWithinMs = FINISH_WITHIN_MS }: JobRunnerOptions,
): JobRunner {
  const pool = openPool(config.databaseUrl, log);
  watchPool(metrics, 'jobs', pool);
  const own: OwnJobs = { names: new Set(), running: new Set() };
  const outage = new OutageAlarm(log, clock);
  const scheduled = parseCrontab(crontab).map(({ task }) => task);
  const failures = new FailureAlarm(log, clock, scheduled);
  const names = (Object.keys(LANES) as Lane[]).filter((name) => tasks[name] !== undefined);
  const lanes = names.map((name, index) =>
    startLane({
      name,
      tasks: tasks[name] ?? {},
      // The schedule is the same for all lanes, so the first enqueues the jobs of every lane.
      crontab: index === 0 ? crontab : '',
      pool,
      own,
      outage,
      failures,
      metrics,
      log,
    }),
  );
  const keeper = keepJobsAlive(pool, own, log);
  return {
    started: Promise.all(lanes.map(({ started }) => started)).then(() => undefined),
    async stop() {
      const finished = Promise.all(lanes.map((lane) => lane.stop()));
      const isFinished = await Promise.race([
        finished.then(() => true),
        pause(finishWithinMs, false, { ref: false }),
      ]);
      // Without a database, other workers take the jobs once this process has ended and its locks with it.
      if (!isFinished) await pool.query(GIVE_BACK_SQL, [[...own.names]]).catch(() => undefined);
      await keeper.stop();
      await (isFinished ? pool.end() : finished.then(() => pool.end()));
    },
  };
}

function noteOwn(events: WorkerEvents, { names, running }: OwnJobs): void {
  events.on('pool:create', ({ workerPool }) => names.add(workerPool.id));
  events.on('pool:release', ({ workerPool }) => names.delete(workerPool.id));
  events.on('job:start', ({ job }) => running.add(job));
  events.on('job:complete', ({ job }) => running.delete(job));
}

interface LaneOptions {
  readonly name: Lane;
  readonly tasks: TaskList;
  readonly crontab: string;
  readonly pool: pg.Pool;
  /** Kept up to date by all lanes. */
  readonly own: OwnJobs;
  readonly outage: OutageAlarm;
  readonly failures: FailureAlarm;
  readonly metrics: Pick<Metrics, 'jobsFailed'>;
  readonly log: Log;
}

/** Runs the jobs of one lane. It asks the queue only for its own tasks, so jobs of other lanes never take its slots. */
function startLane(options: LaneOptions): JobRunner {
  const { name, tasks, crontab, pool, own, outage, failures, metrics, log } = options;
  const stopping = new AbortController();
  const runners = new Set<Runner>();
  let pauseMs = RETRY_PAUSE_MIN_MS;
  let markStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });

  /**
   * Runs until fetching a job from the queue fails, then throws. graphile-worker would continue with stale state: it caches a failed read
   * of its own tables forever (0.18.0, `getTaskDetails`), and keeps a job assigned to it whose response was lost with the connection.
   */
  async function runUntilItFails(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    noteOwn(events, own);
    const isAnswering = (): void => {
      pauseMs = RETRY_PAUSE_MIN_MS;
      outage.answered();
    };
    events.on('worker:getJob:empty', isAnswering);
    events.on('job:start', isAnswering);
    events.on('job:error', ({ job }) => {
      metrics.jobsFailed.inc({ task: job.task_identifier });
      failures.failed(job);
    });
    events.on('job:success', ({ job }) => failures.succeeded(job));
    const failed = new Promise<never>((_resolve, reject) => {
      events.once('worker:getJob:error', ({ error }) => reject(error as Error));
    });
    // `failed` may reject before anything awaits it.
    failed.catch(() => undefined);
    const current = await run({
      pgPool: pool,
      taskList: tracedTasks(tasks),
      crontab,
      concurrency: LANES[name],
      // With the defaults, stopping does not wait until finished jobs are recorded, so they would run again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      logger: createJobLogger(log),
      events,
    });
    runners.add(current);
    markStarted();
    if (stopping.signal.aborted) return end(current);
    // The old runner's jobs finish while the next runner works, which may take as long as the database is down.
    await Promise.race([current.promise, failed]).finally(() => void end(current));
  }

  async function end(runner: Runner): Promise<void> {
    // Both throw only if the runner has already stopped on its own.
    await runner.stop().catch(() => undefined);
    await runner.promise.catch(() => undefined);
    runners.delete(runner);
  }

  async function runForEver(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runUntilItFails().catch((error: unknown) => {
        log.warn({ err: error, lane: name }, 'the job queue cannot be reached');
        outage.failed(error);
      });
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, RETRY_PAUSE_MAX_MS);
    }
  }

  const running = runForEver();
  return {
    started,
    async stop() {
      stopping.abort();
      await Promise.all([...runners].map(end));
      await running;
    },
  };
}
