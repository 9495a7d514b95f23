import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { activeSpan, traceparentOf } from '../traces/spans.ts';

interface JobOptions {
  /** Replaces a waiting job with the same key, so that a repeated request enqueues one job. */
  readonly key?: string;
  readonly runAt?: Date;
  /** Jobs of one queue run one at a time. */
  readonly queue?: string;
  /** Within a lane, the job with the lowest number runs first. Default: 0. */
  readonly priority?: number;
  /**
   * Attempts back off exponentially; graphile-worker's default of 25 takes about three days. An attempt that was cut off because the
   * worker ended counts too, so a job with a single attempt is lost with its worker.
   */
  readonly attemptCountMax?: number;
}

/**
 * Enqueues a job in the transaction that causes it, so the job exists if and only if the transaction commits. The payload is
 * stored in the database, so it may contain ids but no secrets. The job continues the trace of a sampled request.
 */
export async function enqueueJob(
  tx: Tx | Db,
  task: string,
  payload: Readonly<Record<string, unknown>>,
  { key, runAt, queue, priority, attemptCountMax }: JobOptions = {},
): Promise<void> {
  const traceparent = traceparentOf(activeSpan());
  const stored = traceparent === undefined ? payload : { ...payload, traceparent };
  await sql`
    select graphile_worker.add_job(
      ${task}::text,
      payload => ${JSON.stringify(stored)}::json,
      queue_name => ${queue ?? null}::text,
      job_key => ${key ?? null}::text,
      run_at => ${runAt ?? null}::timestamptz,
      max_attempts => ${attemptCountMax ?? null}::integer,
      priority => ${priority ?? null}::integer
    )`.execute(tx);
}

/** Deletes waiting and failed jobs of a user (`userId` in their payload). A running job is left to finish. */
export async function deleteJobsOf(
  tx: Tx,
  userId: bigint,
  { butFor }: { readonly butFor: readonly string[] },
): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select job.id
      from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where job.payload ->> 'userId' = ${userId.toString()}::text
        and task.identifier <> all (${butFor}::text[])
    ))`.execute(tx);
}

/** Deleting this many takes a few ms per statement. */
const JOBS_PER_STATEMENT_MAX = 5_000;

/** Deletes jobs that used up their attempts before `before`. */
export async function deleteFailedJobs(db: Db, before: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select id from graphile_worker.complete_jobs(array(
        select id from graphile_worker._private_jobs
        where attempts >= max_attempts and locked_at is null and updated_at <= ${before}::timestamptz
        limit ${JOBS_PER_STATEMENT_MAX}
      ))`.execute(db);
    if (rows.length < JOBS_PER_STATEMENT_MAX) return;
  }
}
