/** Sends spans to a collector of OpenTelemetry. The SDK is loaded only where one is set. */
import type { IdGenerator, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { setTracing } from './spans.ts';

/** Spans wait in memory while the collector is slow or away. More are dropped: they must cost the process no more than this. */
const WAITING_MAX = 2_048;
const SENT_AT_ONCE_MAX = 512;
const SEND_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Less than a process that ends has left (programs/run-program.ts). */
const LAST_SPANS_WITHIN_MS = 2_000;

export interface TraceSettings {
  /** The base address of the collector, to which `/v1/traces` is added. `undefined`: no traces. */
  readonly collectorUrl: string | undefined;
  /** The share of requests and jobs that are sampled: 0 to 1. */
  readonly sampledShare: number;
}

interface CollectorDeps {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'spans'>;
  readonly config: { readonly traces: TraceSettings };
}

interface Collecting {
  /** Sends what waits, as far as there is time. */
  stop(): Promise<void>;
}

/** Makes this process trace, if a collector is set. `facts` describe the process, such as `service.name`. */
export async function startCollecting(
  { log, metrics, config: { traces } }: CollectorDeps,
  facts: Readonly<Record<string, string | number>>,
): Promise<Collecting> {
  const { collectorUrl, sampledShare } = traces;
  if (collectorUrl === undefined) return { stop: () => Promise.resolve() };
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const ids = new TraceIds(new sdk.RandomIdGenerator());
  const url = `${collectorUrl.replace(/\/+$/, '')}/v1/traces`;
  const exporter = counting(
    new OTLPTraceExporter({ url, timeoutMillis: ANSWER_WITHIN_MS, concurrencyLimit: 1 }),
    metrics.spans,
    log,
  );
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes(facts),
    // Spans are begun only for what is sampled (spans.ts).
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
      const ended = provider.shutdown().catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_SPANS_WITHIN_MS);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
    },
  };
}

/** A trace that begins with a request has the id that the log lines of the request name. */
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

/** Counts what became of spans, and logs the first of several failures in a row. */
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
