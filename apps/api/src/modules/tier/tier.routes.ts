import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Db } from '../../platform/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { selectTier, selectTiers, type TierRow } from './tier.sql.ts';

interface TierDeps extends EndpointDeps {
  readonly db: Db;
}

/** Tiers change by hand a few times a year. */
const CACHE = 'public, max-age=10, stale-while-revalidate=60';

const presentTier = ({ id, title, amount_micro_ath, color, note }: TierRow) => ({
  id,
  title,
  amount: amount_micro_ath.toString(),
  color,
  note,
});

export function registerTierRoutes(app: FastifyInstance, deps: TierDeps): void {
  endpoint(app, deps, api.tiers, async ({ reply }) => {
    reply.header('cache-control', CACHE);
    return { tiers: (await selectTiers(deps.db)).map(presentTier) };
  });

  endpoint(app, deps, api.tier, async ({ params, reply }) => {
    const tier = await selectTier(deps.db, params.id);
    if (tier === undefined) throw new AppError('not_found');
    reply.header('cache-control', CACHE);
    return presentTier(tier);
  });
}
