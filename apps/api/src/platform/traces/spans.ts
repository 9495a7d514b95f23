/**
 * Spans of sampled requests and jobs (decision 0050). Sampling is decided before anything is measured, so an unsampled request costs
 * nothing, and a process without a collector never begins a span.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';

/** A span that is under way. */
export interface ActiveSpan {
  readonly span: Span;
  /** The idempotency key of the request to which it belongs. */
  readonly key: string | undefined;
}

const KEY_ATTRIBUTE = 'athos.idempotency_key';

interface Tracing {
  readonly tracer: Tracer;
  /** The share of requests and jobs that are sampled, unless their trace began elsewhere. */
  readonly sampledShare: number;
  /** Gives the next trace that begins here this id. */
  useTraceId(traceId: string): void;
}

let tracing: Tracing | undefined;
const active = new AsyncLocalStorage<ActiveSpan>();

/** Begins or, with `undefined`, ends tracing in this process. */
export function setTracing(next: Tracing | undefined): void {
  tracing = next;
}

export const isTracing = (): boolean => tracing !== undefined;
export const activeSpan = (): ActiveSpan | undefined => active.getStore();
export const runIn = <T>(current: ActiveSpan, run: () => T): T => active.run(current, run);

/** Runs work that is for others too, so that it does not belong to the current span. */
export const runOutside = <T>(run: () => T): T =>
  active.getStore() === undefined ? run() : active.exit(run);

interface Beginning {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly key?: string | undefined;
  /** The id of a trace that begins here. Default: random. */
  readonly traceId?: string;
}

/**
 * Begins the first span of this process in a trace; `undefined` if it is not sampled. The sampling decision of `parent`, which is in another
 * process, applies. Nothing is described that is not sampled.
 */
export function beginTrace(
  parent: SpanContext | undefined,
  describe: () => Beginning,
): ActiveSpan | undefined {
  if (tracing === undefined) return undefined;
  const isSampled =
    parent === undefined
      ? Math.random() < tracing.sampledShare
      : (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
  if (!isSampled) return undefined;
  const { name, kind, attributes, key, traceId } = describe();
  if (parent === undefined && traceId !== undefined) tracing.useTraceId(traceId);
  const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const given = key === undefined ? attributes : { ...attributes, [KEY_ATTRIBUTE]: key };
  return { span: tracing.tracer.startSpan(name, { kind, attributes: given }, context), key };
}

/** Runs a part of the current work in a span of its own. */
export function traced<T>(
  name: string,
  run: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const current = active.getStore();
  return current === undefined ? run() : runChild(name, current, { attributes, links: [], run });
}

/**
 * Runs work that several requests share, such as a batch, in a span below the first of them, with a link to each. `members` contains only
 * sampled requests. Call it outside of their spans.
 */
export function tracedTogether<T>(
  name: string,
  members: readonly ActiveSpan[],
  run: () => Promise<T>,
): Promise<T> {
  const [first] = members;
  if (first === undefined) return run();
  const links = members.map(({ span, key }): Link => {
    const attributes = key === undefined ? {} : { [KEY_ATTRIBUTE]: key };
    return { context: span.spanContext(), attributes };
  });
  return runChild(name, first, { attributes: {}, links, run });
}

interface Child<T> {
  readonly attributes: Attributes;
  readonly links: Link[];
  readonly run: () => Promise<T>;
}

async function runChild<T>(
  name: string,
  { span: parent, key }: ActiveSpan,
  { attributes, links, run }: Child<T>,
): Promise<T> {
  if (tracing === undefined) return run();
  const context = trace.setSpan(ROOT_CONTEXT, parent);
  const span = tracing.tracer.startSpan(name, { attributes, links }, context);
  try {
    return await active.run({ span, key }, run);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Marks the span as failed, with only the error's name: its message may contain an address or an id. */
export function fail(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : 'Error';
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The place in a trace that the text names; `undefined` if it names none. */
export function parseTraceparent(text: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = typeof text === 'string' ? (TRACEPARENT.exec(text) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/** The current span as the text that `parseTraceparent` reads; `undefined` if it is not sampled. */
export function traceparentOf(current: ActiveSpan | undefined): string | undefined {
  if (current === undefined) return undefined;
  const { traceId, spanId } = current.span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}
