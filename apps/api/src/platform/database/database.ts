import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { prepareNamedStatements } from './prepared-statements.ts';
import type { Tables } from './tables.ts';

export type { Tables } from './tables.ts';

/**
 * Our own connections read bigint as bigint. Not set for all of pg: the job queue counts on text, since it writes rows
 * that it read back as JSON.
 */
const bigintTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text'),
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Limits of every connection (design of the ledger, section 5). A request that meets one fails with a retryable error
 * instead of holding its connection.
 */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

const KEEP_ALIVE_AFTER_MS = 60_000;

/** At most 10 connections a process: PostgreSQL serves few busy connections better than many. */
const POOL_SIZE = 10;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Opens lazily: no connection is made before the first query. */
export function openDatabase(databaseUrl: string, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    // Never closed for being idle: a new one, with its plans, is made at the worst moment, when requests come in a crowd.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // For what it does at a query_timeout: it ends the connection. Without it the pool would hand out one that still waits.
    pipeline: true,
    keepAlive: true,
    // Before a firewall forgets an idle connection, and soon enough to learn that the other end is gone.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'athos-api',
    // What is acknowledged is durable, whatever the server's default: card credits are posted on these connections.
    options: '-c synchronous_commit=on',
    types: bigintTypes,
  });
  // Without a listener a connection that the server ends would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // The same for one in use, which the pool does not listen to: whoever uses it learns by its own query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', prepareNamedStatements);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** SQLSTATEs after which the same work may be tried again (ledger design, section 5); class 08 is "connection". */
const RETRYABLE_SQLSTATES = new Set([
  '40001',
  '40P01',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '25P03',
  '53300',
]);
const CONNECTION_CODES = /^(08|E[A-Z]+$)/;

/** Whether an error came from the way to the database, or from its load, rather than from what was asked. */
export function isRetryableDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return RETRYABLE_SQLSTATES.has(code) || CONNECTION_CODES.test(code);
  return /timeout|Connection terminated|not queryable/i.test(error.message);
}
