import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Db, Tx } from '../../platform/database/database.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import {
  requireOthersAccount,
  type SignedInStaff,
} from '../../platform/console/signed-in-staff.ts';
import { dateOf } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { lockCustomer, selectHolds, selectUserIdByUuid, type HoldRow } from './holds.sql.ts';
import { liftHold, placeHold, type HoldDeps } from './holds.ts';

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

/** The customer on whom somebody acts. Throws `not_found` for an unknown or deleted one, and `own_account`. */
async function requireCustomer(tx: Tx, staff: SignedInStaff, uuid: string): Promise<bigint> {
  const customer = await lockCustomer(tx, uuid);
  if (customer === undefined) throw new AppError('not_found');
  requireOthersAccount(staff, customer);
  return customer.userId;
}

export function registerHoldRoutes(app: FastifyInstance, deps: ConsoleDeps & HoldDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.customerHolds, async ({ params: { uuid } }) => {
    const userId = await selectUserIdByUuid(db, uuid);
    if (userId === undefined) throw new AppError('not_found');
    return presentHolds(db, userId);
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.placeHold,
    async ({ tx, params: { uuid }, body, staff, key, record }) => {
      const { kinds, reason, ends_at: endsText } = body;
      const endsAt = endsText === undefined ? undefined : new Date(endsText);
      const userId = await requireCustomer(tx, staff, uuid);
      if (endsAt !== undefined && endsAt <= dateOf(clock)) {
        throw new AppError('invalid_request', { detail: 'Choose an end that is still to come.' });
      }
      await record({ subjectId: uuid, after: { kinds, reason, ends_at: endsAt ?? null } });
      const cause = { kind: 'staff', id: key } as const;
      await placeHold(deps, tx, { userId, kinds, cause, reason, endsAt, placedBy: staff.staffId });
      return presentHolds(tx, userId);
    },
  );

  consoleEndpoint(
    app,
    deps,
    consoleApi.releaseHold,
    async ({ tx, params: { uuid, id }, body: { reason }, staff, record }) => {
      const userId = await requireCustomer(tx, staff, uuid);
      const hold = (await selectHolds(tx, userId)).find((row) => row.id === BigInt(id));
      if (hold === undefined || hold.lifted_at !== null) throw new AppError('not_found');
      if (hold.cause !== 'staff') {
        throw new AppError('approval_required', {
          detail: 'This hold ends with its dispute, warning or debt.',
        });
      }
      await record({ subjectId: uuid, before: { hold: id, kinds: hold.kinds }, after: { reason } });
      const cause = { kind: hold.cause, id: hold.cause_id };
      await liftHold(deps, tx, { userId, cause, liftedBy: staff.staffId });
      return presentHolds(tx, userId);
    },
  );
}
