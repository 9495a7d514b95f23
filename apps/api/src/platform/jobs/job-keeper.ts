/**
 * Frees the jobs of processes that died, and keeps those of a process that lives. Each process holds an advisory lock for the name with which it marks its jobs, and the
 * database releases the lock however the process dies. Jobs marked with a name whose lock nobody holds are freed.
 * A failover of the database releases all locks, so a job of a process that lives may be freed before it has its lock again, and run twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log/log.ts';

const INTERVAL_MS = 10_000;
/** How often the keeper checks for added or removed names, which must not wait for the interval. */
const LOOK_INTERVAL_MS = 1_000;
/** Grace period: a process may mark its first jobs shortly before it holds its lock. */
const MARKED_FOR_SECONDS = 10;
/** An arbitrary constant, the namespace of these advisory locks. */
export const LOCK_SPACE = 721_430_003;

const HOLD_SQL = 'select pg_advisory_lock($1, hashtext(name)) from unnest($2::text[]) as name';
const LET_GO_SQL = 'select pg_advisory_unlock($1, hashtext(name)) from unnest($2::text[]) as name';
const ABANDONED_SQL = `
  with marked as materialized (
    select locked_by from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - make_interval(secs => $3)
    union
    select locked_by from graphile_worker._private_job_queues
    where locked_by is not null and locked_at < now() - make_interval(secs => $3)
  )
  select locked_by as name from marked
  where locked_by <> all ($2::text[]) and pg_try_advisory_xact_lock($1, hashtext(locked_by))`;
/**
 * graphile-worker frees whatever was marked more than four hours ago. A job that runs for longer, such as the walk of a large ledger, would be
 * run by one process after the other, until they did nothing else. Its queue is marked on its own, and freed on its own: the next job of the
 * queue would run beside it. A job that bears our name and does not run here, because its assignment was lost with the connection, is not
 * renewed, so that it is freed in the end.
 */
const RENEW_SQL = `
  with running as materialized (
    select id, job_queue_id from graphile_worker._private_jobs
    where id = any ($2::bigint[]) and locked_by = any ($1::text[])
  ), jobs as (
    update graphile_worker._private_jobs set locked_at = now()
    where id in (select id from running) and locked_at < now() - interval '1 hour'
  )
  update graphile_worker._private_job_queues set locked_at = now()
  where id in (select job_queue_id from running) and locked_by = any ($1::text[])
    and locked_at < now() - interval '1 hour'`;
const FREE_SQL = 'select graphile_worker.force_unlock_workers($1::text[])';

/** Returns the names of the processes whose jobs were freed. */
async function freeAbandonedJobs(client: pg.PoolClient, ownNames: string[]): Promise<string[]> {
  await client.query('begin');
  const found = await client.query<{ name: string }>(ABANDONED_SQL, [
    LOCK_SPACE,
    ownNames,
    MARKED_FOR_SECONDS,
  ]);
  const names = found.rows.map((row) => row.name);
  if (names.length > 0) await client.query(FREE_SQL, [names]);
  await client.query('commit');
  return names;
}

/** What this process takes from the queue. */
export interface OwnJobs {
  /** The names under which it currently takes jobs. */
  readonly names: Set<string>;
  /** The jobs that run. Should one run twice, each run counts. */
  readonly running: Set<{ readonly id: string }>;
}

export function keepJobsAlive(
  pool: pg.Pool,
  { names: ownNames, running: ownRunning }: OwnJobs,
  log: Log,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let client: pg.PoolClient | undefined;
  let heldNames = new Set<string>();

  async function round(): Promise<void> {
    client ??= await pool.connect();
    // A runner that has ended holds no job; a job that is still marked with its name never reached the runner.
    const ended = [...heldNames].filter((name) => !ownNames.has(name));
    if (ended.length > 0) {
      await client.query(LET_GO_SQL, [LOCK_SPACE, ended]);
      for (const name of ended) heldNames.delete(name);
    }
    const missing = [...ownNames].filter((name) => !heldNames.has(name));
    if (missing.length > 0) {
      await client.query(HOLD_SQL, [LOCK_SPACE, missing]);
      for (const name of missing) heldNames.add(name);
    }
    const runningIds = [...ownRunning].map(({ id }) => id);
    if (runningIds.length > 0) await client.query(RENEW_SQL, [[...ownNames], runningIds]);
    const names = await freeAbandonedJobs(client, [...ownNames]);
    if (names.length > 0) log.warn({ names }, 'jobs of a process that died are free again');
  }

  function drop(): void {
    // Closing the connection releases its locks.
    client?.release(true);
    client = undefined;
    heldNames = new Set();
  }

  const areHeld = (): boolean =>
    ownNames.size === heldNames.size && [...ownNames].every((name) => heldNames.has(name));

  async function runForEver(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await round().catch(() => drop());
      let waitedMs = 0;
      do {
        await pause(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
        waitedMs += LOOK_INTERVAL_MS;
      } while (!signal.aborted && areHeld() && waitedMs < INTERVAL_MS);
    }
    drop();
  }

  const running = runForEver();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
