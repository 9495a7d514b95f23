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

/** Wallets ask every 6 s; a shared cache may answer most of them, and the rate is at most this much late. */
const CACHE = 'public, max-age=2, stale-while-revalidate=4';

/**
 * The rate in memory: read once, then told by notification. After a gap in the notifications it is read again, so polling
 * by many costs the database nothing.
 */
export function createCurrentRate({
  db,
  notifications,
}: Pick<RateDeps, 'db' | 'notifications'>): () => Promise<Rate | undefined> {
  let known: Rate | undefined;
  // Counts what was heard. A look at the database that news overtook is not remembered.
  let newsCount = 0;
  const learn = (rate: Rate | undefined): void => {
    known = rate;
    newsCount += 1;
  };
  notifications.on('rate_published', (text) => learn(parseRate(text)));
  notifications.onGap(() => learn(undefined));
  const look = async (): Promise<Rate | undefined> => {
    const newsBefore = newsCount;
    const read = await selectCurrentRate(db);
    if (newsCount !== newsBefore) return known ?? read;
    if (notifications.isListening()) known = read;
    return read;
  };
  let looking: Promise<Rate | undefined> | undefined;
  return async () => {
    if (known !== undefined && notifications.isListening()) return known;
    // One look for all who ask at once: every wallet asks, and after a gap all of them together.
    return (looking ??= look().finally(() => {
      looking = undefined;
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
