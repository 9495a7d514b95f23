/** Pools of connections that follow the primary through a failover. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { namedHere } from './address.ts';
import {
  failConnection,
  KEEP_ALIVE,
  READ_ONLY_TRANSACTION,
  refuseStandby,
  watchReplication,
} from './connection.ts';

/**
 * Limits of every connection (docs/ledger.md, "Deadlines and errors"). A request that meets one fails with a retryable
 * error instead of holding its connection.
 */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;
/**
 * How long a request waits for a primary where connections are refused at once. A planned switchover takes up to 4.5 s: whoever is
 * refused at its beginning repeats after 1 s, and waits then until it is over.
 */
const PRIMARY_WAIT_MS = 3_500;
const PRIMARY_LOOK_EVERY_MS = 100;
const MS_PER_SECOND = 1_000;

/**
 * Opens no connection to a standby, ends one whose commit was not replicated, and hands out none that was opened before
 * `dropConnections` was called.
 */
export class FollowingPool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();
  readonly #inUse = new Set<pg.PoolClient>();
  /** Not to be used again. */
  readonly #dropped = new WeakSet<pg.PoolClient>();
  /** Called with the time that each caller waited for its connection. */
  onWaited: ((seconds: number) => void) | undefined;
  /** Resolves when there is a primary again, or was none for too long. */
  #search: Promise<void> | undefined;

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
      application_name: namedHere(settings.application_name),
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

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (callback === undefined) return this.#connectToPrimary();
    super.connect(callback);
  }

  /** Between two primaries nobody is refused at once: a client's repeat comes sooner than the next primary. */
  async #connectToPrimary(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    const deadlineMs = startMs + PRIMARY_WAIT_MS;
    for (;;) {
      try {
        const client = await super.connect();
        this.onWaited?.((performance.now() - startMs) / MS_PER_SECOND);
        return client;
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (!isWithoutPrimary(error) || leftMs <= 0 || this.ending) throw error;
        this.#search ??= this.#searchPrimary().finally(() => (this.#search = undefined));
        await Promise.race([this.#search, pause(leftMs, undefined, { ref: false })]);
      }
    }
  }

  /** However many wait, one looks. */
  async #searchPrimary(): Promise<void> {
    for (const deadlineMs = performance.now() + PRIMARY_WAIT_MS; performance.now() < deadlineMs;) {
      await pause(PRIMARY_LOOK_EVERY_MS);
      if (this.ending) return;
      const client = await super.connect().catch(() => undefined);
      client?.release();
      if (client !== undefined) return;
    }
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

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (fault?: Error | boolean) => void,
) => void;

/** Whether something refused the connection: a proxy that knows no primary, a server that is a standby, starts or stops. */
function isWithoutPrimary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return REFUSALS.has(error.code);
  return error.message === 'Connection terminated unexpectedly';
}

const REFUSALS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  READ_ONLY_TRANSACTION,
  '57P01',
  '57P03',
]);

const drop = (client: pg.PoolClient): void =>
  failConnection(client, new Error('the connection dates from before a failover'));
