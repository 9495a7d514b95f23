/**
 * Group commit: transfers that arrive while a batch is under way are posted together, in the order they came, by one statement
 * with one commit. Every request settles within SETTLE_LIMIT_MS, and none is answered before its commit is.
 */
import type pg from 'pg';
import { isRetryableDatabaseError } from '../platform/database/database.ts';
import type { Log } from '../platform/log/log.ts';
import { decodeBatch, encodeBatch, POST_BATCH_SQL, type BatchRow } from './batch-codec.ts';
import { LastingConnection } from './connection.ts';
import { LedgerUnavailableError } from './errors.ts';
import type { GroupTransferRequest, TransferOutcome } from './transfer.ts';

/** One is executed while the next one is already at the server; more only splits batches (ledger design, section 2). */
const BATCHES_IN_FLIGHT_MAX = 2;
/** post_batch takes 1023. Beyond some 256 a transfer gets no cheaper, only later. */
const BATCH_SIZE_MAX = 512;
/** Half a second of work at 20,000 transfers/s. Whoever comes later is told so at once. */
const QUEUE_LENGTH_MAX = 10_000;
/** Ledger design, section 5. The rest to 5 s is for everything around it. */
const BATCH_DEADLINE_MS = 4_000;
const SETTLE_LIMIT_MS = 4_500;
/** An older request has no time for another attempt; the client asks again with its key. */
const RETRY_AGE_MAX_MS = 2_500;
const RETRY_PAUSE_MIN_MS = 100;
const RETRY_PAUSE_SPREAD_MS = 300;
const SWEEP_INTERVAL_MS = 100;

/** Durable commits and plans by index, whatever the server's defaults and statistics say. */
const CONNECTION_SETUP = 'set synchronous_commit = on; set plan_cache_mode = force_generic_plan';

interface Waiting {
  readonly entry: GroupTransferRequest;
  readonly enteredAtMs: number;
  readonly resolve: (outcome: TransferOutcome) => void;
  readonly reject: (error: Error) => void;
  /** From then on only the same key can tell what became of it. */
  wasSent: boolean;
}

interface Batch {
  readonly requests: readonly Waiting[];
  readonly entries: readonly GroupTransferRequest[];
  readonly timer: NodeJS.Timeout;
}

