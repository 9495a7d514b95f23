/** Pages of history with a cursor, read from a standby of the database (decision 0056). */
import pg from 'pg';
import { connectTo, namedHere } from '../platform/database/address.ts';
import { KEEP_ALIVE } from '../platform/database/connection.ts';
import type { Log } from '../platform/log/log.ts';
import type { LedgerMetrics } from '../platform/metrics/metrics.ts';
import { BadCursorError, walkReplayed, type CursorQuery, type HistoryPage } from './history.ts';

/** The same number as for history walks on the primary. */
const CONNECTIONS_MAX = 3;
/** Together less than a second, so that a page that must be read again from the primary still meets its own limits. */
const CONNECT_TIMEOUT_MS = 300;
const STATEMENT_TIMEOUT_MS = 500;
const QUERY_TIMEOUT_MS = 600;
/** How long a standby that did not answer is left alone. Otherwise each page would wait for it first. */
const FAULT_REST_MS = 5_000;
/**
 * How long the standby is left alone after the primary was lost. A standby that was ahead of the new primary may have movements that no
 * longer exist, until it is rewound.
 */
const FAILOVER_REST_MS = 60_000;

interface HistoryReplicaOptions {
  readonly replicaUrl: string;
  readonly log: Log;
  readonly metrics: LedgerMetrics | undefined;
}

export class HistoryReplica {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #metrics: LedgerMetrics | undefined;
  #isAway = false;
  #hasSeenPrimary = false;
  #restsUntilMs = 0;

  constructor({ replicaUrl, log, metrics }: HistoryReplicaOptions) {
    this.#log = log;
    this.#metrics = metrics;
    this.#pool = new pg.Pool({
      ...connectTo(replicaUrl),
      application_name: namedHere('athos-ledger-replica'),
      max: CONNECTIONS_MAX,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // With `pipeline`, a query_timeout ends the connection, and the pool does not hand out one that is still busy.
      pipeline: true,
      ...KEEP_ALIVE,
    });
    // Without listeners, a connection that the server closes would end this process. The next page notices the loss.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Returns `undefined` if the page must be read from the primary. */
  async walk(query: CursorQuery): Promise<HistoryPage | undefined> {
    if (performance.now() < this.#restsUntilMs) return this.#leave('resting');
    try {
      const page = await walkReplayed(this.#pool, query);
      this.#setAway(false);
      if (page === undefined) return this.#leave('behind');
      this.#metrics?.replicaReads.inc({ outcome: 'read' });
      return page;
    } catch (error) {
      if (error instanceof BadCursorError || error instanceof RangeError) throw error;
      this.#rest(FAULT_REST_MS);
      this.#setAway(true, error);
      return this.#leave('failed');
    }
  }

  /** Must be called with every new connection to the primary. */
  noteConnected(): void {
    if (this.#hasSeenPrimary) this.#rest(FAILOVER_REST_MS);
    this.#hasSeenPrimary = true;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #leave(outcome: 'resting' | 'behind' | 'failed'): undefined {
    this.#metrics?.replicaReads.inc({ outcome });
  }

  #rest(forMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, performance.now() + forMs);
  }

  #setAway(isAway: boolean, error?: unknown): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway) this.#log.warn({ err: error }, 'the replica does not answer; the primary does');
    else this.#log.info('the replica answers again');
  }
}
