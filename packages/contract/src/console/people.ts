/** Calls that manage staff and custom roles. */
import { z } from 'zod';
import { emailText } from '../session.ts';
import { smallId, timeText, uuidParam, uuidText } from '../values.ts';
import { policyOutcome, reasonText as reason } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { MARKS, PERMISSIONS } from './permissions.ts';
import { ORGANISATIONS, personName, staffSession } from './staff.ts';

export const STAFF_STATES = ['invited', 'active', 'suspended', 'left'] as const;
export type StaffState = (typeof STAFF_STATES)[number];

const roleId = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be the id of a role');
/** At least one, because a person without a role could only see their own account. */
const roleIds = z.array(roleId).min(1, 'must name a role').max(20);
/** An empty list means all venues. The field is required, so that nobody sees all venues because it was left out. */
const venueIds = z.array(smallId).max(500);

const grants = z.partialRecord(z.enum(PERMISSIONS), z.enum(MARKS));

const summary = {
  id: z.string(),
  email: z.string(),
  name: z.string(),
  organisation: z.enum(ORGANISATIONS),
  state: z.enum(STAFF_STATES),
  roles: z.array(z.object({ id: z.string(), title: z.string() })),
  /** The last use of the newest open session. */
  seen_at: timeText.nullable(),
};

const member = z
  .object({
    ...summary,
    version: z.int(),
    venue_ids: z.array(smallId),
    wallet_uuid: z.string().nullable(),
    created_at: timeText,
    factor_kinds: z.array(z.enum(['totp', 'passkey'])),
    recovery_codes_left: z.int(),
    /** The expiry of the open invite; null if there is none. */
    invite_expires_at: timeText.nullable(),
    sessions: z.array(staffSession),
  })
  .meta({ id: 'StaffMember' });

const role = z
  .object({
    id: z.string(),
    title: z.string(),
    is_built_in: z.boolean(),
    grants,
    version: z.int(),
    /** The number of active and invited people. */
    staff_count: z.int(),
  })
  .meta({ id: 'Role' });

const done = z.object({ outcome: z.literal('done') });

const idParam = z.object({ id: roleId });
const manage = { auth: 'console', permission: 'staff.manage', proof: true } as const;