interface GroupCommitOptions {
  databaseUrl: string;
  log: Log;
  /** After the commit, before the requests are answered. Must not throw. */
  onCommitted: (
    entries: readonly GroupTransferRequest[],
    outcomes: readonly TransferOutcome[],
  ) => void;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #connection: LastingConnection;
  readonly #inFlight = new Set<Batch>();
  #queue: Waiting[] = [];
  #isPumpScheduled = false;
  #isClosing = false;
  #sweeper: NodeJS.Timeout | undefined;
  /** Set while a failed batch waits for its second attempt; the others wait behind it, in order. */
  #retryTimer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#connection = new LastingConnection({
      databaseUrl: options.databaseUrl,
      applicationName: 'athos-ledger',
      log: options.log,
      setup: CONNECTION_SETUP,
      onUp: () => this.#schedulePump(),
      onDown: (error) => {
        for (const batch of this.#inFlight) this.#fail(batch, error);
      },
    });
  }

  /** The entry must be valid by type and range: one bad array element would fail its whole batch. */
  post(entry: GroupTransferRequest): Promise<TransferOutcome> {
    if (this.#isClosing) return Promise.reject(new LedgerUnavailableError('closing'));
    if (this.#queue.length >= QUEUE_LENGTH_MAX) {
      return Promise.reject(new LedgerUnavailableError('overloaded'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry, enteredAtMs: performance.now(), resolve, reject, wasSent: false });
      if (this.#isBatchDue()) this.#schedulePump();
    });
  }

  /** Lets everything settle that was asked for. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#schedulePump();
    });
    await this.#connection.close();
  }

  #schedulePump(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    // After the other requests that arrived in this turn of the event loop.
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumpScheduled = false;
    const client = this.#retryTimer === undefined ? this.#connection.current() : undefined;
    while (client && this.#queue.length > 0 && this.#isBatchDue()) {
      this.#send(client, this.#takeBatch());
    }
    if (this.#queue.length > 0) {
      if (this.#sweeper === undefined) {
        this.#sweeper = setTimeout(() => this.#sweep(), SWEEP_INTERVAL_MS);
      }
    } else if (this.#inFlight.size === 0) {
      this.#onIdle?.();
    }
  }

  /**
   * A batch beside another one waits until it is as large: sent with what there is, they fall into large and small ones, and
   * each costs a commit (21 and 31 transfers a batch at 64 connections, 3 % of the rate).
   */
  #isBatchDue(): boolean {
    const [underWay] = this.#inFlight;
    if (underWay === undefined) return true;
    return (
      this.#inFlight.size < BATCHES_IN_FLIGHT_MAX && this.#queue.length >= underWay.requests.length
    );
  }

  #takeBatch(): Waiting[] {
    if (this.#queue.length > BATCH_SIZE_MAX) return this.#queue.splice(0, BATCH_SIZE_MAX);
    const all = this.#queue;
    this.#queue = [];
    return all;
  }

  #send(client: pg.Client, requests: readonly Waiting[]): void {
    const nowMs = performance.now();
    let oldestMs = nowMs;
    for (const request of requests) {
      request.wasSent = true;
      oldestMs = Math.min(oldestMs, request.enteredAtMs);
    }
    const limitMs = Math.min(BATCH_DEADLINE_MS, oldestMs + SETTLE_LIMIT_MS - nowMs);
    const timer = setTimeout(
      () => this.#connection.drop(new Error('a batch did not settle in time')),
      limitMs,
    );
    const batch: Batch = { requests, entries: requests.map(({ entry }) => entry), timer };
    this.#inFlight.add(batch);
    client.query<BatchRow>(
      {
        name: 'post_batch',
        text: POST_BATCH_SQL,
        values: encodeBatch(batch.entries, false),
        rowMode: 'array',
      },
      // Called when the server is ready for the next statement: the commit is behind it.
      (error: Error | null, result) => {
        if (error) this.#fail(batch, error);
        else this.#succeed(batch, result.rows[0]);
      },
    );
  }

  #succeed(batch: Batch, row: BatchRow | undefined): void {
    if (!this.#settle(batch)) return;
    try {
      const outcomes = decodeBatch(row, batch.entries.length);
      this.#options.onCommitted(batch.entries, outcomes);
      for (const [index, outcome] of outcomes.entries()) batch.requests[index]?.resolve(outcome);
    } catch (error) {
      // It is committed, but we cannot read what: nobody may hear that it failed.
      const unknown = new LedgerUnavailableError('outcome_unknown', { cause: error });
      this.#options.log.error({ err: error }, 'the answer to a ledger batch makes no sense');
      for (const request of batch.requests) request.reject(unknown);
    }
  }

  /** Tries once more what has time for it, with the same keys, so that nothing can happen twice. */
  #fail(batch: Batch, error: Error): void {
    if (!this.#settle(batch)) return;
    // Without an SQLSTATE it is the connection, and what the server did is not known (ledger design, section 5).
    const isRetryable = !('code' in error) || isRetryableDatabaseError(error);
    if (!isRetryable) {
      this.#options.log.error({ err: error }, 'a ledger batch failed');
      for (const request of batch.requests) request.reject(error);
      return;
    }
    const youngEnoughMs = performance.now() - RETRY_AGE_MAX_MS;
    const again: Waiting[] = [];
    for (const request of batch.requests) {
      if (request.enteredAtMs > youngEnoughMs) again.push(request);
      else request.reject(new LedgerUnavailableError('outcome_unknown', { cause: error }));
    }
    if (again.length === 0) return;
    this.#queue = [...again, ...this.#queue].sort((a, b) => a.enteredAtMs - b.enteredAtMs);
    this.#retryTimer ??= setTimeout(
      () => {
        this.#retryTimer = undefined;
        this.#schedulePump();
      },
      RETRY_PAUSE_MIN_MS + Math.random() * RETRY_PAUSE_SPREAD_MS,
    );
  }

  /** False if that was done before: a dropped connection settles its batches without waiting for the driver. */
  #settle(batch: Batch): boolean {
    if (!this.#inFlight.delete(batch)) return false;
    clearTimeout(batch.timer);
    this.#schedulePump();
    return true;
  }

  /** While the database is away, nobody waits for longer than the limit. */
  #sweep(): void {
    this.#sweeper = undefined;
    const limitMs = performance.now() - SETTLE_LIMIT_MS;
    let expiredCount = 0;
    for (const { enteredAtMs, wasSent, reject } of this.#queue) {
      if (enteredAtMs > limitMs) break;
      expiredCount++;
      reject(new LedgerUnavailableError(wasSent ? 'outcome_unknown' : 'not_connected'));
    }
    if (expiredCount > 0) this.#queue = this.#queue.slice(expiredCount);
    this.#schedulePump();
  }
}
