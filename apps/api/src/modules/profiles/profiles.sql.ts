/** Statements on names and handles. */
import { skeletonOf } from '@athos/domain/handle';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

export interface Profile {
  readonly displayName: string | null;
  readonly showsName: boolean;
  readonly isFindable: boolean;
  readonly handle: string | null;
  /** The time at which the last handle was claimed, which may have been given up since. */
  readonly claimedAt: Date | null;
}

export async function selectProfile(db: Db | Tx, userId: bigint): Promise<Profile> {
  const { rows } = await sql<Profile>`
    select profiles.display_name as "displayName", coalesce(profiles.shows_name, false) as "showsName",
           coalesce(profiles.is_findable, true) as "isFindable",
           (select handle from handles where user_id = one.id and ended_at is null) as handle,
           (select max(claimed_at) from handles where user_id = one.id) as "claimedAt"
      from (select ${userId}::bigint as id) one
      left join profiles on profiles.user_id = one.id`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table answers one row');
  return row;
}

export async function upsertName(
  tx: Tx,
  userId: bigint,
  { displayName, showsName }: Pick<Profile, 'displayName' | 'showsName'>,
): Promise<void> {
  const values = { display_name: displayName, shows_name: showsName };
  await tx
    .insertInto('profiles')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

export async function upsertFindable(tx: Tx, userId: bigint, isFindable: boolean): Promise<void> {
  await tx
    .insertInto('profiles')
    .values({ user_id: userId, display_name: null, is_findable: isFindable })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_findable: isFindable }))
    .execute();
}

/** Gives the handle up. It stays blocked. */
export async function endHandle(tx: Tx, userId: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('handles')
    .set({ ended_at: at })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Removes a handle permanently. Returns `false` unless it is the customer's handle. */
export async function updateRemovedHandle(
  tx: Tx,
  userId: bigint,
  { handle, at }: { readonly handle: string; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('handles')
    .set({ ended_at: at, removed_at: at })
    .where('user_id', '=', userId)
    .where('handle', '=', handle)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns `false` unless the customer has this name. */
export async function updateRemovedName(
  tx: Tx,
  userId: bigint,
  displayName: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('profiles')
    .set({ display_name: null })
    .where('user_id', '=', userId)
    .where('display_name', '=', displayName)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface Claim {
  readonly skeleton: string;
  readonly handle: string;
  readonly at: Date;
  /** A handle that was given up at this time or earlier is free. */
  readonly freeBefore: Date;
}

/** Claims a handle. Returns `false` if somebody has a similar-looking handle or gave one up recently, or if staff removed one. */
export async function claimHandle(
  tx: Tx,
  userId: bigint,
  { skeleton, handle, at, freeBefore }: Claim,
): Promise<boolean> {
  const { rows } = await sql`
    insert into handles (skeleton, user_id, handle, claimed_at) values (${skeleton}, ${userId}, ${handle}, ${at})
        on conflict (skeleton) do update
       set user_id = excluded.user_id, handle = excluded.handle, claimed_at = excluded.claimed_at, ended_at = null
     where handles.removed_at is null
       and (handles.ended_at <= ${freeBefore} or (handles.user_id = ${userId} and handles.ended_at = ${at}))
    returning 1`.execute(tx);
  return rows.length > 0;
}

export interface Found {
  readonly uuid: string;
  readonly name: string | null;
}

const shownName = sql<string | null>`case when profiles.shows_name then profiles.display_name end`;

/** The open account that can be found by this handle. */
export const selectByHandle = (db: Db, handle: string): Promise<Found | undefined> =>
  db
    .selectFrom('handles')
    .innerJoin('users', 'users.id', 'handles.user_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.uuid', shownName.as('name')])
    // The primary key of the table.
    .where('handles.skeleton', '=', skeletonOf(handle))
    .where('handles.handle', '=', handle)
    .where('handles.ended_at', 'is', null)
    .where('users.closed_at', 'is', null)
    .where((where) =>
      where.or([
        where('profiles.is_findable', 'is', null),
        where('profiles.is_findable', '=', true),
      ]),
    )
    .executeTakeFirst();

export const selectByUuid = (db: Db, uuid: string): Promise<Found | undefined> =>
  db
    .selectFrom('users')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.uuid', shownName.as('name')])
    .where('users.uuid', '=', uuid)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst();

/** Keeps only the data that blocks a handle, which does not reveal its owner. */
export async function eraseProfile(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('pay_codes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('profiles').where('user_id', '=', userId).execute();
  await sql`
    update handles
       set user_id = null, handle = null,
           ended_at = coalesce(ended_at, (select closed_at from users where id = ${userId}))
     where user_id = ${userId}`.execute(tx);
}

export const deleteFreeHandles = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'handles', sql`ended_at <= ${before} and removed_at is null`);
