/**
 * Runs the jobs of the queue for as long as the process lives. A database that goes away is waited for; jobs that were in
 * the hands of a process that died are taken over within seconds, not after the queue's own four hours.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { keepJobsAlive } from './job-keeper.ts';
import type { Log } from '../log/log.ts';

/** Mails and calls to the card provider: jobs wait for others most of their time. */
const JOBS_AT_ONCE = 4;
/** A new job is announced by notification; polling finds those whose time has come. */
const POLL_INTERVAL_MS = 1_000;
const RETRY_PAUSE_MIN_MS = 200;
const RETRY_PAUSE_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * The queue's own statements take milliseconds. Without an end, a connection that the network has swallowed would be waited on
 * for hours, and with it mails and card credits.
 */
const STATEMENT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 4_000;

export interface JobRunner {
  /** Resolves when the first connection to the queue stands. */
  readonly started: Promise<void>;
  /** Lets the jobs under way end and takes no more. */
  stop(): Promise<void>;
}

function createJobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const facts = scope.taskIdentifier === undefined ? {} : { task: scope.taskIdentifier };
    if (level === 'error') log.error(facts, message);
    else if (level === 'warning') log.warn(facts, message);
    // Every job that ends says so: of use to nobody but a developer.
    else log.debug(facts, message);
  });
}

function openPool(databaseUrl: string, log: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    // One for notifications, one for the keeper's lock.
    max: JOBS_AT_ONCE + 2,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // With `pipeline` a query that times out ends its connection.
    pipeline: true,
    keepAlive: true,
    application_name: 'athos-worker',
  });
  const onLost = (error: Error): void => log.warn({ err: error }, 'a job connection was lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

interface RunnerDeps {
  readonly log: Log;
  readonly config: { readonly databaseUrl: string };
}

export function startJobRunner(
  { log, config }: RunnerDeps,
  { tasks, crontab }: { readonly tasks: TaskList; readonly crontab: string },
): JobRunner {
  const pool = openPool(config.databaseUrl, log);
  const poolIds = new Set<string>();
  const stopping = new AbortController();
  const runners = new Set<Runner>();
  let pauseMs = RETRY_PAUSE_MIN_MS;
  let markStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });

  /**
   * Throws when the queue could not be asked for a job. The queue itself would go on, but with what it remembers: a failed look
   * at its own tables for ever (graphile-worker 0.18.0, `getTaskDetails`), and a job as its own that was given to it on a
   * connection that died with the answer.
   */
  async function runUntilItFails(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => poolIds.add(workerPool.id));
    events.on('pool:release', ({ workerPool }) => poolIds.delete(workerPool.id));
    const isAnswering = (): void => {
      pauseMs = RETRY_PAUSE_MIN_MS;
    };
    events.on('worker:getJob:empty', isAnswering);
    events.on('job:start', isAnswering);
    const failed = new Promise<never>((_resolve, reject) => {
      events.once('worker:getJob:error', ({ error }) => reject(error as Error));
    });
    // It may come before anybody waits for it.
    failed.catch(() => undefined);
    const current = await run({
      pgPool: pool,
      taskList: tasks,
      crontab,
      concurrency: JOBS_AT_ONCE,
      // Without batches a job that ended is recorded in passing, and a stop does not wait for that: it would run again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      logger: createJobLogger(log),
      events,
    });
    runners.add(current);
    markStarted();
    if (stopping.signal.aborted) return end(current);
    // What it still works on ends beside the next one: while the database is away, that may take as long as that is.
    await Promise.race([current.promise, failed]).finally(() => void end(current));
  }

  async function end(runner: Runner): Promise<void> {
    // They throw only where it stopped by itself already.
    await runner.stop().catch(() => undefined);
    await runner.promise.catch(() => undefined);
    runners.delete(runner);
  }

  async function runForEver(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runUntilItFails().catch((error: unknown) => {
        log.warn({ err: error }, 'the job queue cannot be reached');
      });
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, RETRY_PAUSE_MAX_MS);
    }
  }

  const running = runForEver();
  const keeper = keepJobsAlive(pool, poolIds, log);
  return {
    started,
    async stop() {
      stopping.abort();
      await Promise.all([...runners].map(end));
      await running;
      await keeper.stop();
      await pool.end();
    },
  };
}
