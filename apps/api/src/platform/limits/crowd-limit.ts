import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * The maximum of concurrent requests of one user. Far more than all devices of a person need, and few enough that database
 * connections stay available for others: 800 at once blocked every purchase (measured).
 */
const UNDER_WAY_MAX = 100;
const RETRY_AFTER_SECONDS = 2;
/** Delays the refusal: otherwise refused clients would retry at once, and refusing costs as much as serving. */
const REFUSED_AFTER_MS = 1_000;

/** Refuses a signed-in user's request, before its body is read, while too many requests of the user are in progress. */
export function registerCrowdLimit(app: FastifyInstance): void {
  const countOf = new Map<bigint, number>();

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const userId = request.signedInUser?.userId;
    if (userId === undefined) return done();
    const refusal = () => new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    // The client disconnected while its token was looked up, so no event would ever decrease the count.
    if (reply.raw.closed) return done(refusal());
    const count = countOf.get(userId) ?? 0;
    if (count >= UNDER_WAY_MAX) {
      setTimeout(() => done(refusal()), REFUSED_AFTER_MS).unref();
      return;
    }
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
