import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Requests of one user under way at once. Far above what all of a person's devices ask for in a moment, and so few that the
 * database connections they wait for come round to everybody else: 800 at once kept every purchase from its turn (measured).
 */
const UNDER_WAY_MAX = 100;
const RETRY_AFTER_SECONDS = 2;
/** Who is refused at once asks again at once, and refusing costs as much as answering. */
const REFUSED_AFTER_MS = 1_000;

/** Refuses a signed-in user's request, before its body is read, while too many of the same user are under way. */
export function registerCrowdLimit(app: FastifyInstance): void {
  const countOf = new Map<bigint, number>();

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const userId = request.signedInUser?.userId;
    if (userId === undefined) return done();
    const refusal = () => new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    // Gone while its token was looked at: nobody hears an answer, and no end would take it from the count again.
    if (reply.raw.closed) return done(refusal());
    const count = countOf.get(userId) ?? 0;
    if (count >= UNDER_WAY_MAX) {
      setTimeout(() => done(refusal()), REFUSED_AFTER_MS).unref();
      return;
    }
    countOf.set(userId, count + 1);
    // From here on it always comes, also where the client goes before its answer.
    reply.raw.once('close', () => {
      const left = (countOf.get(userId) ?? 1) - 1;
      if (left === 0) countOf.delete(userId);
      else countOf.set(userId, left);
    });
    done();
  });
}
