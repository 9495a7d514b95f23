/** Statements on the state of the database itself. */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';

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
 * Transactions that have kept old row versions alive for longer than `seconds`, oldest first. Those of other roles are visible only to
 * members of pg_read_all_stats, as the roles of the programs are (roles.ts).
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

/** Jobs that are no longer retried, counted up to `max`. */
export async function countFailedJobs(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from graphile_worker._private_jobs
       where attempts >= max_attempts and locked_at is null limit ${max}) failed`.execute(db);
  return rows[0]?.count ?? 0;
}

interface DatabaseState {
  readonly connections: number;
  readonly connections_max: number;
  readonly oldest_transaction_seconds: number | null;
  readonly replicas: readonly {
    readonly name: string;
    readonly state: string;
    readonly lag_seconds: number;
  }[];
  readonly is_replica: boolean;
}

/** Adds up the sizes of all files, so its cost grows with the number of tables. */
export async function selectDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return parseInt((rows[0]?.bytes ?? 0n).toString(), 10);
}

/** The server's connections, the oldest transaction of any other connection, and the replicas as far as the role may see them. */
export async function selectDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select
      (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as connections_max,
      (select extract(epoch from max(clock_timestamp() - xact_start))::int from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and (backend_xmin is not null or backend_xid is not null)) as oldest_transaction_seconds,
      coalesce((select json_agg(json_build_object('name', application_name, 'state', coalesce(state, ''),
                  'lag_seconds', coalesce(extract(epoch from replay_lag), 0)) order by application_name)
                  from pg_stat_replication), '[]') as replicas,
      pg_is_in_recovery() as is_replica`.execute(db);
  const [row] = rows;
  invariant(row !== undefined, 'the query on the state of the database returns a row');
  return row;
}

interface Observed {
  readonly rateAt: Date | null;
  readonly ledgerAt: Date | null;
  readonly ledgerState: VerifiedState | null;
  readonly auditAt: Date | null;
  readonly auditState: VerifiedState | null;
}
type VerifiedState = 'running' | 'right' | 'wrong' | 'failed';

/**
 * The last confirmation of a rate, and the last verifications of ledger and audit. Of the ledger's two kinds, the one that found a fault or
 * failed; a walk from the first row that still runs says nothing yet.
 */
export async function selectObserved(db: Db): Promise<Observed> {
  const { rows } = await sql<Observed>`
    select (select confirmed_at from exchange_rates order by in_force_from desc limit 1) as "rateAt",
      ledger.at as "ledgerAt", ledger.state as "ledgerState", audit.at as "auditAt", audit.state as "auditState"
    from (select) one
    left join lateral (
      select coalesce(finished_at, requested_at) as at,
        case when finished_at is null then 'running' when has_failed then 'failed'
             when fault_reason is not null then 'wrong' else 'right' end as state
      from (select distinct on (is_whole) * from ledger_verifications order by is_whole, requested_at desc) newest
      order by fault_reason is not null desc, has_failed desc, is_whole and finished_at is null, requested_at desc
      limit 1) ledger on true
    left join lateral (
      select coalesce(finished_at, requested_at) as at,
        case when finished_at is null then 'running' when fault is not null then 'wrong' else 'right' end as state
      from audit_verifications order by requested_at desc limit 1) audit on true`.execute(db);
  return (
    rows[0] ?? { rateAt: null, ledgerAt: null, ledgerState: null, auditAt: null, auditState: null }
  );
}

interface LastGood {
  readonly rateAgeSeconds: number | null;
  readonly ledgerVerifiedAtSeconds: number | null;
  readonly ledgerWalkedAtSeconds: number | null;
  readonly auditVerifiedAtSeconds: number | null;
}

/**
 * The age of the rate, and the last time that ledger and audit were verified without a fault: in 1970 if never, so that the alarm fires. The
 * first walk over the whole ledger is due a week after the first verification, so until there is one, its time is that of the request for the
 * first verification: a new system raises no alarm, and one whose walks never end does.
 */
export async function selectLastGood(db: Db): Promise<LastGood | undefined> {
  const { rows } = await sql<LastGood>`
    select (select extract(epoch from clock_timestamp() - confirmed_at)::float8
              from exchange_rates order by in_force_from desc limit 1) as "rateAgeSeconds",
      coalesce((select extract(epoch from finished_at)::float8 from ledger_verifications
        where finished_at is not null and not has_failed and fault_reason is null
        order by requested_at desc limit 1), 0) as "ledgerVerifiedAtSeconds",
      coalesce(
        (select extract(epoch from finished_at)::float8 from ledger_verifications
          where is_whole and finished_at is not null and not has_failed and fault_reason is null
          order by requested_at desc limit 1),
        (select extract(epoch from min(requested_at))::float8 from ledger_verifications)) as "ledgerWalkedAtSeconds",
      coalesce((select extract(epoch from finished_at)::float8 from audit_verifications
        where finished_at is not null and fault is null
        order by requested_at desc limit 1), 0) as "auditVerifiedAtSeconds"`.execute(db);
  return rows[0];
}
