/** Pools of connections that follow the primary through a failover. */
import { setTimeout as pause } from 'node:timers/promises';
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
/** How long a connection may take to open, with the wait for its turn. Then the pool begins anew. */
const OPENING_WAIT_MS = 12_000;
const OPENING_TOO_LONG = 'Connection terminated due to connection timeout';
/**
 * Requests wait this long for a connection in use before the pool opens another. Nearly all are given back sooner, and opening one takes
 * the server much longer than a request.
 */
const GROW_AFTER_MS = 100;
/** The pause after a server refused a further connection, which it will mostly refuse again. */
const REFUSED_PAUSE_MS = 1_000;
const MS_PER_SECOND = 1_000;

/**
 * Opens no connection to a standby, ends one whose commit was not replicated, and hands out none that `dropConnections` has dropped.
 *
 * Requests queue for any free connection, and the pool opens connections one at a time. `pg.Pool` instead opens a connection for each
 * request that finds none idle, and gives it to that request only. After a failover a server opens few connections per second, so the first
 * requests would wait longest.
 */
export class FollowingPool extends pg.Pool {
  readonly #idle = new Set<pg.PoolClient>();
  readonly #inUse = new Set<pg.PoolClient>();
  readonly #openedAtMs = new WeakMap<pg.PoolClient, number>();
  /** Connections that must not be used again. */
  readonly #dropped = new WeakSet<pg.PoolClient>();
  /** Functions that reject the requests that wait. */
  readonly #waiting = new Set<(error: unknown) => void>();
  readonly #log: Log;
  #isGrowing = false;
  #isAdding = false;
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
    this.#log = log;
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
    this.on('release', (error, client) => {
      this.#inUse.delete(client);
      // The pool removes it next, and tells of that only when its socket has closed.
      if (error) process.nextTick(() => void this.#grow());
      if (this.#dropped.has(client)) drop(client);
      else this.#idle.add(client);
    });
    this.on('remove', (client) => {
      this.#idle.delete(client);
      void this.#grow();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const connecting = this.#connectInTime();
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (fault) => client.release(fault)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  async #connectInTime(): Promise<pg.PoolClient> {
    const startMs = performance.now();
    const connecting = super.connect();
    const client = await new Promise<pg.PoolClient>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(refuse);
      };
      const refuse = (error: unknown): void => {
        end();
        // A connection that arrives now goes back to the pool for another caller.
        connecting.then(
          (late) => late.release(),
          () => undefined,
        );
        reject(error);
      };
      const timer = setTimeout(
        () => refuse(new Error('no connection came in time: timeout')),
        CONNECTION_WAIT_MS,
      );
      this.#waiting.add(refuse);
      connecting.then(
        (given) => {
          end();
          resolve(given);
        },
        (error: Error) => {
          end();
          reject(error);
        },
      );
      if (this.waitingCount > this.idleCount) void this.#grow();
    });
    this.onWaited?.((performance.now() - startMs) / MS_PER_SECOND);
    return client;
  }

  /** The number of requests that wait. `waitingCount` includes those that have given up. */
  get requestCount(): number {
    return this.#waiting.size;
  }

  /** `pg.Pool` asks this before it opens a connection, so that no request waits for a connection of its own. */
  protected _isFull(): boolean {
    return !this.#isAdding;
  }

  /** Opens connections, one at a time, for as long as requests wait. */
  async #grow(): Promise<void> {
    if (this.#isGrowing) return;
    this.#isGrowing = true;
    try {
      let pauseMs = GROW_AFTER_MS;
      while (this.totalCount < this.options.max && this.#waiting.size > 0 && !this.ending) {
        if (this.totalCount > 0) await pause(pauseMs);
        if (this.#waiting.size === 0) break;
        pauseMs = (await this.#open()) ? GROW_AFTER_MS : REFUSED_PAUSE_MS;
      }
    } finally {
      this.#isGrowing = false;
    }
  }

  /**
   * Opens one connection and gives it to the request that waits longest. While there is no primary, requests keep waiting. Any other error
   * rejects the waiting requests, unless the pool has connections that can serve them: then it returns `false`.
   */
  async #open(): Promise<boolean> {
    try {
      (await this.#add()).release();
    } catch (error) {
      if (isWithoutPrimary(error) || isOpeningTooLong(error)) return true;
      if (this.totalCount > 0) {
        this.#log.warn({ err: error }, 'no further database connection could be opened');
        return false;
      }
      for (const refuse of this.#waiting) refuse(error);
    }
    return true;
  }

  #add(): Promise<pg.PoolClient> {
    this.#isAdding = true;
    try {
      return super.connect();
    } finally {
      this.#isAdding = false;
    }
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

const isOpeningTooLong = (error: unknown): boolean =>
  error instanceof Error && error.message === OPENING_TOO_LONG;

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (fault?: Error | boolean) => void,
) => void;

const drop = (client: pg.PoolClient): void =>
  failConnection(client, new Error('the connection dates from before a failover'));
