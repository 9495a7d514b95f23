/**
 * One PostgreSQL connection that comes back by itself. Whoever uses it is told when it is up and when it is gone; what was
 * under way on a connection that is gone is the user's to settle, at once and without asking the driver.
 */
import pg from 'pg';
import type { Log } from '../platform/log/log.ts';

/** Ledger design, section 5. */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** A server that does not answer must not hold a shutdown. */
const GOODBYE_LIMIT_MS = 1_000;
const RECONNECT_PAUSE_MIN_MS = 50;
const RECONNECT_PAUSE_MAX_MS = 1_000;
/** "canceling wait for synchronous replication": committed here, but not where it was promised to be. */
const NOT_REPLICATED = '01000';

export interface LastingConnectionOptions {
  databaseUrl: string;
  applicationName: string;
  log: Log;
  /** Run once on every new connection, before anything else. */
  setup: string;
  onUp: () => void;
  /** Called exactly once for each connection that was up, except at close. */
  onDown: (error: Error) => void;
  onNotification?: (payload: string) => void;
}

export class LastingConnection {
  readonly #options: LastingConnectionOptions;
  #client: pg.Client | undefined;
  #isUp = false;
  #isClosed = false;
  #pauseMs = RECONNECT_PAUSE_MIN_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LastingConnectionOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** `undefined` while there is none. */
  current(): pg.Client | undefined {
    return this.#isUp ? this.#client : undefined;
  }

  /** Cuts the connection without waiting for the server, and makes a new one. */
  drop(error: Error): void {
    if (this.#client !== undefined) this.#lose(this.#client, error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const last = this.#client;
    this.#client = undefined;
    if (last === undefined) return;
    if (this.#isUp) {
      const impatience = setTimeout(() => streamOf(last).destroy(), GOODBYE_LIMIT_MS);
      await last.end();
      clearTimeout(impatience);
    } else streamOf(last).destroy();
  }

  async #connect(): Promise<void> {
    const client = this.#open();
    this.#client = client;
    // Covers the greeting and the setup, for which the driver has no limit.
    const deadline = setTimeout(
      () => this.#lose(client, new Error('the server did not greet in time')),
      CONNECT_TIMEOUT_MS,
    );
    try {
      await client.connect();
      await client.query(this.#options.setup);
    } catch (error) {
      this.#lose(client, error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(deadline);
    }
    if (client !== this.#client) return;
    this.#isUp = true;
    this.#pauseMs = RECONNECT_PAUSE_MIN_MS;
    this.#options.onUp();
  }

  #open(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: this.#options.applicationName,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      pipeline: true,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the server closed the connection')));
    client.on('notice', ({ code, message }) => {
      if (code === NOT_REPLICATED) this.#lose(client, new Error(message));
    });
    client.on('notification', ({ payload }) => this.#options.onNotification?.(payload ?? ''));
    return client;
  }

  #lose(lost: pg.Client, error: Error): void {
    if (lost !== this.#client) return;
    const wasUp = this.#isUp;
    this.#client = undefined;
    this.#isUp = false;
    // Not end(): that waits for a server that may never answer.
    streamOf(lost).destroy();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, RECONNECT_PAUSE_MAX_MS);
    if (!wasUp) return;
    const { log, applicationName, onDown } = this.#options;
    log.warn({ err: error, connection: applicationName }, 'a ledger connection was lost');
    onDown(error);
  }
}

/** The socket, which the types of pg leave out. */
function streamOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
