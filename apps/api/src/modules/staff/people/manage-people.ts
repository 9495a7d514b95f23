/** Inviting, changing, suspending and removing staff. Each function runs in the transaction of its act. */
import type { Organisation } from '@athos/contract/console/staff';
import type { StaffState } from '@athos/contract/console/people';
import type { EndStaffWork } from '../../../capability.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { deleteFactors, selectFactors } from '../factors/factors.sql.ts';
import { deleteInvites } from '../invites/invites.sql.ts';
import { deleteFreeSessions, deleteSessions } from '../sessions/staff-sessions.sql.ts';
import {
  bumpVersion,
  insertStaff,
  isWallet,
  lockOwners,
  lockStaff,
  OWNER_ROLE,
  replaceRoles,
  replaceVenues,
  selectOwnerIds,
  selectRoles,
  selectRolesOf,
  selectVenueIds,
  updatePasswordHash,
  updateState,
  updateWallet,
  type RoleRow,
  type StaffRow,
} from './people.sql.ts';
import { requireAssignable, requireManageable, type Actor } from './who-may.ts';

interface Acting {
  readonly staff: Actor;
  readonly clock: Clock;
}

/** Locks a person. Throws `not_found`. */
async function lockPerson(tx: Tx, staffId: string): Promise<StaffRow> {
  // Locked before any person, because the decision may depend on who the owners are.
  await lockOwners(tx);
  const person = await lockStaff(tx, staffId);
  if (person === undefined) throw new AppError('not_found');
  return person;
}

/** Locks a person whom the actor may manage. Throws the errors of `requireManageable`. */
async function lockManaged(
  tx: Tx,
  actor: Actor,
  staffId: string,
): Promise<{ readonly person: StaffRow; readonly roles: readonly RoleRow[] }> {
  const person = await lockPerson(tx, staffId);
  const roles = await selectRolesOf(tx, staffId);
  requireManageable(actor, person, roles);
  return { person, roles };
}

/** Throws `last_owner` if no owner would remain. */
async function requireOwnerBeside(tx: Tx, staffId: string): Promise<void> {
  const ownerIds = await selectOwnerIds(tx);
  if (ownerIds.length === 1 && ownerIds[0] === staffId) throw new AppError('last_owner');
}

export async function requireRoles(tx: Tx, roleIds: readonly string[]): Promise<RoleRow[]> {
  const wanted = new Set(roleIds);
  const roles = await selectRoles(tx, [...wanted]);
  if (roles.length < wanted.size) throw new AppError('not_found', { detail: 'No such role.' });
  return roles;
}

const noSuchVenue = () => new AppError('not_found', { detail: 'No such venue.' });

/**
 * Throws `venue_required` if an actor who is bound to venues would let the person see all venues, and `not_found` for a venue that such
 * an actor may not see. The person's existing venues may stay.
 */
async function requireVenues(
  tx: Tx,
  { staffId }: Actor,
  { held, venueIds }: { readonly held?: readonly number[]; readonly venueIds: readonly number[] },
): Promise<void> {
  const seesAll = held?.length === 0;
  const own = await selectVenueIds(tx, staffId);
  if (own.length === 0 || seesAll) return;
  if (venueIds.length === 0) {
    throw new AppError('venue_required', {
      detail: 'You see some venues only: choose among them.',
    });
  }
  const added = venueIds.filter((id) => held?.includes(id) !== true);
  if (!added.every((id) => own.includes(id))) throw noSuchVenue();
}

async function bindVenues(tx: Tx, staffId: string, venueIds: readonly number[]): Promise<void> {
  if (!(await replaceVenues(tx, staffId, venueIds))) throw noSuchVenue();
}

const requireState = ({ state }: StaffRow, ...states: readonly StaffState[]): void => {
  if (!states.includes(state)) throw new AppError('staff_state', { extra: { state } });
};

