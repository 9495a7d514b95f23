import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Db } from '../../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { callerOf } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { CACHED_BRIEFLY } from '../catalogue/answer-memory.ts';
import { selectTier, selectTiers, type Tier } from './tiers.sql.ts';

interface TierDeps extends EndpointDeps {
  readonly db: Db;
}

/** The tiers are public, so these reads may use only a few of the database's connections. */
const READS = { atOnceMax: 2, waitingMax: 2_000, waitMaxMs: 2_000 };

/** A tier in the response. */
export const presentTier = ({ id, title, amountMicroAth, color, note }: Tier) => ({
  id,
  title,
  amount: amountMicroAth.toString(),
  color,
  note,
});

export function registerTierRoutes(app: FastifyInstance, deps: TierDeps): void {
  const readGate = createGate(READS);

  endpoint(app, deps, api.tiers, async ({ request, reply }) => {
    const tiers = await readGate(callerOf(request), () => selectTiers(deps.db));
    reply.header('cache-control', CACHED_BRIEFLY);
    return { tiers: tiers.map(presentTier) };
  });

  endpoint(app, deps, api.tier, async ({ params, request, reply }) => {
    const tier = await readGate(callerOf(request), () => selectTier(deps.db, params.id));
    if (tier === undefined) throw new AppError('not_found');
    reply.header('cache-control', CACHED_BRIEFLY);
    return presentTier(tier);
  });
}