export const peopleCalls = {
  staffList: {
    method: 'GET',
    path: '/admin/staff',
    auth: 'console',
    permission: 'staff.read',
    summary: 'The people who run the programme',
    query: z.object({
      ...pageQuery,
      sort: z.enum(['name']).default('name'),
      state: z.enum(STAFF_STATES).optional(),
      role: roleId.optional(),
      organisation: z.enum(ORGANISATIONS).optional(),
    }),
    answer: listOf(z.object(summary).meta({ id: 'StaffSummary' })),
  },
  staffMember: {
    method: 'GET',
    path: '/admin/staff/:id',
    auth: 'console',
    permission: 'staff.read',
    versioned: true,
    summary: 'One person with roles, factors and sessions',
    params: uuidParam,
    answer: member,
  },
  inviteStaff: {
    ...manage,
    method: 'POST',
    path: '/admin/staff',
    audit: { action: 'staff.invite', subject: 'staff' },
    summary: 'Invite a person by mail',
    body: z
      .object({
        email: emailText,
        name: personName,
        organisation: z.enum(ORGANISATIONS),
        role_ids: roleIds,
        venue_ids: venueIds,
        reason,
      })
      .meta({ id: 'InviteStaff' }),
    /** Roles that move no money are granted at once. */
    answer: policyOutcome({ id: z.string() }),
  },
  inviteAgain: {
    ...manage,
    method: 'POST',
    path: '/admin/staff/:id/invite',
    audit: { action: 'staff.invite_again', subject: 'staff' },
    summary: 'Mail a new invite in place of the previous one',
    params: uuidParam,
    answer: done,
  },
  changeStaffRoles: {
    ...manage,
    method: 'PUT',
    path: '/admin/staff/:id/roles',
    versioned: true,
    audit: { action: 'staff.roles', subject: 'staff' },
    summary: 'Change a person’s roles and venues',
    params: uuidParam,
    body: z.object({ role_ids: roleIds, venue_ids: venueIds, reason }).meta({ id: 'StaffRoles' }),
    answer: policyOutcome({ version: z.int() }),
  },
  setStaffWallet: {
    ...manage,
    method: 'PUT',
    path: '/admin/staff/:id/wallet',
    audit: { action: 'staff.wallet', subject: 'staff' },
    summary: "Set which wallet is a person's own",
    params: uuidParam,
    body: z.object({ wallet_uuid: uuidText.nullable(), reason }).meta({ id: 'StaffWallet' }),
    answer: done,
  },
  suspendStaff: {
    ...manage,
    method: 'POST',
    path: '/admin/staff/:id/suspend',
    audit: { action: 'staff.suspend', subject: 'staff' },
    summary: 'Suspend a person, and end their sessions at once',
    params: uuidParam,
    body: z.object({ reason }),
    answer: done,
  },
  reactivateStaff: {
    ...manage,
    method: 'POST',
    path: '/admin/staff/:id/reactivate',
    audit: { action: 'staff.reactivate', subject: 'staff' },
    summary: 'Let a suspended person sign in again',
    params: uuidParam,
    body: z.object({ reason }),
    answer: done,
  },
  endStaff: {
    ...manage,
    method: 'POST',
    path: '/admin/staff/:id/leave',
    audit: { action: 'staff.leave', subject: 'staff' },
    summary: "End a person's access for good",
    params: uuidParam,
    body: z.object({ reason }),
    answer: done,
  },
  resetStaff: {
    ...manage,
    method: 'POST',
    path: '/admin/staff/:id/reset',
    audit: { action: 'staff.reset', subject: 'staff' },
    summary: 'Remove password and factors of a person who lost them, and mail a new invite',
    params: uuidParam,
    body: z.object({ reason }),
    answer: done,
  },
  endStaffSession: {
    method: 'DELETE',
    path: '/admin/staff/:id/sessions/:session_id',
    auth: 'console',
    permission: 'staff.manage',
    audit: { action: 'staff.end_session', subject: 'staff' },
    summary: 'End a session of a person',
    params: uuidParam.extend({ session_id: uuidText }),
    answer: done,
  },
  endStaffSessions: {
    method: 'DELETE',
    path: '/admin/staff/:id/sessions',
    auth: 'console',
    permission: 'staff.manage',
    audit: { action: 'staff.end_sessions', subject: 'staff' },
    summary: 'End every session of a person',
    params: uuidParam,
    answer: done,
  },
  roleList: {
    method: 'GET',
    path: '/admin/roles',
    auth: 'console',
    permission: 'staff.read',
    summary: 'Built-in and custom roles',
    answer: z.object({ items: z.array(role) }),
  },
  createRole: {
    ...manage,
    method: 'POST',
    path: '/admin/roles',
    audit: { action: 'role.create', subject: 'role' },
    summary: 'Create a role from permissions that the caller holds',
    body: z.object({ id: roleId, title: personName, grants, reason }).meta({ id: 'CreateRole' }),
    answer: policyOutcome({}),
  },
  changeRole: {
    ...manage,
    method: 'PUT',
    path: '/admin/roles/:id',
    versioned: true,
    audit: { action: 'role.change', subject: 'role' },
    summary: 'Change a custom role for everybody who holds it',
    params: idParam,
    body: z.object({ title: personName, grants, reason }).meta({ id: 'ChangeRole' }),
    answer: policyOutcome({ version: z.int() }),
  },
  deleteRole: {
    ...manage,
    method: 'DELETE',
    path: '/admin/roles/:id',
    audit: { action: 'role.delete', subject: 'role' },
    summary: 'Delete a role that nobody holds',
    params: idParam,
    answer: done,
  },
} as const satisfies ConsoleCalls;
