import { sql } from 'kysely';
import type { Grants } from '@athos/contract/console/permissions';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface RoleDetail {
  readonly id: string;
  readonly title: string;
  /** Null for a built-in role. */
  readonly grants: Grants | null;
  readonly version: number;
  /** The number of its holders who have not left. */
  readonly staffCount: number;
}

const details = (db: Db | Tx) =>
  db.selectFrom('roles as role').select([
    'role.id',
    'role.title',
    'role.grants',
    'role.version',
    sql<number>`(select count(*)::int from staff_roles held join staff person on person.id = held.staff_id
                  where held.role_id = role.id and person.state <> 'left')`.as('staffCount'),
  ]);

/** Built-in roles come first. */
export const selectRoleDetails = (db: Db | Tx): Promise<RoleDetail[]> =>
  details(db)
    .orderBy(sql`role.grants is not null`)
    .orderBy('role.title')
    .execute();

/** Locks the role until the transaction ends. */
export const lockRole = (tx: Tx, id: string): Promise<RoleDetail | undefined> =>
  details(tx).where('role.id', '=', id).forUpdate('role').executeTakeFirst();

/** Returns whether the id was free. */
export async function insertRole(
  tx: Tx,
  { id, title, grants, now }: { id: string; title: string; grants: Grants; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('roles')
    .values({ id, title, grants, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the new version. */
export async function updateRole(
  tx: Tx,
  { id, title, grants }: { readonly id: string; readonly title: string; readonly grants: Grants },
): Promise<number> {
  const { version } = await tx
    .updateTable('roles')
    .set({ title, grants, version: sql`version + 1` })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Removes the custom role from people who have left, so that it can be deleted. */
export async function deleteRole(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('staff_roles').where('role_id', '=', id).execute();
  await tx.deleteFrom('roles').where('id', '=', id).execute();
}

/** All roles of the people who hold this one. */
export async function selectHolders(
  tx: Tx,
  roleId: string,
): Promise<
  readonly {
    readonly organisation: 'provider' | 'brand';
    readonly roles: readonly { readonly id: string; readonly grants: Grants | null }[];
  }[]
> {
  return tx
    .selectFrom('staff as person')
    .innerJoin('staff_roles as held', 'held.staff_id', 'person.id')
    .select([
      'person.organisation',
      sql<readonly { readonly id: string; readonly grants: Grants | null }[]>`(
        select jsonb_agg(jsonb_build_object('id', other.id, 'grants', other.grants))
          from staff_roles beside join roles other on other.id = beside.role_id
         where beside.staff_id = person.id)`.as('roles'),
    ])
    .where('held.role_id', '=', roleId)
    .where('person.state', '<>', 'left')
    .execute();
}
