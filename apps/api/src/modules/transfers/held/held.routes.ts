import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf } from '../../../platform/clock.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { selectLive, sumArriving } from './held-sends.sql.ts';
import type { HoldDeps } from './hold-send.ts';
import { selectKnown } from './send-pairs.sql.ts';
import { createUndoSend } from './undo.ts';

interface HeldRouteDeps extends EndpointDeps, HoldDeps {
  readonly clock: HoldDeps['clock'];
  readonly db: HoldDeps['db'];
  readonly programme: ReadProgramme;
}

export function registerHeldRoutes(app: FastifyInstance, deps: HeldRouteDeps): void {
  const { db, clock, programme } = deps;
  const undoSend = createUndoSend(deps);

  endpoint(app, deps, api.holds, async ({ user, reply }) => {
    const [sent, arriving] = await Promise.all([
      selectLive(db, user.userId),
      sumArriving(db, user.userId),
    ]);
    const arrivingIn = (asset: 'ATH' | 'ATH2' | 'ATH3') => (arriving.get(asset) ?? 0n).toString();
    reply.header('cache-control', 'no-store');
    return {
      server_time: dateOf(clock).toISOString(),
      sent: sent.map(({ id, post_at: postAt, amount_units: units, asset, toUuid }) => ({
        id,
        post_at: postAt.toISOString(),
        amount: units.toString(),
        asset,
        to_uuid: toUuid,
      })),
      arriving: { ATH: arrivingIn('ATH'), ATH2: arrivingIn('ATH2'), ATH3: arrivingIn('ATH3') },
    };
  });

  endpoint(app, deps, api.pastSends, async ({ user, params, reply }) => {
    const { isKnown, lookAlike } = await selectKnown(db, user.userId, params.id);
    reply.header('cache-control', 'no-store');
    const { undoFirstSeconds } = await programme();
    return {
      is_first_time: !isKnown,
      looks_like: lookAlike ?? null,
      warned_seconds: undoFirstSeconds,
    };
  });

  endpoint(app, deps, api.undoHold, async ({ user, params }) => {
    const { state, balanceUnits } = await undoSend({ userId: user.userId, id: params.id });
    return { state, balance: balanceUnits.toString() };
  });
}
