import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

interface JobOptions {
  /** A waiting job of the same key is replaced, so that a repeated request makes one job. */
  readonly key?: string;
  readonly runAt?: Date;
  /** Jobs of one queue run one after another. */
  readonly queue?: string;
  /** Attempts with exponential back-off; graphile-worker's default of 25 spreads over some three days. */
  readonly attemptCountMax?: number;
}

/**
 * Enqueues a job in the transaction that causes it: the job exists if and only if that commits. The payload is stored
 * in the database, so it carries ids and never a secret.
 */
export async function enqueueJob(
  tx: Tx | Db,
  task: string,
  payload: Readonly<Record<string, unknown>>,
  { key, runAt, queue, attemptCountMax }: JobOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${task}::text,
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${queue ?? null}::text,
      job_key => ${key ?? null}::text,
      run_at => ${runAt ?? null}::timestamptz,
      max_attempts => ${attemptCountMax ?? null}::integer
    )`.execute(tx);
}

/** Removes waiting and given-up jobs about a user (`userId` in their payload); one that runs ends by itself. */
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
