/** Reads the queue from the tables of graphile-worker. Only graphile-worker's own functions change a job. */
import { sql, type RawBuilder } from 'kysely';
import type { JobState } from '@athos/contract/console/jobs';
import type { ListCount } from '@athos/contract/console/lists';
import { LIST_COUNT_MAX } from '@athos/contract/console/lists';
import type { Db, Tx } from '../database/database.ts';

export interface QueuedJob {
  readonly id: bigint;
  readonly task: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly createdAt: Date;
  readonly runAt: Date;
  readonly customerUuid: string | null;
  readonly lastError: string | null;
}

interface QueueFilters {
  readonly state?: JobState | undefined;
  readonly task?: string | undefined;
}

const stateOfJob = sql<JobState>`
  case when job.locked_at is not null then 'running'
       when job.attempts >= job.max_attempts then 'failed'
       when job.attempts > 0 then 'retrying'
       else 'waiting' end`;

const jobs = ({ state, task }: QueueFilters): RawBuilder<unknown> => sql`
  from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  left join users customer on customer.id = (case when job.payload ->> 'userId' ~ '^[0-9]{1,18}$' then (job.payload ->> 'userId')::bigint end)
  where (${state ?? null}::text is null or ${stateOfJob} = ${state ?? null}::text)
    and (${task ?? null}::text is null or task.identifier = ${task ?? null}::text)`;

const columns = sql`
  job.id, task.identifier as task, ${stateOfJob} as state, job.attempts::int, job.max_attempts::int as "attemptsMax",
  job.created_at as "createdAt", job.run_at as "runAt", customer.uuid as "customerUuid", job.last_error as "lastError"`;

/** Newest first. Returns one row more than `limit` if there is a next page. */
export async function selectJobs(
  db: Db,
  filters: QueueFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
): Promise<readonly QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select ${columns} ${jobs(filters)} and (${beforeId ?? null}::bigint is null or job.id < ${beforeId ?? null}::bigint)
    order by job.id desc limit ${limit + 1}`.execute(db);
  return rows;
}

export async function countJobs(db: Db, filters: QueueFilters): Promise<ListCount> {
  const { rows } = await sql<{ value: number }>`
    select count(*)::int as value from (select 1 ${jobs(filters)} limit ${LIST_COUNT_MAX + 1}) counted`.execute(
    db,
  );
  const value = rows[0]?.value ?? 0;
  return { value: Math.min(value, LIST_COUNT_MAX), is_at_least: value > LIST_COUNT_MAX };
}

export async function selectJob(db: Db | Tx, id: bigint): Promise<QueuedJob | undefined> {
  const { rows } = await sql<QueuedJob>`
    select ${columns} ${jobs({})} and job.id = ${id}::bigint`.execute(db);
  return rows[0];
}

/** Locks a job, so that no worker takes it and nobody else acts on it until the transaction ends. */
export async function lockJob(tx: Tx, id: bigint): Promise<QueuedJob | undefined> {
  await sql`select from graphile_worker._private_jobs where id = ${id}::bigint for update`.execute(
    tx,
  );
  return selectJob(tx, id);
}

export async function rescheduleJob(tx: Tx, id: bigint): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0::smallint)`.execute(
    tx,
  );
}

export async function failJob(tx: Tx, id: bigint, words: string): Promise<void> {
  await sql`
    select graphile_worker.permanently_fail_jobs(array[${id}::bigint], ${words}::text)`.execute(tx);
}

/** The number of jobs to read. Jobs beyond it only wait, as in an outage of the mail server. */
const QUEUE_LOOKED_MAX = 20_000;

interface TaskCount {
  readonly task: string;
  readonly waiting: number;
  readonly running: number;
  readonly retrying: number;
  readonly failed: number;
  readonly dueSince: Date | null;
}

/** Counts the oldest `QUEUE_LOOKED_MAX` jobs by task. */
export async function selectQueue(
  db: Db,
): Promise<{ readonly tasks: readonly TaskCount[]; readonly isAtLeast: boolean }> {
  const { rows } = await sql<TaskCount>`
    with looked as (
      select job.task_id, ${stateOfJob} as state, job.run_at
        from graphile_worker._private_jobs job order by job.id limit ${QUEUE_LOOKED_MAX}
    )
    select task.identifier as task,
      (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state = 'retrying'))::int as retrying,
      (count(*) filter (where state = 'failed'))::int as failed,
      min(run_at) filter (where state in ('waiting', 'retrying') and run_at <= now()) as "dueSince"
    from looked join graphile_worker._private_tasks task on task.id = looked.task_id
    group by task.identifier order by task.identifier`.execute(db);
  const total = rows.reduce(
    (sum, { waiting, running, retrying, failed }) => sum + waiting + running + retrying + failed,
    0,
  );
  return { tasks: rows, isAtLeast: total >= QUEUE_LOOKED_MAX };
}

interface DueJobs {
  readonly count: number;
  readonly oldestAgeSeconds: number;
}

/** Jobs that are due and not running, among the oldest `QUEUE_LOOKED_MAX`. Jobs that have used up their attempts are not due. */
export async function selectDueJobs(db: Db): Promise<DueJobs> {
  const { rows } = await sql<DueJobs>`
    with looked as (
      select locked_at, run_at, attempts, max_attempts
        from graphile_worker._private_jobs order by id limit ${QUEUE_LOOKED_MAX}
    )
    select count(*)::int as count,
      greatest(0, coalesce(extract(epoch from now() - min(run_at)), 0))::float8 as "oldestAgeSeconds"
    from looked where locked_at is null and attempts < max_attempts and run_at <= now()`.execute(
    db,
  );
  return rows[0] ?? { count: 0, oldestAgeSeconds: 0 };
}
