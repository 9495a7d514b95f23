/** Statements on users' notes about their movements. */
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface SealedNote {
  readonly movementId: bigint;
  readonly sealed: Buffer;
}

/** Selects the notes of a user, of the newest movement first. */
export const selectNotes = (db: Db, userId: bigint): Promise<SealedNote[]> =>
  db
    .selectFrom('movement_notes')
    .select(['movement_id as movementId', 'sealed'])
    .where('user_id', '=', userId)
    .orderBy('movement_id', 'desc')
    .execute();

/** Counts the user's notes on movements other than the given one. */
export async function countOtherNotes(tx: Tx, userId: bigint, movementId: bigint): Promise<bigint> {
  const row = await tx
    .selectFrom('movement_notes')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', userId)
    .where('movement_id', '!=', movementId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function upsertNote(
  tx: Tx,
  userId: bigint,
  { movementId, sealed, at }: SealedNote & { readonly at: Date },
): Promise<void> {
  const changed = { sealed, changed_at: at };
  await tx
    .insertInto('movement_notes')
    .values({ user_id: userId, movement_id: movementId, ...changed })
    .onConflict((conflict) => conflict.columns(['user_id', 'movement_id']).doUpdateSet(changed))
    .execute();
}

export async function deleteNote(tx: Tx, userId: bigint, movementId: bigint): Promise<void> {
  await tx
    .deleteFrom('movement_notes')
    .where('user_id', '=', userId)
    .where('movement_id', '=', movementId)
    .execute();
}

export async function eraseNotes(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('movement_notes').where('user_id', '=', userId).execute();
}
