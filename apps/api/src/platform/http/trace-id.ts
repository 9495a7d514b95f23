import type { SpanContext } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { parseTraceparent } from '../traces/spans.ts';

/**
 * The edge's span of a request; `undefined` if it began none. A header from anyone else is ignored, because it could mix requests into a
 * foreign trace.
 */
export function edgeSpanOf(request: FastifyRequest): SpanContext | undefined {
  const given = request.headers['traceparent'];
  if (given === undefined) return undefined;
  // The first address is that of the connection. Others follow only if it belongs to a trusted proxy.
  const isFromProxy = request.ips !== undefined && request.ips.length > 1;
  return isFromProxy ? parseTraceparent(given) : undefined;
}

/** The id of the trace to which a request belongs: that of the edge, or else a new one with the id of the request. */
export const traceIdOf = (request: FastifyRequest): string =>
  edgeSpanOf(request)?.traceId ?? request.id.replaceAll('-', '');
