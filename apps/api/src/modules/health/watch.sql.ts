/** Statements on the state of the database itself. */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

export async function isMigrationApplied(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from migrations where name = ${name}::text`.execute(db);
  return rows.length > 0;
}

export async function selectDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return rows[0]?.at ?? new Date(0);
}

export interface OldTransaction {
  readonly pid: number;
  readonly user: string;
  readonly program: string;
  readonly state: string;
  readonly ageSeconds: number;
}

/**
 * Transactions that have kept old row versions alive for longer than `seconds`, oldest first. Those of other roles show their age
 * only to members of pg_read_all_stats (docs/operating.md).
 */
export async function selectOldTransactions(db: Db, seconds: number): Promise<OldTransaction[]> {
  const { rows } = await sql<OldTransaction>`
    select pid, usename as "user", application_name as program, state,
      extract(epoch from clock_timestamp() - xact_start)::integer as "ageSeconds"
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and (backend_xmin is not null or backend_xid is not null)
      and xact_start < clock_timestamp() - make_interval(secs => ${seconds})
    order by xact_start limit 5`.execute(db);
  return rows;
}

/** Jobs that are not tried again, up to `max`. */
export async function countFailedJobs(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from graphile_worker._private_jobs
       where attempts >= max_attempts and locked_at is null limit ${max}) failed`.execute(db);
  return rows[0]?.count ?? 0;
}
