/**
 * Group commit: transfers that arrive while a batch is in flight are posted together in arrival order, by one statement with one
 * commit. Every request settles within `SETTLE_LIMIT_MS`, and none before its commit.
 */
import { Batcher } from '../platform/database/batcher.ts';
import { isRetryableDatabaseError } from '../platform/database/database.ts';
import { EARLY_OPTIONS, passBarrier } from '../platform/database/early-commit.ts';
import { LastingConnection } from '../platform/database/lasting-connection.ts';
import { invariant } from '../platform/errors.ts';
import type { Log } from '../platform/log/log.ts';
import type { LedgerMetrics } from '../platform/metrics/metrics.ts';
import { LedgerUnavailableError } from './errors.ts';
import { decodeBatch, encodeBatch, POST_BATCH_SQL, WARM_UP, type BatchRow } from './post-batch.ts';
import { addCounts, countOutcomes } from './transfer-counts.ts';
import type { GroupTransferRequest, TransferOutcome } from './transfer.ts';

/** Leaves 0.5 s of the 5 s deadline of a request for the work around the ledger (docs/ledger.md, "Deadlines and errors"). */
export const SETTLE_LIMIT_MS = 4_500;
export const STATEMENT_DEADLINE_MS = 4_000;
/** An older request has no time left for another attempt; its caller has to retry. */
export const RETRY_AGE_MAX_MS = 2_500;

/**
 * Two, so that a batch need not wait for the barrier of the one before, which takes as long as a standby's response (decision 0041), nor for a
 * connection that has frozen.
 */
const CONNECTION_COUNT = 2;
/** The server executes one batch while the next is already queued there; a third would only make each of them smaller. */
const BATCHES_AT_ONCE_MAX = 2;
/** Far more than a batch takes under full load. A connection that has not answered one for longer may be frozen. */
const LATE_MS = 250;
/** post_batch accepts 1023. Above about 256, a larger batch adds latency without making transfers cheaper. */
const BATCH_SIZE_MAX = 512;
/** 0.5 s of work at 20,000 transfers/s. */
const WAITING_MAX = 10_000;
const RETRY_PAUSE_MIN_MS = 100;
const RETRY_PAUSE_SPREAD_MS = 300;
const MS_PER_SECOND = 1_000;
/**
 * From here on, a batch goes past the barrier of another one rather than behind it. The lock is then handed from one server process to
 * another, which costs 3 % of the rate without a standby, where barriers take 0.2 ms. At 4 ms it gains 23 %.
 */
const BARRIER_LONG_MS = 1;
/** The weight of the last barrier in the moving average. */
const BARRIER_WEIGHT = 1 / 16;

/** Batches commit early, and a barrier follows each. Index plans are used whatever the server's defaults and statistics are. */
const SERVER_OPTIONS = `${EARLY_OPTIONS} -c plan_cache_mode=force_generic_plan`;

interface GroupCommitOptions {
  readonly databaseUrl: string;
  readonly log: Log;
  readonly metrics?: LedgerMetrics | undefined;
}

interface SentBatch {
  readonly size: number;
  readonly sentAtMs: number;
  /** Whether only its barrier is still under way. */
  isExecuted: boolean;
}

interface Lane {
  readonly connection: LastingConnection;
  readonly underWay: Set<SentBatch>;
}

export class GroupCommit {
  readonly #log: Log;
  readonly #metrics: LedgerMetrics | undefined;
  readonly #lanes: readonly Lane[];
  readonly #batcher: Batcher<GroupTransferRequest, TransferOutcome>;
  /** The moving average of how long a barrier takes. */
  #barrierMs = 0;

