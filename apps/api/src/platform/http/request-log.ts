import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/log.ts';
import { traceIdOf } from './trace-id.ts';

/** Logs one line per request, with the pattern of its route and never its path, which may contain ids, tokens and codes. */
export function registerRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, signedInUser, signedInStaff } = request;
    log.info(
      {
        requestId: request.id,
        traceId: traceIdOf(request),
        method,
        route: routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ...(signedInUser === undefined ? {} : { userUuid: signedInUser.userUuid }),
        ...(signedInStaff === undefined ? {} : { staffId: signedInStaff.staffId }),
      },
      'request',
    );
    done();
  });
}
