import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { parseRate, rateText, type Rate } from '@athos/domain/money';
import type { Db } from '../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { selectCurrentRate } from './rate.sql.ts';

interface RateDeps extends EndpointDeps {
  readonly db: Db;
  readonly notifications: Notifications;
}

/** Wallets poll every 6 s (spec 7). A shared cache may serve most of them, which delays a new rate by at most 6 s. */
const CACHE = 'public, max-age=2, stale-while-revalidate=4';

/**
 * The current rate, kept in memory: read once, then updated by notifications, so that polling costs no queries. After a gap
 * in the notifications it is read again.
 */
export function createCurrentRate({
  db,
  notifications,
}: Pick<RateDeps, 'db' | 'notifications'>): () => Promise<Rate | undefined> {
  let known: Rate | undefined;
  // Counts notifications, so that a rate read before one is not kept after it.
  let newsCount = 0;
  const learn = (rate: Rate | undefined): void => {
    known = rate;
    newsCount += 1;
  };
  notifications.on('rate_published', (text) => learn(parseRate(text)));
  notifications.onGap(() => learn(undefined));
  const read = async (): Promise<Rate | undefined> => {
    const newsBefore = newsCount;
    const found = await selectCurrentRate(db);
    if (newsCount !== newsBefore) return known ?? found;
    if (notifications.isListening()) known = found;
    return found;
  };
  let reading: Promise<Rate | undefined> | undefined;
  return async () => {
    if (known !== undefined && notifications.isListening()) return known;
    // Concurrent callers share one query: after a gap, every wallet asks at once.
    return (reading ??= read().finally(() => {
      reading = undefined;
    }));
  };
}

export function registerRateRoutes(app: FastifyInstance, deps: RateDeps): void {
  const currentRate = createCurrentRate(deps);

  endpoint(app, deps, api.exchangeRate, async ({ request, reply }) => {
    const rate = await currentRate();
    if (rate === undefined) throw new AppError('rate_unavailable', { retryAfterSeconds: 5 });
    const etag = `"${rateText(rate)}"`;
    reply.header('cache-control', CACHE).header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return { exchange_rate: Number(rateText(rate)) };
  });
}
