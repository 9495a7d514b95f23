import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/log.ts';
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

/**
 * Limits of every connection (docs/ledger.md, "Deadlines and errors"). A request that meets one fails with a retryable
 * error instead of holding its connection.
 */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

const KEEP_ALIVE_AFTER_MS = 60_000;

/** Connections per process: PostgreSQL serves a few busy connections better than many. */
export const POOL_SIZE = 10;

/**
 * What the console asks for runs on connections of its own. However slow its lists are, they take none from the wallet's calls,
 * and each of their statements ends sooner: a person waits for it.
 */
export const CONSOLE_POOL: PoolSettings = {
  size: 5,
  statementTimeoutMs: 2_000,
  // PostgreSQL's default of 4 is that of a turning disk. With it, the planner reads a table from its beginning to count what an
  // index counts ten times faster.
  randomPageCost: 1.1,
};

interface PoolSettings {
  readonly size: number;
  readonly statementTimeoutMs: number;
  /** `undefined` for the server's. */
  readonly randomPageCost?: number;
}

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Opens lazily: no connection is made before the first query. */
export function openDatabase(
  databaseUrl: string,
  log: Log,
  { size, statementTimeoutMs, randomPageCost }: PoolSettings = {
    size: POOL_SIZE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  },
): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    // Idle connections stay open. Otherwise new ones, with new plans, would be opened under load, at the worst moment.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // With `pipeline`, a query_timeout ends the connection. Without it, the pool would hand out one that is still busy.
    pipeline: true,
    keepAlive: true,
    // Early enough to keep firewalls from dropping an idle connection, and to detect that the other end is gone.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'athos-api',
    // Durable commits, whatever the server's default: card credits are posted on these connections.
    options: [
      '-c synchronous_commit=on',
      ...(randomPageCost === undefined ? [] : [`-c random_page_cost=${randomPageCost}`]),
    ].join(' '),
    types: bigintTypes,
  });
  // Without a listener, a connection closed by the server would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // The pool does not listen for errors of connections in use; their users notice a loss by their own query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

const STATEMENT_CANCELED = '57014';
/** SQLSTATEs after which a retry may succeed (docs/ledger.md, "Deadlines and errors"), besides those of class 08, "connection". */
const RETRYABLE_SQLSTATES = new Set([
  '40001',
  '40P01',
  '55P03',
  STATEMENT_CANCELED,
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '25P03',
  '53300',
]);
const CONNECTION_CODES = /^(08|E[A-Z]+$)/;

/** Whether a statement was ended because it took longer than its connection allows. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELED;

/** Whether an error comes from the connection or the database's load and not from the statement itself. */
export function isRetryableDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return RETRYABLE_SQLSTATES.has(code) || CONNECTION_CODES.test(code);
  return /timeout|Connection terminated|not queryable/i.test(error.message);
}
