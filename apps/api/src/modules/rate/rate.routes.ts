import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { rateText, type Rate } from '@athos/domain/money';
import type { Db } from '../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { createRemembered } from '../../platform/database/remembered.ts';
import { selectCurrentRate } from './rate.sql.ts';

interface RateDeps extends EndpointDeps {
  readonly db: Db;
  readonly notifications: Notifications;
}

/** Wallets poll every 6 s (spec 7). A shared cache may serve most of them, which delays a new rate by at most 6 s. */
const CACHE = 'public, max-age=2, stale-while-revalidate=4';

/** The current rate, remembered by the process because wallets poll it. */
export const createCurrentRate = ({
  db,
  notifications,
}: Pick<RateDeps, 'db' | 'notifications'>): (() => Promise<Rate | undefined>) =>
  createRemembered({
    notifications,
    channel: 'rate_published',
    read: () => selectCurrentRate(db),
  });

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
