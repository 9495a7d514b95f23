/**
 * This process's metrics for Prometheus. Label values come from closed lists: route patterns, codes and names in the code, never anything
 * that a client sent. Values that can be read on demand are read at collection, so that they cost nothing in between.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Bucket limits in seconds. They include the goals of docs/operating.md, 300 and 500 ms, so that nothing has to be interpolated. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5];
/** Powers of 2 up to the largest batch of the ledger. */
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Reads a value; returns `undefined` while it is unknown. */
type Read = () => number | undefined;

/** A gauge whose values are read at collection. */
interface Watched<Label extends string> {
  /** A later reader of the same labels replaces the earlier one. */
  add(labels: Readonly<Record<Label, string>>, read: Read): void;
}

function watched<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: readonly Label[] },
): Watched<Label> {
  const readers = new Map<string, { labels: Readonly<Record<Label, string>>; read: Read }>();
  new Gauge<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      // `reset` leaves a gauge without labels at 0, which would pass for a value that was read.
      if (labelNames.length === 0) this.remove();
      for (const { labels, read } of readers.values()) {
        const value = read();
        if (value !== undefined) this.set(labels, value);
      }
    },
  });
  return {
    add: (labels, read) => void readers.set(JSON.stringify(labels), { labels, read }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
export type LedgerMetrics = Metrics['ledger'];

/** Each process creates its metrics once. */
export function createMetrics() {
  const registry = new Registry();
  return {
    registry,
    ledger: ledgerMetrics(registry),
    ...outsideMetrics(registry),
    ...processMetrics(registry),
  };
}

function ledgerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    batchSize: new Histogram({
      name: 'athos_ledger_batch_size',
      help: 'Sends at once that were posted by one statement.',
      buckets: BATCH_SIZES,
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'athos_ledger_batch_seconds',
      help: 'From sending a batch until its barrier returned.',
      buckets: SECONDS,
      registers,
    }),
    barrierSeconds: new Histogram({
      name: 'athos_ledger_barrier_seconds',
      help: 'From the end of a batch, or the commit of a transaction, until its barrier returned: what disk and standby cost.',
      buckets: SECONDS,
      registers,
    }),
    transfers: new Counter({
      name: 'athos_ledger_transfers_total',
      help: 'Transfers by outcome, in batches or in transactions. A refused transaction counts once.',
      labelNames: ['outcome'],
      registers,
    }),
    unavailable: new Counter({
      name: 'athos_ledger_unavailable_total',
      help: 'Transfers of batches that were given up, so that a retry with the same key must tell.',
      labelNames: ['reason'],
      registers,
    }),
    replicaReads: new Counter({
      name: 'athos_ledger_replica_reads_total',
      help: 'History pages with a cursor: read from the replica, or why the primary had to answer.',
      labelNames: ['outcome'],
      registers,
    }),
    queueLength: watched(registry, {
      name: 'athos_ledger_queue_length',
      help: 'Transfers that wait for a batch.',
      labelNames: [],
    }),
  };
}

function outsideMetrics(registry: Registry) {
  const registers = [registry];
  return {
    mails: new Counter({
      name: 'athos_mail_total',
      help: 'Mails that the mail server accepted or did not.',
      labelNames: ['outcome'],
      registers,
    }),
    assetSum: new Gauge({
      name: 'athos_asset_sum',
      help: 'The sum of all balances of an asset in its smallest unit, by the trial balance. It must be 0.',
      labelNames: ['asset'],
      registers,
    }),
    headAnchorAge: watched(registry, {
      name: 'athos_head_anchor_age_seconds',
      help: "How long ago this worker anchored the ledger's head outside the database.",
      labelNames: [],
    }),
    spans: new Counter({
      name: 'athos_spans_total',
      help: 'Spans that ended, that the collector of traces took, and that it did not take. The rest waits or was dropped.',
      labelNames: ['outcome'],
      registers,
    }),
    providerSeconds: new Histogram({
      name: 'athos_provider_seconds',
      help: 'Calls of the card provider.',
      labelNames: ['call', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
  };
}

function processMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requestSeconds: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Requests by route pattern; slo tells which goal they belong to.',
      labelNames: ['method', 'route', 'status_class', 'slo'],
      buckets: SECONDS,
      registers,
    }),
    streams: watched(registry, {
      name: 'athos_streams',
      help: 'Open streams of live events.',
      labelNames: ['audience'],
    }),
    listening: watched(registry, {
      name: 'athos_listening',
      help: '1 while notifications of the database arrive.',
      labelNames: [],
    }),
    notificationGaps: new Counter({
      name: 'athos_notification_gaps_total',
      help: 'How often listening began, at first and after each interruption.',
      registers,
    }),
    poolConnections: watched(registry, {
      name: 'athos_pool_connections',
      help: 'Connections to the database, and requests that wait for one.',
      labelNames: ['pool', 'state'],
    }),
    poolWaitSeconds: new Histogram({
      name: 'athos_pool_wait_seconds',
      help: 'How long callers waited for a connection to the database.',
      labelNames: ['pool'],
      buckets: SECONDS,
      registers,
    }),
    jobsFailed: new Counter({
      name: 'athos_jobs_failed_total',
      help: 'Runs of jobs that failed, also those that are tried again.',
      labelNames: ['task'],
      registers,
    }),
    alarms: new Counter({
      name: 'athos_alarms_total',
      help: 'Lines of the log with an alarm (docs/operating.md, "Logs").',
      labelNames: ['alarm'],
      registers,
    }),
  };
}
