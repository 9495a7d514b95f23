import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { userCaller } from '../../platform/limits/caller.ts';
import { createGate } from '../../platform/limits/gate.ts';
import { deviceOf } from '../identity/index.ts';
import { claimReward, type ClaimDeps } from './claim-reward.ts';

/**
 * Claims of one campaign wait for each other while each holds a connection, so more at once would only occupy connections.
 * `waitMaxMs` is below the timeout of a request.
 */
const CLAIMS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 1 };

export function registerCampaignRoutes(app: FastifyInstance, deps: ClaimDeps & EndpointDeps): void {
  const claimGate = createGate(CLAIMS);

  endpoint(app, deps, api.redeemReward, async ({ user, params, key, request }) => {
    const claim = {
      userId: user.userId,
      key,
      codeText: params.id,
      networkAddress: request.ip,
      device: deviceOf(request, deps.config.hashingKey),
    };
    const { amount, claimedAt } = await claimGate(userCaller(user.userId), () =>
      claimReward(deps, claim),
    );
    return { amount: amount.toString(), claimed_at: claimedAt.toISOString() };
  });
}
