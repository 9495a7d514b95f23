import { sql } from 'kysely';
import type { Grants } from '@athos/contract/console/permissions';
import type { Organisation } from '@athos/contract/console/staff';
import type { StaffState } from '@athos/contract/console/people';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** The built-in role that always has an active holder. */
export const OWNER_ROLE = 'provider_owner';

export interface StaffRow {
  readonly staffId: string;
  readonly email: string;
  readonly name: string;
  readonly organisation: Organisation;
  readonly state: StaffState;
  readonly passwordHash: string | null;
  readonly walletUuid: string | null;
  readonly version: number;
}

/**
 * Locks the person until the transaction ends. Not `for update`, because a person's own acts refer to their row by foreign key, and
 * two people who manage each other would deadlock.
 */
export const lockStaff = (tx: Tx, staffId: string): Promise<StaffRow | undefined> =>
  tx
    .selectFrom('staff')
    .select([
      'id as staffId',
      'email',
      'name',
      'organisation',
      'state',
      'password_hash as passwordHash',
      'wallet_uuid as walletUuid',
      'version',
    ])
    .where('id', '=', staffId)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const selectStaffByEmail = (
  db: Db | Tx,
  email: string,
): Promise<Pick<StaffRow, 'staffId' | 'state'> | undefined> =>
  db
    .selectFrom('staff')
    .select(['id as staffId', 'state'])
    .where('email', '=', email)
    .executeTakeFirst();

/** The person's mail address. `undefined` for a person who has left. */
export const selectAddressee = (
  db: Db,
  staffId: string,
): Promise<{ email: string; name: string } | undefined> =>
  db
    .selectFrom('staff')
    .select(['email', 'name'])
    .where('id', '=', staffId)
    .where('state', '<>', 'left')
    .executeTakeFirst();

export async function hasPassword(db: Db, staffId: string): Promise<boolean> {
  const row = await db
    .selectFrom('staff')
    .select('password_hash')
    .where('id', '=', staffId)
    .executeTakeFirst();
  return row?.password_hash !== null;
}

interface NewStaff {
  readonly email: string;
  readonly name: string;
  readonly organisation: Organisation;
  readonly now: Date;
  readonly isDemo?: boolean;
  /** If absent, a new id is drawn. */
  readonly id?: string;
}

/** Returns the id; `undefined` if the address or the id is taken, even by a person who has left. */
export async function insertStaff(
  tx: Tx,
  { email, name, organisation, now, isDemo = false, id }: NewStaff,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('staff')
    .values({
      ...(id !== undefined && { id }),
      email,
      name,
      organisation,
      created_at: now,
      is_demo: isDemo,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function activateStaff(
  tx: Tx,
  staffId: string,
  { name, passwordHash }: { readonly name: string; readonly passwordHash: string | null },
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ name, password_hash: passwordHash, state: 'active', version: sql`version + 1` })
    .where('id', '=', staffId)
    .execute();
}

export async function updatePasswordHash(
  tx: Tx,
  staffId: string,
  passwordHash: string | null,
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ password_hash: passwordHash })
    .where('id', '=', staffId)
    .execute();
}

export async function updateState(tx: Tx, staffId: string, state: StaffState): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ state, version: sql`version + 1` })
    .where('id', '=', staffId)
    .execute();
}

export async function updateWallet(
  tx: Tx,
  staffId: string,
  walletUuid: string | null,
): Promise<void> {
  await tx
    .updateTable('staff')
    .set({ wallet_uuid: walletUuid, version: sql`version + 1` })
    .where('id', '=', staffId)
    .execute();
}

/** Whether a customer has a wallet with this uuid. */
export async function isWallet(tx: Tx, walletUuid: string): Promise<boolean> {
  const { rows } = await sql`select from users where uuid = ${walletUuid}`.execute(tx);
  return rows.length > 0;
}

/** Serializes changes of who is an owner until the transaction ends, so that two concurrent ones cannot remove the last two owners. */
export async function lockOwners(tx: Tx): Promise<void> {
  await tx.selectFrom('roles').select('id').where('id', '=', OWNER_ROLE).forNoKeyUpdate().execute();
}

/**
 * Takes the lock of `lockOwners`, and then locks these people in the order of their ids: a request for a vote about somebody, and a vote
 * on it, hold all of these locks at once.
 */
export async function lockPeople(tx: Tx, staffIds: readonly string[]): Promise<void> {
  await lockOwners(tx);
  await tx
    .selectFrom('staff')
    .select('id')
    .where('id', 'in', staffIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** The ids of the active owners. */
export async function selectOwnerIds(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('staff', 'staff.id', 'staff_roles.staff_id')
    .select('staff.id')
    .where('staff_roles.role_id', '=', OWNER_ROLE)
    .where('staff.state', '=', 'active')
    .orderBy('staff.id')
    .execute();
  return rows.map(({ id }) => id);
}

export interface RoleRow {
  readonly id: string;
  readonly title: string;
  /** Null for a built-in role. */
  readonly grants: Grants | null;
  readonly version: number;
}

const rolesOf = (db: Db | Tx) =>
  db.selectFrom('roles').select(['id', 'title', 'grants', 'version']);

export const selectRoles = (db: Db | Tx, ids: readonly string[]): Promise<RoleRow[]> =>
  rolesOf(db).where('id', 'in', ids).orderBy('id').execute();

export const selectRolesOf = (db: Db | Tx, staffId: string): Promise<RoleRow[]> =>
  rolesOf(db)
    .innerJoin('staff_roles', 'staff_roles.role_id', 'roles.id')
    .where('staff_roles.staff_id', '=', staffId)
    .orderBy('roles.title')
    .execute();

interface Granted {
  readonly roleIds: readonly string[];
  /** Null if the person was invited on the command line. */
  readonly by: string | null;
  readonly now: Date;
}

/** Replaces the roles of a person. A role that the person keeps also keeps its date. */
export async function replaceRoles(
  tx: Tx,
  staffId: string,
  { roleIds, by, now }: Granted,
): Promise<void> {
  await tx
    .deleteFrom('staff_roles')
    .where('staff_id', '=', staffId)
    .where('role_id', 'not in', roleIds)
    .execute();
  await tx
    .insertInto('staff_roles')
    .values(
      roleIds.map((roleId) => ({
        staff_id: staffId,
        role_id: roleId,
        granted_at: now,
        granted_by: by,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function selectVenueIds(db: Db | Tx, staffId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('staff_venues')
    .select('venue_id')
    .where('staff_id', '=', staffId)
    .orderBy('venue_id')
    .execute();
  return rows.map(({ venue_id: id }) => id);
}

/** Returns whether all ids are venues. */
export async function replaceVenues(
  tx: Tx,
  staffId: string,
  venueIds: readonly number[],
): Promise<boolean> {
  await tx.deleteFrom('staff_venues').where('staff_id', '=', staffId).execute();
  const wanted = [...new Set(venueIds)];
  if (wanted.length === 0) return true;
  const { numAffectedRows } = await sql`
    insert into staff_venues (staff_id, venue_id)
    select ${staffId}::uuid, id from venues where id = any(${wanted}::integer[])`.execute(tx);
  return numAffectedRows === BigInt(wanted.length);
}

/** Increments the person's version. Returns the new one. */
export async function bumpVersion(tx: Tx, staffId: string): Promise<number> {
  const { version } = await tx
    .updateTable('staff')
    .set({ version: sql`version + 1` })
    .where('id', '=', staffId)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