  constructor({ databaseUrl, log, metrics }: GroupCommitOptions) {
    this.#log = log;
    this.#metrics = metrics;
    this.#lanes = Array.from({ length: CONNECTION_COUNT }, () => ({
      connection: new LastingConnection({
        databaseUrl,
        applicationName: 'athos-ledger',
        log,
        serverOptions: SERVER_OPTIONS,
        warmUp: WARM_UP,
        onUp: () => this.#batcher.wake(),
      }),
      underWay: new Set<SentBatch>(),
    }));
    this.#batcher = new Batcher({
      name: 'ledger batch',
      send: (entries, timeLeftMs) => this.#send(entries, timeLeftMs),
      batchesInFlightMax: CONNECTION_COUNT * BATCHES_AT_ONCE_MAX,
      batchSizeMax: BATCH_SIZE_MAX,
      waitingMax: WAITING_MAX,
      waitMaxMs: SETTLE_LIMIT_MS,
      isReady: () => this.#lanes.some(({ connection }) => connection.isUp()),
      isDue: (waitingCount) => this.#isDue(waitingCount),
      // A retry carries the same keys, so nothing can move twice.
      retry: {
        isRetryable,
        ageMaxMs: RETRY_AGE_MAX_MS,
        pauseMs: () => RETRY_PAUSE_MIN_MS + Math.random() * RETRY_PAUSE_SPREAD_MS,
      },
      giveUp: (reason, cause) => {
        metrics?.unavailable.inc({ reason });
        return new LedgerUnavailableError(reason, { cause });
      },
    });
    metrics?.queueLength.add({}, () => this.#batcher.waitingCount);
  }

  /** The entry must be valid by type and range: one bad array element would fail its whole batch. */
  post(entry: GroupTransferRequest): Promise<TransferOutcome> {
    return this.#batcher.ask(entry);
  }

  async close(): Promise<void> {
    await this.#batcher.close();
    await Promise.all(this.#lanes.map(({ connection }) => connection.close()));
  }

  async #send(
    entries: readonly GroupTransferRequest[],
    timeLeftMs: number,
  ): Promise<readonly TransferOutcome[]> {
    const startMs = performance.now();
    const deadlineMs = Math.min(STATEMENT_DEADLINE_MS, timeLeftMs);
    const sent = sendOn(this.#freestLane(), entries, deadlineMs);
    const [row, barrierMs] = await sent.catch((error: unknown) => {
      if (!isRetryable(error)) this.#log.error({ err: error }, 'a ledger batch failed');
      throw error;
    });
    this.#barrierMs += (barrierMs - this.#barrierMs) * BARRIER_WEIGHT;
    try {
      const outcomes = decodeBatch(row, entries.length);
      if (this.#metrics !== undefined) count(this.#metrics, outcomes, startMs);
      return outcomes;
    } catch (error) {
      // The batch is committed but its result is unreadable, so no caller may get a failure.
      this.#log.error({ err: error }, 'the result of a ledger batch could not be decoded');
      throw new LedgerUnavailableError('outcome_unknown', { cause: error });
    }
  }

  /**
   * The lanes that are up, without those on which a batch is late, if others are left. If a batch is late on each, it is the database that is
   * slow, and more batches at once would only make it slower.
   */
  #lanesInUse(): readonly Lane[] {
    const lateBeforeMs = performance.now() - LATE_MS;
    const up = this.#lanes.filter(({ connection }) => connection.isUp());
    const prompt = up.filter(({ underWay }) =>
      [...underWay].every(({ sentAtMs }) => sentAtMs > lateBeforeMs),
    );
    return prompt.length > 0 ? prompt : up;
  }

  /**
   * A second batch waits until it is as large as the first. If sent earlier, batches alternate between large and small, and each costs a
   * commit (21 instead of 31 transfers per batch at 64 connections, 3 % of the throughput).
   */
  #isDue(waitingCount: number): boolean {
    const [first, ...others] = this.#lanesInUse().flatMap(({ underWay }) => [...underWay]);
    if (first === undefined) return true;
    return others.length + 1 < BATCHES_AT_ONCE_MAX && waitingCount >= first.size;
  }

  /** The first of the lanes with the fewest barriers, also those to come if they take long. */
  #freestLane(): Lane {
    const [first, ...others] = this.#lanesInUse();
    invariant(first !== undefined, 'a batch is sent only while a connection is up');
    const barriersOn = this.#barrierMs < BARRIER_LONG_MS ? barriersUnderWay : barriersAhead;
    return others.reduce(
      (freest, lane) => (barriersOn(lane) < barriersOn(freest) ? lane : freest),
      first,
    );
  }
}

const barriersUnderWay = ({ underWay }: Lane): number =>
  [...underWay].filter(({ isExecuted }) => isExecuted).length;

const barriersAhead = ({ underWay }: Lane): number => underWay.size;

/** Sends a batch and its barrier at once. Returns its result after both, and the milliseconds that the barrier took. */
async function sendOn(
  lane: Lane,
  entries: readonly GroupTransferRequest[],
  deadlineMs: number,
): Promise<readonly [BatchRow | undefined, number]> {
  const posted = lane.connection.query<BatchRow>(
    { name: 'post_batch', text: POST_BATCH_SQL, values: encodeBatch(entries, false) },
    deadlineMs,
  );
  const passed = passBarrier(lane.connection, deadlineMs, posted);
  const batch = { size: entries.length, sentAtMs: performance.now(), isExecuted: false };
  lane.underWay.add(batch);
  const answered = posted.then(([row]) => {
    batch.isExecuted = true;
    return row;
  });
  try {
    return await Promise.all([answered, passed]);
  } finally {
    lane.underWay.delete(batch);
  }
}

function count(
  metrics: LedgerMetrics,
  outcomes: readonly TransferOutcome[],
  startMs: number,
): void {
  metrics.batchSize.observe(outcomes.length);
  metrics.batchSeconds.observe((performance.now() - startMs) / MS_PER_SECOND);
  addCounts(metrics, countOutcomes(outcomes));
}

/** An error without an SQLSTATE comes from the connection: the outcome is unknown, and only a retry with the same keys can tell. */
const isRetryable = (error: unknown): boolean =>
  !(error instanceof LedgerUnavailableError) &&
  error instanceof Error &&
  (!('code' in error) || isRetryableDatabaseError(error));
