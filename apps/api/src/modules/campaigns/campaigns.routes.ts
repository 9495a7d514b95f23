import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { deviceOf } from '../identity/index.ts';
import { createClaimReward, type ClaimDeps } from './claim-reward.ts';

export function registerCampaignRoutes(app: FastifyInstance, deps: ClaimDeps & EndpointDeps): void {
  const claimReward = createClaimReward(deps);

  endpoint(app, deps, api.redeemReward, async ({ user, params, key, request }) => {
    const { amount, claimedAt } = await claimReward({
      userId: user.userId,
      key,
      codeText: params.id,
      networkAddress: request.ip,
      device: deviceOf(request, deps.config.hashingKeys),
    });
    return { amount: amount.toString(), claimed_at: claimedAt.toISOString() };
  });
}
