/** The acts of staff for one customer that move no value, whether called separately or as a row of a bulk act. */
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { CustomerAct } from '../../platform/console/act.ts';
import { requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsers, selectFoundUser, type FoundUser, type Sessions } from '../identity/index.ts';
import { insertNote } from './notes.sql.ts';

export interface CustomerActDeps {
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'revokeAll'>;
}

/** Locks the customer. Throws `not_found` for an unknown or closed account, and `own_account`. */
export async function requireCustomer(
  { tx, staff }: Pick<CustomerAct, 'tx' | 'staff'>,
  uuid: string,
): Promise<FoundUser> {
  const known = await selectFoundUser(tx, uuid);
  if (known === undefined) throw new AppError('not_found');
  await lockUsers(tx, [known.id]);
  const user = await selectFoundUser(tx, uuid);
  if (user === undefined || user.closedAt !== null) throw new AppError('not_found');
  requireOthersAccount(staff, user);
  return user;
}

export async function addNote(
  { clock }: CustomerActDeps,
  act: CustomerAct,
  { uuid, text }: { readonly uuid: string; readonly text: string },
): Promise<{ readonly id: string; readonly at: string }> {
  const { tx, staff, record } = act;
  const { id: userId } = await requireCustomer(act, uuid);
  const at = dateOf(clock);
  const { id } = await insertNote(tx, { userId, staffId: staff.staffId, text, at });
  // The entry does not contain the text, because the audit is kept forever and notes are erased with the customer.
  await record({ subjectId: uuid, after: { note: id } });
  return { id: id.toString(), at: at.toISOString() };
}

export async function endSessions(
  { sessions }: CustomerActDeps,
  act: CustomerAct,
  { uuid, reason }: { readonly uuid: string; readonly reason: string },
): Promise<void> {
  const { id: userId } = await requireCustomer(act, uuid);
  await sessions.revokeAll(act.tx, userId);
  await act.record({ subjectId: uuid, after: { reason } });
}
