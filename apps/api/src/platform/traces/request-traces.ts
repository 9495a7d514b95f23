import { SpanKind } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '@athos/domain/uuid';
import { edgeSpanOf, traceIdOf } from '../http/trace-id.ts';
import { beginTrace, fail, isTracing, runIn, type ActiveSpan } from './spans.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the request is sampled. */
    span?: ActiveSpan;
  }
}

const FIRST_SERVER_ERROR = 500;

function describe(request: FastifyRequest) {
  const { method, routeOptions, headers } = request;
  const key = headers['idempotency-key'];
  const route = routeOptions.url ?? 'unknown';
  return {
    name: `${method} ${route}`,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method, 'http.route': route },
    key: typeof key === 'string' && isUuid(key) ? key.toLowerCase() : undefined,
    traceId: traceIdOf(request),
  };
}

/** Traces sampled requests under the pattern of their route. Paths, bodies and addresses are never part of a span. */
export function registerRequestTraces(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isTracing()) return done();
    const span = beginTrace(edgeSpanOf(request), () => describe(request));
    if (span !== undefined) request.span = span;
    done();
  });
  // Runs here and not in onRequest, because reading the body would leave the span's context.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === undefined) done();
    else runIn(request.span, done);
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = request.span?.span;
    span?.setAttribute('http.response.status_code', statusCode);
    if (span !== undefined && statusCode >= FIRST_SERVER_ERROR) fail(span, undefined);
    span?.end();
    done();
  });
}
