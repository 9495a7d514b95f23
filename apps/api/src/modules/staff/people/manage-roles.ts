/** Custom roles. Built-in roles are part of the contract and never change. */
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  PERMISSIONS,
  type Grants,
} from '@athos/contract/console/permissions';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockOwners } from './people.sql.ts';
import {
  deleteRole,
  insertRole,
  lockRole,
  selectHolders,
  updateRole,
  type RoleDetail,
} from './roles.sql.ts';
import { grantsOf, requireCompatible, requireHeld, type Actor } from './who-may.ts';

export const presentRole = ({ id, title, grants, version, staffCount }: RoleDetail) => ({
  id,
  title,
  is_built_in: grants === null,
  grants: grantsOf({ id, grants }),
  version,
  staff_count: staffCount,
});

/** Throws `invalid_request` for a mark that no built-in role has for the permission, because the marks of one permission must combine. */
function requireKnownMarks(grants: Grants): void {
  const unknown = PERMISSIONS.find((permission) => {
    const isPlain = BUILT_IN_ROLES.some((role) => BUILT_IN_GRANTS[role][permission] === '●');
    const mark = grants[permission];
    return mark !== undefined && (mark === '●') !== isPlain;
  });
  if (unknown !== undefined) {
    throw new AppError('invalid_request', {
      detail: `The mark for ${unknown} is of another kind than in the built-in roles.`,
    });
  }
}

interface NewRole {
  readonly id: string;
  readonly title: string;
  readonly grants: Grants;
}

/** Throws `permission_not_held`, and `role_exists`. */
export async function createRole(
  tx: Tx,
  { staff, now }: { readonly staff: Pick<Actor, 'grants'>; readonly now: Date },
  role: NewRole,
): Promise<void> {
  requireKnownMarks(role.grants);
  requireHeld(staff, role.grants);
  if (!(await insertRole(tx, { ...role, now }))) throw new AppError('role_exists');
}

/** Locks a custom role. Throws `not_found`, and `built_in_role`. */
export async function lockOwnRole(tx: Tx, id: string): Promise<RoleDetail> {
  // Assigning roles and changing one take the same lock, so that together they cannot create a forbidden combination.
  await lockOwners(tx);
  const role = await lockRole(tx, id);
  if (role === undefined) throw new AppError('not_found');
  if (role.grants === null) throw new AppError('built_in_role');
  return role;
}

/** The grants that the role would have and does not have yet, or has with another mark. */
export const addedGrants = (before: Pick<RoleDetail, 'grants'>, grants: Grants): Grants =>
  Object.fromEntries(
    PERMISSIONS.flatMap((permission) =>
      grants[permission] === undefined || grants[permission] === before.grants?.[permission]
        ? []
        : [[permission, grants[permission]]],
    ),
  );

/**
 * Returns the previous role and the new version. The actor need not hold the removed permissions. Throws `foreign_staff`,
 * `permission_not_held`, and `roles_conflict` if somebody holds it together with the auditor's role.
 */
export async function changeRole(
  tx: Tx,
  staff: Actor,
  role: NewRole,
): Promise<{ readonly before: RoleDetail; readonly version: number }> {
  const before = await lockOwnRole(tx, role.id);
  const holders = await selectHolders(tx, role.id);
  if (
    staff.organisation === 'brand' &&
    holders.some(({ organisation }) => organisation !== 'brand')
  ) {
    throw new AppError('foreign_staff');
  }
  requireKnownMarks(role.grants);
  requireHeld(staff, addedGrants(before, role.grants));
  const newVersion = await updateRole(tx, role);
  for (const { organisation, roles } of await selectHolders(tx, role.id)) {
    requireCompatible(organisation, roles);
  }
  return { before, version: newVersion };
}

/** Returns the role. Throws `role_in_use` while somebody holds it. */
export async function removeRole(tx: Tx, id: string): Promise<RoleDetail> {
  const role = await lockOwnRole(tx, id);
  if (role.staffCount > 0) throw new AppError('role_in_use');
  await deleteRole(tx, id);
  return role;
}
