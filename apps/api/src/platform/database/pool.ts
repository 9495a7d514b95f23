/** Pools of connections that follow the primary through a failover. */
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { failConnection, KEEP_ALIVE, refuseStandby, watchReplication } from './connection.ts';

/**
 * Limits of every connection (docs/ledger.md, "Deadlines and errors"). A request that meets one fails with a retryable
 * error instead of holding its connection.
 */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

/**
 * Opens no connection to a standby, ends one whose commit was not replicated, and hands out none that was opened before
 * `dropConnections` was called.
 */
export class FollowingPool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();
  readonly #inUse = new Set<pg.PoolClient>();
  /** Not to be used again. */
  readonly #dropped = new WeakSet<pg.PoolClient>();

  constructor(settings: pg.PoolConfig & { readonly application_name: string }, log: Log) {
    super({
      // Idle connections stay open. Otherwise new ones, with new plans, would be opened under load, at the worst moment.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // With `pipeline`, a query_timeout ends the connection. Without it, the pool would hand out one that is still busy.
      pipeline: true,
      onConnect: refuseStandby,
      ...KEEP_ALIVE,
      ...settings,
    });
    const connection = settings.application_name;
    // Without a listener, a connection closed by the server would end this process.
    this.on('error', (error, client) => {
      if (this.#dropped.has(client)) return;
      log.warn({ err: error, connection }, 'an idle database connection was lost');
    });
    this.on('connect', (client) => {
      // The pool does not listen for errors of connections in use; their users notice a loss by their own query.
      client.on('error', () => undefined);
      watchReplication(client, (error) => failConnection(client, error));
    });
    this.on('acquire', (client) => {
      this.#idle.delete(client);
      this.#inUse.add(client);
    });
    this.on('release', (_error, client) => {
      this.#inUse.delete(client);
      if (this.#dropped.has(client)) drop(client);
      else this.#idle.add(client);
    });
    this.on('remove', (client) => this.#idle.delete(client));
  }

  /** Ends idle connections at once, and those in use when they are given back. New ones are opened as they are needed. */
  dropConnections(): void {
    for (const client of this.#inUse) this.#dropped.add(client);
    for (const client of this.#idle) {
      this.#dropped.add(client);
      drop(client);
    }
  }
}

const drop = (client: pg.PoolClient): void =>
  failConnection(client, new Error('the connection dates from before a failover'));
