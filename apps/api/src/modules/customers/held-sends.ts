/** How staff see a customer's sends that have not arrived yet, and return one (decision 0058). */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint } from '../../platform/console/console-endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { selectUserByUuid } from '../identity/index.ts';
import { returnHeldSend, selectLive } from '../transfers/index.ts';
import type { ActDeps } from './acts.routes.ts';
import { requireCustomer } from './acts.ts';

export type HeldSendDeps = ActDeps & { readonly ledger: Ledger };

export function registerHeldSends(app: FastifyInstance, deps: HeldSendDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.customerHeldSends, async ({ params }) => {
    const user = await selectUserByUuid(db, params.uuid);
    if (user === undefined) throw new AppError('not_found');
    const live = await selectLive(db, user.id);
    return {
      server_time: dateOf(clock).toISOString(),
      items: live.map(({ id, post_at: postAt, amount_units: units, asset, toUuid }) => ({
        id,
        to_uuid: toUuid,
        asset,
        amount_units: units.toString(),
        post_at: postAt.toISOString(),
      })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.returnHeldSend, async ({ params, body, ...act }) => {
    const { uuid, id } = params;
    const { id: userId } = await requireCustomer(act, uuid);
    await returnHeldSend(deps, act.tx, {
      userId,
      id,
      record: ({ asset, amount_units: units }) =>
        act.record({
          subjectId: uuid,
          before: { send: id, asset, amount_units: units.toString() },
          after: { reason: body.reason },
        }),
    });
    return { success: true } as const;
  });
}
