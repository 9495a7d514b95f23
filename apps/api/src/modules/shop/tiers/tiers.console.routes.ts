import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { perform, selectPendingOf, type PerformDeps } from '../../approvals/index.ts';
import { ALL_TIERS, changeTiersAction } from './change-tiers.ts';
import { selectHolders } from './holders.sql.ts';
import { lockLadder, selectLadder, selectTiers, selectTierUse } from './tiers.sql.ts';
import { presentTier } from './tiers.routes.ts';

async function presentTiers(db: Db | Tx) {
  const { version } = await selectLadder(db);
  const tiers = await selectTiers(db);
  const use = await selectTierUse(db);
  const requests = await selectPendingOf(db, changeTiersAction.name);
  return {
    version,
    items: tiers.toReversed().map((tier) => ({
      ...presentTier(tier),
      offer_count: use.get(tier.id)?.offerCount ?? 0,
      campaign_count: use.get(tier.id)?.campaignCount ?? 0,
    })),
    request_id: requests.get(ALL_TIERS) ?? null,
  };
}

export function registerTierConsole(app: FastifyInstance, deps: ConsoleDeps & PerformDeps): void {
  const { db } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleTiers, () => presentTiers(db));

  consoleEndpoint(app, deps, consoleApi.tierHolders, async ({ query }) => {
    const { counted_at: countedAt } = await selectLadder(db);
    if (countedAt === null) return { counted_at: null, items: [] };
    const amounts = query.amounts.split(',').map(BigInt);
    return {
      counted_at: countedAt.toISOString(),
      items: (await selectHolders(db, amounts)).map(({ amount, count, isExact }) => ({
        amount: amount.toString(),
        count,
        is_exact: isExact,
      })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.changeTiers, async ({ version, body, ...act }) => {
    const { tx } = act;
    await lockLadder(tx);
    requireVersion(version, await presentTiers(tx));
    const { tiers, reason } = body;
    const performed = await perform(deps, act, changeTiersAction, { payload: { tiers }, reason });
    return performed.outcome === 'requested' ? performed : { ...performed, version: version + 1 };
  });
}
