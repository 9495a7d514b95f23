import type { SpanContext } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { parseTraceparent } from '../traces/spans.ts';

interface Trace {
  readonly traceId: string;
  /** The parent span in the edge's part of the trace. */
  readonly parent: SpanContext | undefined;
}

/**
 * The trace to which a request belongs: that of the edge, or else a new one with the id of the request. A header from anyone else is
 * ignored, because it could mix requests into a foreign trace.
 */
export function traceOf({ id, ips, headers }: FastifyRequest): Trace {
  // The first address is that of the connection. Others follow only if it belongs to a trusted proxy.
  const isFromProxy = ips !== undefined && ips.length > 1;
  const parent = isFromProxy ? parseTraceparent(headers['traceparent']) : undefined;
  return { traceId: parent?.traceId ?? id.replaceAll('-', ''), parent };
}
