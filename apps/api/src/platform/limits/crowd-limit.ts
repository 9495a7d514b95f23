import type { FastifyInstance } from 'fastify';
import { networkSite } from './caller.ts';
import { overloaded, refuseLater } from './gate.ts';
import { InProgress } from './in-progress.ts';

/**
 * The maximum number of concurrent requests of one user. Far more than all devices of a person need, and few enough that database
 * connections stay available for others: 800 at once blocked every purchase (measured).
 */
const OF_USER_MAX = 100;

/**
 * Refuses a request, before its body is read, if its user has too many requests in progress, or its network place has if there is no
 * user.
 */
export function registerCrowdLimit(
  app: FastifyInstance,
  { ofPlaceMax }: { readonly ofPlaceMax: number },
): void {
  const underWay = new InProgress<bigint | string>();

  app.addHook('preParsing', (request, reply, _payload, done) => {
    // The client disconnected while its token was looked up, so no event would ever decrease the count.
    if (reply.raw.closed) return done(overloaded());
    const userId = request.signedInUser?.userId;
    const whose = userId ?? networkSite(request.ip);
    if (!underWay.begin(whose, userId === undefined ? ofPlaceMax : OF_USER_MAX)) {
      return refuseLater(done);
    }
    // From here on `close` always fires, even if the client disconnects before the response.
    reply.raw.once('close', () => underWay.end(whose));
    done();
  });
}
