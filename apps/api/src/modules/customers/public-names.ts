/** How staff see the names that a customer chose, and remove one (decision 0067). */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint } from '../../platform/console/console-endpoint.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { selectProfile, updateRemovedHandle, updateRemovedName } from '../profiles/index.ts';
import type { ActDeps } from './acts.routes.ts';
import { requireCustomer } from './acts.ts';

export async function presentPublicNames(db: Db, userId: bigint) {
  const { displayName, showsName, handle, isFindable } = await selectProfile(db, userId);
  return {
    display_name: displayName,
    shows_name: showsName,
    handle,
    is_findable: isFindable,
  };
}

export function registerPublicNameActs(app: FastifyInstance, deps: ActDeps): void {
  consoleEndpoint(app, deps, consoleApi.removePublicNames, async ({ params, body, ...act }) => {
    const { tx, record } = act;
    const { display_name: displayName, handle, reason } = body;
    const { id: userId } = await requireCustomer(act, params.uuid);
    const at = dateOf(deps.clock);
    const isSame =
      (displayName === undefined || (await updateRemovedName(tx, userId, displayName))) &&
      (handle === undefined || (await updateRemovedHandle(tx, userId, { handle, at })));
    if (!isSame) {
      throw new AppError('state_changed', { detail: 'Nothing was removed. Look at it again.' });
    }
    const before = {
      ...(displayName !== undefined && { display_name: displayName }),
      ...(handle !== undefined && { handle }),
    };
    await record({ subjectId: params.uuid, before, after: { reason } });
    return { success: true } as const;
  });
}
