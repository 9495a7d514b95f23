import type { HoldKind } from '@athos/contract/console/holds';
import { dateOf } from '../../platform/clock.ts';
import type { CustomerAct } from '../../platform/console/act.ts';
import { requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import { lockCustomer } from './holds.sql.ts';
import { placeHold, type HoldDeps } from './holds.ts';

interface HoldByStaff {
  readonly uuid: string;
  readonly kinds: readonly HoldKind[];
  readonly reason: string;
  readonly endsAt: Date | undefined;
}

/**
 * Throws `not_found` for an unknown or deleted customer, and `own_account`. The audit entry comes first, since the ledger is locked last.
 */
export async function placeHoldByStaff(
  deps: HoldDeps,
  { tx, staff, key, record }: CustomerAct,
  { uuid, kinds, reason, endsAt }: HoldByStaff,
): Promise<void> {
  const customer = await lockCustomer(tx, uuid);
  if (customer === undefined) throw new AppError('not_found');
  requireOthersAccount(staff, customer);
  if (endsAt !== undefined && endsAt <= dateOf(deps.clock)) {
    throw new AppError('invalid_request', { detail: 'Choose an end that is still to come.' });
  }
  await record({ subjectId: uuid, after: { kinds, reason, ends_at: endsAt ?? null } });
  const cause = { kind: 'staff', id: key } as const;
  const { userId } = customer;
  await placeHold(deps, tx, { userId, kinds, cause, reason, endsAt, placedBy: staff.staffId });
}
