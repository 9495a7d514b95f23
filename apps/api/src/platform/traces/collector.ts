/** Sends spans to an OpenTelemetry collector. The SDK is loaded only if one is configured. */
import type { IdGenerator, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { withinTime } from '../within-time.ts';
import { setTracing } from './spans.ts';

/**
 * The maximum number of spans that wait in memory while the collector is slow or down. Further ones are dropped, so that they cost the
 * process no more than this.
 */
const WAITING_MAX = 2_048;
const SENT_AT_ONCE_MAX = 512;
const SEND_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Less than the time that an ending process has left (programs/run-program.ts). */
const LAST_SPANS_WITHIN_MS = 2_000;

export interface TraceSettings {
  /** The base address of the collector, to which `/v1/traces` is added. `undefined`: no traces. */
  readonly collectorUrl: string | undefined;
  /** Sent with each call of the collector. */
  readonly collectorHeaders: Readonly<Record<string, string>>;
  /** The share of requests and jobs that are sampled: 0 to 1. */
  readonly sampledShare: number;
}

interface CollectorDeps {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'spans'>;
  readonly config: { readonly traces: TraceSettings };
}

interface Collecting {
  /** Sends the waiting spans, as far as time allows. */
  stop(): Promise<void>;
}

/** Starts tracing in this process if a collector is configured. `facts` describe the process, such as `service.name`. */
export async function startCollecting(
  { log, metrics, config: { traces } }: CollectorDeps,
  facts: Readonly<Record<string, string | number>>,
): Promise<Collecting> {
  const { collectorUrl, collectorHeaders, sampledShare } = traces;
  if (collectorUrl === undefined) return { stop: () => Promise.resolve() };
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const ids = new TraceIds(new sdk.RandomIdGenerator());
  const url = `${collectorUrl.replace(/\/+$/, '')}/v1/traces`;
  const exporter = counting(
    new OTLPTraceExporter({
      url,
      headers: collectorHeaders,
      timeoutMillis: ANSWER_WITHIN_MS,
      concurrencyLimit: 1,
    }),
    metrics.spans,
    log,
  );
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes(facts),
    // spans.ts begins a span only for sampled work.
    sampler: new sdk.AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: () => metrics.spans.inc({ outcome: 'ended' }),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: SENT_AT_ONCE_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: ANSWER_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('api');
  setTracing({ tracer, sampledShare, useTraceId: (traceId) => (ids.next = traceId) });
  return {
    async stop() {
      setTracing(undefined);
      await withinTime(provider.shutdown(), LAST_SPANS_WITHIN_MS).catch(() => undefined);
    },
  };
}

/** Gives a trace that begins with a request the id that the request's log lines carry. */
class TraceIds implements IdGenerator {
  readonly #random: IdGenerator;
  next: string | undefined;

  constructor(random: IdGenerator) {
    this.#random = random;
  }

  generateTraceId(): string {
    const traceId = this.next ?? this.#random.generateTraceId();
    this.next = undefined;
    return traceId;
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}

/** `ExportResultCode.SUCCESS`, without loading the package that exports it. */
const SUCCESS = 0;

/** Counts the results of exports, and logs the first of several failures in a row. */
function counting(exporter: SpanExporter, spans: Metrics['spans'], log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(batch: ReadableSpan[], tell) {
      exporter.export(batch, (result) => {
        const hasFailed = result.code !== SUCCESS;
        spans.inc({ outcome: hasFailed ? 'lost' : 'sent' }, batch.length);
        if (hasFailed && !isFailing) {
          log.warn({ err: result.error }, 'traces cannot be sent to the collector');
        }
        isFailing = hasFailed;
        tell(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
