import type { FastifyInstance } from 'fastify';
import { overloaded, refuseLater } from './gate.ts';

/**
 * The maximum of concurrent requests of one user. Far more than all devices of a person need, and few enough that database
 * connections stay available for others: 800 at once blocked every purchase (measured).
 */
const UNDER_WAY_MAX = 100;

/** Refuses a signed-in user's request, before its body is read, while too many requests of the user are in progress. */
export function registerCrowdLimit(app: FastifyInstance): void {
  const countOf = new Map<bigint, number>();

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const userId = request.signedInUser?.userId;
    if (userId === undefined) return done();
    // The client disconnected while its token was looked up, so no event would ever decrease the count.
    if (reply.raw.closed) return done(overloaded());
    const count = countOf.get(userId) ?? 0;
    if (count >= UNDER_WAY_MAX) return refuseLater(done);
    countOf.set(userId, count + 1);
    // From here on `close` always fires, even if the client disconnects before the response.
    reply.raw.once('close', () => {
      const left = (countOf.get(userId) ?? 1) - 1;
      if (left === 0) countOf.delete(userId);
      else countOf.set(userId, left);
    });
    done();
  });
}
