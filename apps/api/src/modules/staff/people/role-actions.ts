/**
 * Assigning roles that can move money, those of the programme, and the owner's: one person alone can never do it (decision 0022). Each
 * action runs the function of the direct act, as the requester and with the requester's current permissions.
 */
import { z } from 'zod';
import {
  combineGrants,
  MARKS,
  mayAct,
  PERMISSIONS,
  type Permission,
} from '@athos/contract/console/permissions';
import { ORGANISATIONS } from '@athos/contract/console/staff';
import type { Action, ActionCall } from '../../../capability.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { tryOut } from '../../../platform/database/try-out.ts';
import { AppError } from '../../../platform/errors.ts';
import { changeDuties, inviteStaff, requireRoles } from './manage-people.ts';
import { addedGrants, changeRole, createRole, lockOwnRole } from './manage-roles.ts';
import { lockOwners, lockPeople, lockStaff, selectRolesOf, type RoleRow } from './people.sql.ts';
import type { RoleDetail } from './roles.sql.ts';
import { grantsOf, takesVote, type Actor } from './who-may.ts';

interface RoleDeps {
  readonly clock: Clock;
}

const roleGrants = z.partialRecord(z.enum(PERMISSIONS), z.enum(MARKS));
const duties = z.object({ roleIds: z.array(z.string()), venueIds: z.array(z.number()) });
const invitation = duties.extend({
  email: z.string(),
  name: z.string(),
  organisation: z.enum(ORGANISATIONS),
});
const dutyChange = duties.extend({ staffId: z.string() });
const programmeRole = z.object({ id: z.string(), title: z.string(), grants: roleGrants });
type DutyChange = z.output<typeof dutyChange>;
type ProgrammeRole = z.output<typeof programmeRole>;

/** The requester with their current permissions. Throws `permission_missing` if they no longer have this permission. */
export async function actorOf(
  tx: Tx,
  { requestedBy }: Pick<ActionCall<unknown>, 'requestedBy'>,
  permission: Permission = 'staff.manage',
): Promise<Actor> {
  const grants = combineGrants((await selectRolesOf(tx, requestedBy.staffId)).map(grantsOf));
  if (!mayAct(grants[permission])) {
    throw new AppError('permission_missing', { extra: { permission } });
  }
  return { ...requestedBy, grants };
}

/** The versions of the roles. A role that has been changed since is not the one that the voters were shown. */
const versionOf = (roles: readonly RoleRow[]): string =>
  roles.map(({ id, version }) => `${id} ${version}`).join(', ');

/** Each mark is shown separately, so that voters see the ones that change. */
const shownRole = ({ title, grants }: Pick<RoleDetail, 'title' | 'grants'>) => ({
  title,
  ...grants,
});

const shared = { permission: 'staff.manage', policy: 'rolePolicy', unit: 'ATH' } as const;
const aboutStaff = { ...shared, subjectType: 'staff', lock: () => Promise.resolve() } as const;
const aboutRole = {
  ...shared,
  subjectType: 'role',
  payload: programmeRole,
  lockFirst: (tx: Tx) => lockOwners(tx),
  lock: () => Promise.resolve(),
} as const;

export const inviteAction: Action<RoleDeps, z.output<typeof invitation>> = {
  ...aboutStaff,
  name: 'staff.invite',
  payload: invitation,
  lockFirst: (tx, _payload, people) => lockPeople(tx, people),
  async preview({ clock }, tx, { id, payload, ...call }) {
    const staff = await actorOf(tx, call);
    await tryOut(tx, () => inviteStaff(tx, { staff, clock }, { id, ...payload }));
    const version = versionOf(await requireRoles(tx, payload.roleIds));
    return { subjectId: id, version, before: null, after: payload };
  },
  async execute({ clock }, tx, { id, payload, ...call }) {
    await inviteStaff(tx, { staff: await actorOf(tx, call), clock }, { id, ...payload });
  },
};

export const rolesAction: Action<RoleDeps, DutyChange> = {
  ...aboutStaff,
  name: 'staff.roles',
  payload: dutyChange,
  lockFirst: (tx, { staffId }, people) => lockPeople(tx, [...people, staffId]),
  async preview({ clock }, tx, { payload, ...call }) {
    const staff = await actorOf(tx, call);
    const { staffId, ...after } = payload;
    const { before } = await tryOut(tx, () => changeDuties(tx, { staff, clock }, payload));
    const person = await lockStaff(tx, staffId);
    const roles = versionOf(await requireRoles(tx, payload.roleIds));
    return { subjectId: staffId, version: `${person?.version} ${roles}`, before, after };
  },
  async execute({ clock }, tx, { payload, ...call }) {
    await changeDuties(tx, { staff: await actorOf(tx, call), clock }, payload);
  },
};

export const createRoleAction: Action<RoleDeps, ProgrammeRole> = {
  ...aboutRole,
  name: 'role.create',
  async preview({ clock }, tx, { payload, ...call }) {
    const acting = { staff: await actorOf(tx, call), now: dateOf(clock) };
    await tryOut(tx, () => createRole(tx, acting, payload));
    return { subjectId: payload.id, version: 'new', before: null, after: shownRole(payload) };
  },
  async execute({ clock }, tx, { payload, ...call }) {
    await createRole(tx, { staff: await actorOf(tx, call), now: dateOf(clock) }, payload);
  },
};

export const changeRoleAction: Action<RoleDeps, ProgrammeRole> = {
  ...aboutRole,
  name: 'role.change',
  async preview(_deps, tx, { payload, ...call }) {
    const staff = await actorOf(tx, call);
    const { before } = await tryOut(tx, () => changeRole(tx, staff, payload));
    const { id: subjectId } = payload;
    const shown = { before: shownRole(before), after: shownRole(payload) };
    return { subjectId, version: `${before.version}`, ...shown };
  },
  async execute(_deps, tx, { payload, ...call }) {
    await changeRole(tx, await actorOf(tx, call), payload);
  },
};

/** Whether an invitation, or a change of a person's roles, assigns a role that needs a vote. */
export async function givesMuch(
  tx: Tx,
  roleIds: readonly string[],
  staffId?: string,
): Promise<boolean> {
  const held = staffId === undefined ? [] : await selectRolesOf(tx, staffId);
  const given = await requireRoles(tx, roleIds);
  return given.some((role) => takesVote(role) && !held.some(({ id }) => id === role.id));
}

/** Whether a change of a role adds a permission. Removing permissions and changing the title need no vote. */
export async function grantsMore(
  tx: Tx,
  { id, grants }: Pick<ProgrammeRole, 'id' | 'grants'>,
): Promise<boolean> {
  return Object.keys(addedGrants(await lockOwnRole(tx, id), grants)).length > 0;
}
