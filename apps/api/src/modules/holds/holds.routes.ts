import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Db, Tx } from '../../platform/database/database.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import { selectHolds, selectUserIdByUuid, type HoldRow } from './holds.sql.ts';
import { liftHold, type HoldDeps } from './holds.ts';
import { placeHoldByStaff } from './place-by-staff.ts';
import { releaseAction, requireHold } from './release-hold.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';

const staffOf = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' };

const presentHold = (row: HoldRow) => ({
  id: Number(row.id),
  kinds: row.kinds,
  cause: row.cause,
  cause_id: row.cause_id,
  reason: row.reason,
  placed_at: row.placed_at.toISOString(),
  placed_by: staffOf(row.placed_by, row.placed_by_name),
  ends_at: row.ends_at?.toISOString() ?? null,
  lifted_at: row.lifted_at?.toISOString() ?? null,
  lifted_by: staffOf(row.lifted_by, row.lifted_by_name),
});

const presentHolds = async (db: Db | Tx, userId: bigint) => ({
  items: (await selectHolds(db, userId)).map(presentHold),
});

export function registerHoldRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps & HoldDeps & PerformDeps,
): void {
  const { db } = deps;

  consoleEndpoint(app, deps, consoleApi.customerHolds, async ({ params: { uuid } }) => {
    const userId = await selectUserIdByUuid(db, uuid);
    if (userId === undefined) throw new AppError('not_found');
    return presentHolds(db, userId);
  });

  consoleEndpoint(app, deps, consoleApi.placeHold, async ({ params: { uuid }, body, ...act }) => {
    const { kinds, reason, ends_at: endsText } = body;
    const endsAt = endsText === undefined ? undefined : new Date(endsText);
    await placeHoldByStaff(deps, act, { uuid, kinds, reason, endsAt });
    const userId = await selectUserIdByUuid(act.tx, uuid);
    if (userId === undefined) throw new AppError('not_found');
    return presentHolds(act.tx, userId);
  });

  consoleEndpoint(app, deps, consoleApi.releaseHold, async (act) => {
    const { tx, params, body, staff, record } = act;
    const payload = { uuid: params.uuid, holdId: params.id };
    // `perform` locks the requester before the customer, so nothing may be locked before the number of votes is known.
    const userId = await selectUserIdByUuid(tx, params.uuid);
    const holds = userId === undefined ? [] : await selectHolds(tx, userId);
    if (holds.find(({ id }) => id === BigInt(params.id))?.cause !== 'staff') {
      return perform(deps, act, releaseAction, { payload, reason: body.reason });
    }
    const { customer, hold } = await requireHold(tx, payload);
    requireOthersAccount(staff, customer);
    const before = { hold: params.id, kinds: hold.kinds };
    await record({ subjectId: params.uuid, before, after: { reason: body.reason } });
    const cause = { kind: hold.cause, id: hold.cause_id };
    await liftHold(deps, tx, { userId: customer.userId, cause, liftedBy: staff.staffId });
    return { outcome: 'done' };
  });
}
