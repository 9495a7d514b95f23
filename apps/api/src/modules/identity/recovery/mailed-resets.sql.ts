/** Statements on passwords that were recently set with a mailed link. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

/** Stores the latest reset of the user. */
export async function upsertMailedReset(tx: Tx, userId: bigint, at: Date): Promise<void> {
  await tx
    .insertInto('mailed_resets')
    .values({ user_id: userId, reset_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ reset_at: at }))
    .execute();
}

/** The time at which the password was set with a mailed link, if that was after `since`. */
export async function selectMailedReset(
  db: Db | Tx,
  userId: bigint,
  since: Date,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('mailed_resets')
    .select('reset_at')
    .where('user_id', '=', userId)
    .where('reset_at', '>', since)
    .executeTakeFirst();
  return row?.reset_at;
}

export async function deleteMailedReset(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('mailed_resets').where('user_id', '=', userId).execute();
}

export async function deleteOldMailedResets(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'mailed_resets', sql`reset_at <= ${before}`);
}
