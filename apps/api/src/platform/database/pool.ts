/** Pools of connections that follow the primary through a failover. */
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { namedHere } from './address.ts';
import { failConnection, KEEP_ALIVE, watchReplication } from './connection.ts';
import { isWithoutPrimary, PrimaryClient, type PrimaryClientConfig } from './primary-client.ts';

/**
 * Limits of every connection (docs/ledger.md, "Deadlines and errors"). A request that meets one fails with a retryable
 * error instead of holding its connection.
 */
const STATEMENT_TIMEOUT_MS = 3_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;
/**
 * How long a request waits for a connection, also while there is no primary. A planned switchover takes up to 5 s: a client that is
 * refused at its beginning retries after 1 s and then waits until it is over. Less than the time limit of a request (http/endpoint.ts).
 */
const CONNECTION_WAIT_MS = 4_000;
/**
 * How long the pool itself waits. It ends a connection with the wait of the request that opened it, although the next request could use it:
 * after a failover, when many wait for their turn, it would end connections that are almost open. So requests have their own limit.
 */
const OPENING_WAIT_MS = 12_000;
const MS_PER_SECOND = 1_000;

/**
 * Opens no connection to a standby, ends one whose commit was not replicated, and hands out none that `dropConnections` has dropped.
 */
export class FollowingPool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();
  readonly #inUse = new Set<pg.PoolClient>();
  readonly #openedAtMs = new WeakMap<pg.PoolClient, number>();
  /** Connections that must not be used again. */
  readonly #dropped = new WeakSet<pg.PoolClient>();
  /** Called with the time that each caller waited for its connection. */
  onWaited: ((seconds: number) => void) | undefined;

  constructor(
    settings: pg.PoolConfig & PrimaryClientConfig & { readonly application_name: string },
    log: Log,
  ) {
    super({
      // Idle connections stay open. Otherwise new ones, with new plans, would be opened under load, at the worst moment.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: OPENING_WAIT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // With `pipeline`, a query_timeout ends the connection. Without it, the pool would hand out one that is still busy.
      pipeline: true,
      Client: PrimaryClient,
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
      this.#openedAtMs.set(client, performance.now());
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
    const connecting = this.#connectToPrimary();
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (fault) => client.release(fault)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** Between two primaries no request is refused at once: the client's retry would come sooner than the next primary. */
  async #connectToPrimary(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    for (;;) {
      const leftMs = startMs + CONNECTION_WAIT_MS - performance.now();
      try {
        const client = await this.#connectWithin(leftMs);
        this.onWaited?.((performance.now() - startMs) / MS_PER_SECOND);
        return client;
      } catch (error) {
        if (!isWithoutPrimary(error) || this.ending) throw error;
      }
    }
  }

  #connectWithin(ms: number): Promise<pg.PoolClient> {
    const connecting = super.connect();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // A connection that arrives too late goes back to the pool for another caller.
        connecting.then(
          (client) => client.release(),
          () => undefined,
        );
        reject(new Error('no connection came in time: timeout'));
      }, ms);
      connecting.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /**
   * Ends connections that were opened before `openedBeforeMs`, a time on the clock of `performance.now`: idle ones at once, and those in use
   * when they are given back. Later ones stay, because opening them anew is what a server is busy with after a failover.
   */
  dropConnections(openedBeforeMs: number): void {
    const isOlder = (client: pg.PoolClient): boolean =>
      (this.#openedAtMs.get(client) ?? -Infinity) < openedBeforeMs;
    for (const client of [...this.#inUse].filter(isOlder)) this.#dropped.add(client);
    for (const client of [...this.#idle].filter(isOlder)) {
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

const drop = (client: pg.PoolClient): void =>
  failConnection(client, new Error('the connection dates from before a failover'));
