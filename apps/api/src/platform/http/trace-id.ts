import type { FastifyRequest } from 'fastify';

/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

/**
 * The trace to which a request belongs: that of the edge, or else one of its own with the id of the request. A stranger's header is
 * ignored, or they could mix their requests into somebody else's trace.
 */
export function traceIdOf({ id, ips, headers }: FastifyRequest): string {
  // The first address is that of the connection. Others follow only if it belongs to a trusted proxy.
  const isFromProxy = ips !== undefined && ips.length > 1;
  const given = isFromProxy ? headers['traceparent'] : undefined;
  const traceId = typeof given === 'string' ? TRACEPARENT.exec(given)?.[1] : undefined;
  return traceId === undefined || traceId === NO_TRACE ? id.replaceAll('-', '') : traceId;
}
