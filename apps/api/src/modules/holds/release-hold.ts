/** The release of a hold that a dispute or a fraud warning placed: it always needs a vote (decision 0022). */
import { z } from 'zod';
import type { Action } from '../../capability.ts';
import { AppError } from '../../platform/errors.ts';
import { lockCustomer, selectHolds, type HoldRow } from './holds.sql.ts';
import { liftHold, type HoldDeps } from './holds.ts';
import type { Tx } from '../../platform/database/database.ts';

const release = z.object({ uuid: z.string(), holdId: z.int() });
type Release = z.output<typeof release>;

/** Locks the customer. Throws `not_found` for an unknown or deleted customer, and for a hold that is not standing. */
export async function requireHold(tx: Tx, { uuid, holdId }: Release) {
  const customer = await lockCustomer(tx, uuid);
  if (customer === undefined) throw new AppError('not_found');
  const hold = (await selectHolds(tx, customer.userId)).find(({ id }) => id === BigInt(holdId));
  if (hold === undefined || hold.lifted_at !== null) throw new AppError('not_found');
  return { customer, hold };
}

const factsOf = ({ kinds, cause, cause_id: causeId, reason, ends_at: endsAt }: HoldRow) => ({
  kinds,
  cause,
  cause_id: causeId,
  reason,
  ends_at: endsAt,
});

export const releaseAction: Action<Pick<HoldDeps, 'clock' | 'ledger'>, Release> = {
  name: 'hold.release',
  subjectType: 'customer',
  permission: 'customers.release',
  policy: 'releasePolicy',
  unit: 'ATH',
  payload: release,
  async lock(_deps, tx, { payload }) {
    await lockCustomer(tx, payload.uuid);
  },
  async preview(_deps, tx, { payload }) {
    const { customer, hold } = await requireHold(tx, payload);
    if (hold.cause === 'debt') {
      throw new AppError('approval_required', { detail: 'This hold ends with its debt.' });
    }
    const { uuid } = payload;
    const before = factsOf(hold);
    return {
      subjectId: uuid,
      version: JSON.stringify(before),
      customer: { ...customer, uuid },
      before,
      after: { lifted: true },
    };
  },
  async execute(deps, tx, { payload, requestedBy }) {
    const { customer, hold } = await requireHold(tx, payload);
    const cause = { kind: hold.cause, id: hold.cause_id };
    const liftedBy = requestedBy.staffId;
    await liftHold(deps, tx, { userId: customer.userId, cause, liftedBy });
  },
};
