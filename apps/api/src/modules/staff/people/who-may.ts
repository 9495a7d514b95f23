/** Which people a member of staff may manage, and which roles they may assign. */
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  combineGrants,
  isWriting,
  mayDecide,
  movesMoney,
  PERMISSIONS,
  type BuiltInRole,
  type Grants,
} from '@athos/contract/console/permissions';
import type { Organisation } from '@athos/contract/console/staff';
import type { SignedInStaff } from '../../../platform/console/signed-in-staff.ts';
import { AppError } from '../../../platform/errors.ts';
import { OWNER_ROLE, type RoleRow } from './people.sql.ts';

/** The person who manages others, with their current permissions. */
export type Actor = Pick<SignedInStaff, 'staffId' | 'organisation' | 'grants'>;

const AUDITOR_ROLE: BuiltInRole = 'auditor';

const isBuiltIn = (id: string): id is BuiltInRole => BUILT_IN_ROLES.some((role) => role === id);

export const grantsOf = ({ id, grants }: Pick<RoleRow, 'id' | 'grants'>): Grants =>
  grants ?? (isBuiltIn(id) ? BUILT_IN_GRANTS[id] : {});

/** Whether a person decides about staff, as owners do, and so may manage everybody and assign every role. */
const decidesOnStaff = (grants: Grants): boolean => mayDecide(grants['staff.manage']);

/** Throws `permission_not_held` unless the person holds every granted permission, with a deciding mark if the grant has one. */
export function requireHeld({ grants: own }: Pick<Actor, 'grants'>, granted: Grants): void {
  const missing = PERMISSIONS.find((permission) => {
    const mark = granted[permission];
    if (mark === undefined) return false;
    return own[permission] === undefined || (mayDecide(mark) && !mayDecide(own[permission]));
  });
  if (missing !== undefined) {
    throw new AppError('permission_not_held', { extra: { permission: missing } });
  }
}

interface Managed {
  readonly staffId: string;
  readonly organisation: Organisation;
}

/**
 * Throws unless `actor` may manage the person who holds these roles: `own_account` for oneself, `foreign_staff` if brand staff
 * manage provider staff, and `permission_not_held` if the person decides about staff and the actor does not.
 */
export function requireManageable(
  actor: Actor,
  { staffId, organisation }: Managed,
  roles: readonly RoleRow[],
): void {
  if (staffId === actor.staffId) throw new AppError('own_account');
  if (actor.organisation === 'brand' && organisation !== 'brand') {
    throw new AppError('foreign_staff');
  }
  if (!decidesOnStaff(actor.grants) && decidesOnStaff(combineGrants(roles.map(grantsOf)))) {
    throw new AppError('permission_not_held', { extra: { permission: 'staff.manage' } });
  }
}

interface Assignment {
  readonly organisation: Organisation;
  readonly roles: readonly RoleRow[];
  /** Roles that the person does not hold yet. */
  readonly added: readonly RoleRow[];
}

/**
 * Throws unless these roles may be combined and the actor may assign the added ones. An actor who decides about staff may assign any
 * role: owners cannot edit the catalogue themselves but must invite those who can. Other actors may assign only roles whose permissions
 * they hold.
 */
export function requireAssignable(actor: Actor, { organisation, roles, added }: Assignment): void {
  if (!decidesOnStaff(actor.grants)) for (const role of added) requireHeld(actor, grantsOf(role));
  requireCompatible(organisation, roles);
}

/** Whether assigning this role needs a vote: a role that can move money, and any custom role of the programme. */
export const takesVote = (role: Pick<RoleRow, 'id' | 'grants'>): boolean =>
  role.grants !== null || movesMoney(grantsOf(role));

/** Throws `roles_conflict` if an auditor could write through another role, or if an owner does not belong to the provider. */
export function requireCompatible(
  organisation: Organisation,
  roles: readonly Pick<RoleRow, 'id' | 'grants'>[],
): void {
  const held = combineGrants(roles.map(grantsOf));
  const isAuditor = roles.some(({ id }) => id === AUDITOR_ROLE);
  const writing = PERMISSIONS.find(
    (permission) => held[permission] !== undefined && isWriting(permission),
  );
  if (isAuditor && writing !== undefined) {
    throw new AppError('roles_conflict', { extra: { permission: writing } });
  }
  const isOwner = roles.some(({ id }) => id === OWNER_ROLE);
  if (isOwner && organisation !== 'provider') {
    throw new AppError('roles_conflict', { detail: 'A provider owner belongs to the provider.' });
  }
}
