import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import { connectTo } from './address.ts';
import type { Log } from '../log/log.ts';
import {
  CONNECTION_CODES,
  NOT_REPLICATED,
  SERVER_LOST_SQLSTATES,
  sqlstateOf,
} from './connection.ts';
import { EarlyCommitDialect } from './early-commit.ts';
import { FollowingPool } from './pool.ts';
import type { Tables } from './tables.ts';

export type { Tables } from './tables.ts';

/**
 * Makes our connections read bigint columns as bigint. It is not set globally in pg, because the job queue writes rows back as
 * JSON and needs text.
 */
export const bigintTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text'),
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

const LOCK_TIMEOUT_MS = 1_500;

/** Connections per process, unless a setting says otherwise: PostgreSQL serves a few busy connections better than many. */
export const POOL_SIZE = 10;

/** History has its own pool, so that it and the other reads cannot starve each other. */
export const HISTORY_POOL_SIZE = 3;

/**
 * Queries of the console run on connections of their own. However slow its lists are, they take none from the wallet's calls, and its
 * statements time out sooner, because a person waits for them.
 */
export const CONSOLE_POOL: PoolSettings = {
  size: 5,
  applicationName: 'athos-for-console',
  statementTimeoutMs: 2_000,
  // PostgreSQL's default of 4 is meant for spinning disks. With it, the planner reads a whole table to count rows that an index counts ten
  // times faster.
  randomPageCost: 1.1,
};

interface PoolSettings {
  readonly size: number;
  /** The name of its connections in `pg_stat_activity`, to which process and machine are added. */
  readonly applicationName: string;
  readonly statementTimeoutMs?: number;
  /** A statement that prepares each new connection (primary-client.ts). */
  readonly warmUp?: string;
  /** `undefined` for the server's default. */
  readonly randomPageCost?: number;
}

/** Settings for commands and tests. */
const DEFAULTS: PoolSettings = { size: POOL_SIZE, applicationName: 'athos-api' };

export interface Database {
  readonly db: Db;
  readonly pool: FollowingPool;
  close(): Promise<void>;
}

/** Opens lazily: no connection is made before the first query. */
export function openDatabase(
  databaseUrl: string,
  log: Log,
  { size, applicationName, statementTimeoutMs, warmUp, randomPageCost }: PoolSettings = DEFAULTS,
): Database {
  const pool = new FollowingPool(
    {
      ...connectTo(databaseUrl),
      max: size,
      ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
      ...(warmUp !== undefined && { warmUp }),
      lock_timeout: LOCK_TIMEOUT_MS,
      application_name: applicationName,
      // Commits are durable, whatever the server's default. Transactions that move value commit early (early-commit.ts).
      options: [
        '-c synchronous_commit=on',
        ...(randomPageCost === undefined ? [] : [`-c random_page_cost=${randomPageCost}`]),
      ].join(' '),
      types: bigintTypes,
    },
    log,
  );
  const db = new Kysely<Tables>({ dialect: new EarlyCommitDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

const STATEMENT_CANCELED = '57014';
export const DISK_FULL = '53100';
/** SQLSTATEs after which a retry may succeed (docs/ledger.md, "Deadlines and errors"), besides those of class 08, "connection". */
const RETRYABLE_SQLSTATES = new Set([
  ...SERVER_LOST_SQLSTATES,
  NOT_REPLICATED,
  '40001',
  '40P01',
  '55P03',
  STATEMENT_CANCELED,
  '25P03',
  DISK_FULL,
  '53300',
]);

/** Whether a statement was ended because it took longer than its connection allows. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELED;

/** Whether an error comes from the connection or the database's load and not from the statement itself. */
export function isRetryableDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlstateOf(error);
  if (code !== undefined) return RETRYABLE_SQLSTATES.has(code) || CONNECTION_CODES.test(code);
  return /timeout|Connection terminated|not queryable/i.test(error.message);
}