interface Invitation {
  /** The id of the future person. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly organisation: Organisation;
  readonly roleIds: readonly string[];
  readonly venueIds: readonly number[];
}

const mailInvite = (tx: Tx, staffId: string, by: string): Promise<void> =>
  enqueueJob(tx, 'staff_mail_invite', { staffId, by }, { key: `staff_mail_invite ${staffId}` });

/** Throws `staff_exists` if the address belongs to a member of staff. */
export async function inviteStaff(
  tx: Tx,
  { staff: actor, clock }: Acting,
  { id, email, name, organisation, roleIds, venueIds }: Invitation,
): Promise<void> {
  const now = dateOf(clock);
  if (actor.organisation === 'brand' && organisation !== 'brand') {
    throw new AppError('foreign_staff');
  }
  const roles = await requireRoles(tx, roleIds);
  requireAssignable(actor, { organisation, roles, added: roles });
  await requireVenues(tx, actor, { venueIds });
  const staffId = await insertStaff(tx, { id, email, name, organisation, now });
  if (staffId === undefined) throw new AppError('staff_exists');
  await replaceRoles(tx, staffId, { roleIds, by: actor.staffId, now });
  await bindVenues(tx, staffId, venueIds);
  await mailInvite(tx, staffId, actor.staffId);
}

export async function inviteAgain(tx: Tx, { staff }: Acting, staffId: string): Promise<void> {
  const { person } = await lockManaged(tx, staff, staffId);
  requireState(person, 'invited');
  await deleteInvites(tx, staffId);
  await mailInvite(tx, staffId, staff.staffId);
}

interface Duties {
  readonly roleIds: readonly string[];
  readonly venueIds: readonly number[];
}

interface DutyChange extends Duties {
  readonly staffId: string;
}

/** Returns the earlier roles and venues, and the new version. */
export async function changeDuties(
  tx: Tx,
  { staff: actor, clock }: Acting,
  { staffId, roleIds, venueIds }: DutyChange,
): Promise<{ readonly before: Duties; readonly version: number }> {
  const { person, roles: held } = await lockManaged(tx, actor, staffId);
  requireState(person, 'invited', 'active', 'suspended');
  const roles = await requireRoles(tx, roleIds);
  const heldIds = held.map(({ id }) => id);
  const added = roles.filter(({ id }) => !heldIds.includes(id));
  requireAssignable(actor, { organisation: person.organisation, roles, added });
  if (!roleIds.includes(OWNER_ROLE)) await requireOwnerBeside(tx, staffId);
  const before = { roleIds: heldIds, venueIds: await selectVenueIds(tx, staffId) };
  await requireVenues(tx, actor, { held: before.venueIds, venueIds });
  await replaceRoles(tx, staffId, { roleIds, by: actor.staffId, now: dateOf(clock) });
  await bindVenues(tx, staffId, venueIds);
  return { before, version: await bumpVersion(tx, staffId) };
}

/** Withdraws the person's open requests and access. Returns the previous state. */
async function takeAway(
  tx: Tx,
  person: StaffRow,
  state: 'suspended' | 'left',
  { endWork, clock }: Pick<Ending, 'endWork' | 'clock'>,
): Promise<StaffState> {
  const { staffId } = person;
  await requireOwnerBeside(tx, staffId);
  await updateState(tx, staffId, state);
  await deleteInvites(tx, staffId);
  for (const end of endWork) await end(tx, staffId, dateOf(clock));
  // The state alone ends every session. Rows that are locked now are deleted when the person is reactivated.
  await deleteFreeSessions(tx, staffId);
  return person.state;
}

interface Ending extends Acting {
  readonly endWork: readonly EndStaffWork[];
}

export async function suspendStaff(
  tx: Tx,
  { staff, ...ending }: Ending,
  staffId: string,
): Promise<StaffState> {
  const { person } = await lockManaged(tx, staff, staffId);
  requireState(person, 'invited', 'active');
  return takeAway(tx, person, 'suspended', ending);
}

/** A person who never accepted an invite goes back to invited. */
export async function reactivateStaff(
  tx: Tx,
  { staff }: Acting,
  staffId: string,
): Promise<StaffState> {
  const { person } = await lockManaged(tx, staff, staffId);
  requireState(person, 'suspended');
  await deleteSessions(tx, staffId, {});
  const factors = await selectFactors(tx, staffId);
  const hasSignIn = person.passwordHash !== null || factors.length > 0;
  const state = hasSignIn ? 'active' : 'invited';
  await updateState(tx, staffId, state);
  if (state === 'invited') await mailInvite(tx, staffId, staff.staffId);
  return state;
}

/** Deletes password and factors permanently. The row stays, since the audit refers to it. People may end their own access. */
export async function endStaff(
  tx: Tx,
  { staff, ...ending }: Ending,
  staffId: string,
): Promise<StaffState> {
  const isOwn = staffId === staff.staffId;
  const person = isOwn
    ? await lockPerson(tx, staffId)
    : (await lockManaged(tx, staff, staffId)).person;
  requireState(person, 'invited', 'active', 'suspended');
  const before = await takeAway(tx, person, 'left', ending);
  await deleteFactors(tx, staffId);
  await updatePasswordHash(tx, staffId, null);
  return before;
}

/** For a person who lost password and factors: deletes both and mails a new invite. */
export async function resetStaff(
  tx: Tx,
  { staff, endWork, clock }: Ending,
  staffId: string,
): Promise<void> {
  const { person } = await lockManaged(tx, staff, staffId);
  requireState(person, 'active');
  await requireOwnerBeside(tx, staffId);
  for (const end of endWork) await end(tx, staffId, dateOf(clock));
  await deleteFactors(tx, staffId);
  await updatePasswordHash(tx, staffId, null);
  await updateState(tx, staffId, 'invited');
  await deleteFreeSessions(tx, staffId);
  await mailInvite(tx, staffId, staff.staffId);
}

/** Returns the previous wallet. Throws `recipient_not_found` if there is no such wallet. */
export async function setWallet(
  tx: Tx,
  staff: Actor,
  staffId: string,
  walletUuid: string | null,
): Promise<string | null> {
  const { person } = await lockManaged(tx, staff, staffId);
  await requireWallet(tx, walletUuid);
  await updateWallet(tx, staffId, walletUuid);
  return person.walletUuid;
}

/** Works only once. A person who could change their wallet could act on their real wallet. Throws `wallet_named`. */
export async function nameOwnWallet(tx: Tx, { staffId }: Actor, walletUuid: string): Promise<void> {
  const person = await lockStaff(tx, staffId);
  if (person?.walletUuid === walletUuid) return;
  if (person?.walletUuid !== null) throw new AppError('wallet_named');
  await requireWallet(tx, walletUuid);
  await updateWallet(tx, staffId, walletUuid);
}

async function requireWallet(tx: Tx, walletUuid: string | null): Promise<void> {
  if (walletUuid !== null && !(await isWallet(tx, walletUuid))) {
    throw new AppError('recipient_not_found');
  }
}

/** Ends one session of a person, or all. Returns the number ended. */
export async function endSessionsOf(
  tx: Tx,
  staff: Actor,
  { staffId, sessionId }: { readonly staffId: string; readonly sessionId?: string },
): Promise<number> {
  // An act of the person locks their session before their row, so this does too. It waits until such an act has ended.
  const endedCount = await deleteSessions(
    tx,
    staffId,
    sessionId === undefined ? {} : { id: sessionId },
  );
  await lockManaged(tx, staff, staffId);
  return endedCount;
}
