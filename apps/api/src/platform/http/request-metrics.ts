import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

/** The goal of docs/operating.md to which a route belongs. */
export type Slo = 'money' | 'redemption' | 'other';

declare module 'fastify' {
  interface FastifyContextConfig {
    slo?: Slo;
  }
}

const MS_PER_SECOND = 1_000;
/** Node's HTTP parser accepts methods that no route has; all of them share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures each request under the pattern of its route. A stream counts when it ends, with its full duration. */
export function registerRequestMetrics(
  app: FastifyInstance,
  { requestSeconds }: Pick<Metrics, 'requestSeconds'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    requestSeconds.observe(
      {
        method: METHODS.has(method) ? method : 'other',
        route: routeOptions.url ?? 'unknown',
        status_class: `${Math.trunc(reply.statusCode / 100)}xx`,
        slo: routeOptions.config.slo ?? 'other',
      },
      reply.elapsedTime / MS_PER_SECOND,
    );
    done();
  });
}
