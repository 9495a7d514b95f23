/**
 * One PostgreSQL connection that reconnects for as long as the process lives. When it breaks, its queries are rejected at once,
 * without waiting for the driver or the server.
 */
import type pg from 'pg';
import { connectTo, namedHere } from './address.ts';
import type { Log } from '../log/log.ts';
import {
  destroySocket,
  KEEP_ALIVE,
  READ_ONLY_TRANSACTION,
  watchReplication,
} from './connection.ts';
import { isWithoutPrimary, PrimaryClient } from './primary-client.ts';

/** These timeouts leave time for another attempt within the 5 s of a request (docs/ledger.md, "Deadlines and errors"). */
const SETUP_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** A server that does not respond must not delay a shutdown. */
const GOODBYE_TIMEOUT_MS = 1_000;
const RECONNECT_PAUSE_MIN_MS = 50;
const RECONNECT_PAUSE_MAX_MS = 1_000;
/**
 * The interval of the heartbeat while no other query runs. Without it, a connection that died silently would count as listening for
 * hours, and the first request after a failover would wait for it in vain.
 */
const HEARTBEAT_INTERVAL_MS = 2_500;
const HEARTBEAT_TIMEOUT_MS = 2_000;

interface LastingConnectionOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly log: Log;
  /** Session settings in the form of the server's command-line options. */
  readonly serverOptions?: string;
  /** SQL that every new connection runs before anything else. */
  readonly setup?: string;
  /** A statement that prepares each new connection (primary-client.ts). */
  readonly warmUp?: string;
  /** `lostAtMs`: when this connection last found no server, on the clock of `performance.now`. -Infinity for the first connection. */
  readonly onUp: (lostAtMs: number) => void;
  readonly onNotification?: (channel: string, payload: string) => void;
}

export class LastingConnection {
  readonly #options: LastingConnectionOptions;
  /** Functions that reject the queries in flight. */
  readonly #pending = new Set<(error: Error) => void>();
  #client: pg.Client | undefined;
  #isUp = false;
  /** When the connection was last lost or could not be opened. */
  #lostAtMs = -Infinity;
  #pauseMs = RECONNECT_PAUSE_MIN_MS;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #heartbeatTimer: NodeJS.Timeout | undefined;

  constructor(options: LastingConnectionOptions) {
    this.#options = options;
    void this.#connect();
  }

  isUp(): boolean {
    return this.#isUp;
  }

  /**
   * Runs a statement. Resolves when the server is ready for the next one, so the statement is committed. A statement that
   * takes longer than `timeoutMs` ends the connection.
   */
  query<Row extends unknown[]>(
    statement: pg.QueryConfig,
    timeoutMs: number,
  ): Promise<readonly Row[]> {
    const client = this.#client;
    if (client === undefined || !this.#isUp) return Promise.reject(new Error('not connected'));
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      const timer = setTimeout(
        () => this.#lose(client, new Error('a statement timed out')),
        timeoutMs,
      );
      client.query<Row>({ ...statement, rowMode: 'array' }, (error: Error | null, result) => {
        clearTimeout(timer);
        this.#pending.delete(reject);
        // A primary that became a standby is left for the server that took its place.
        if (error instanceof Error && 'code' in error && error.code === READ_ONLY_TRANSACTION)
          this.#lose(client, error);
        if (error) reject(error);
        else resolve(result.rows);
      });
    });
  }

  /** Closes the connection without waiting for the server, and opens a new one. */
  drop(error: Error): void {
    if (this.#client !== undefined) this.#lose(this.#client, error);
  }

  async close(): Promise<void> {
    clearTimeout(this.#reconnectTimer);
    clearInterval(this.#heartbeatTimer);
    const last = this.#client;
    this.#client = undefined;
    if (last === undefined) return;
    if (!this.#isUp) {
      destroySocket(last);
      return;
    }
    this.#isUp = false;
    const goodbyeTimer = setTimeout(() => destroySocket(last), GOODBYE_TIMEOUT_MS);
    await last.end();
    clearTimeout(goodbyeTimer);
  }

  async #connect(): Promise<void> {
    const { setup, onUp, log, applicationName } = this.#options;
    let client: pg.Client;
    try {
      client = this.#open();
    } catch (error) {
      // The file of the server's authority is read for each connection. It may be missing while it is replaced.
      log.warn({ err: error, connection: applicationName }, 'a connection could not be opened');
      return this.#reconnectLater();
    }
    this.#client = client;
    try {
      await client.connect();
      if (setup !== undefined) await this.#setUp(client, setup);
    } catch (error) {
      // primary-client.ts already spaces out attempts to find a primary.
      if (isWithoutPrimary(error)) this.#pauseMs = RECONNECT_PAUSE_MIN_MS;
      this.#lose(client, error instanceof Error ? error : new Error(String(error)));
    }
    if (client !== this.#client) return;
    this.#isUp = true;
    this.#pauseMs = RECONNECT_PAUSE_MIN_MS;
    this.#heartbeatTimer = setInterval(() => this.#beat(), HEARTBEAT_INTERVAL_MS);
    onUp(this.#lostAtMs);
  }

  async #setUp(client: pg.Client, setup: string): Promise<void> {
    const late = new Error('the connection could not be set up in time');
    const timer = setTimeout(() => this.#lose(client, late), SETUP_TIMEOUT_MS);
    await client.query(setup).finally(() => clearTimeout(timer));
  }

  #beat(): void {
    if (this.#pending.size > 0) return;
    void this.query({ text: 'select 1' }, HEARTBEAT_TIMEOUT_MS).catch(() => undefined);
  }

  #open(): pg.Client {
    const client = new PrimaryClient({
      isFirst: true,
      ...connectTo(this.#options.databaseUrl),
      application_name: namedHere(this.#options.applicationName),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      ...KEEP_ALIVE,
      pipeline: true,
      ...(this.#options.warmUp !== undefined && { warmUp: this.#options.warmUp }),
      ...(this.#options.serverOptions !== undefined && { options: this.#options.serverOptions }),
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the server closed the connection')));
    watchReplication(client, (error) => this.#lose(client, error));
    client.on('notification', ({ channel, payload }) =>
      this.#options.onNotification?.(channel, payload ?? ''),
    );
    return client;
  }

  #lose(lost: pg.Client, error: Error): void {
    if (lost !== this.#client) return;
    const wasUp = this.#isUp;
    this.#lostAtMs = performance.now();
    this.#client = undefined;
    this.#isUp = false;
    clearInterval(this.#heartbeatTimer);
    // `end()` would wait for a server that may never respond.
    destroySocket(lost);
    for (const reject of this.#pending) reject(error);
    this.#pending.clear();
    this.#reconnectLater();
    if (!wasUp) return;
    const { log, applicationName } = this.#options;
    log.warn({ err: error, connection: applicationName }, 'a lasting connection was lost');
  }

  #reconnectLater(): void {
    this.#reconnectTimer = setTimeout(() => void this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, RECONNECT_PAUSE_MAX_MS);
  }
}
