/** Statements on the contacts that the devices of an account share. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

export interface SealedContact {
  readonly id: string;
  readonly version: number;
  /** Null for a deleted contact. */
  readonly sealed: Buffer | null;
}

/** Includes deleted contacts. Ids made by devices rise with time, so the oldest come first. */
export const selectContacts = (db: Db | Tx, userId: bigint): Promise<SealedContact[]> =>
  db
    .selectFrom('contacts')
    .select(['id', 'version', 'sealed'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

/**
 * Stores each contact unless a higher version of it exists. Between equal versions a deletion wins, and otherwise the stored one: so the
 * outcome does not depend on the order in which a change and a deletion arrive.
 */
export async function upsertContacts(
  tx: Tx,
  userId: bigint,
  contacts: readonly SealedContact[],
  at: Date,
): Promise<void> {
  await tx
    .insertInto('contacts')
    .values(
      contacts.map(({ id, version, sealed }) => ({
        user_id: userId,
        id,
        version,
        sealed,
        changed_at: at,
        deleted_at: sealed === null ? at : null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'id'])
        .doUpdateSet((row) => ({
          version: row.ref('excluded.version'),
          sealed: row.ref('excluded.sealed'),
          changed_at: row.ref('excluded.changed_at'),
          deleted_at: row.ref('excluded.deleted_at'),
        }))
        .where(
          sql<boolean>`excluded.version > contacts.version
            or excluded.version = contacts.version and excluded.sealed is null and contacts.sealed is not null`,
        ),
    )
    .execute();
}

export async function eraseContacts(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('contacts').where('user_id', '=', userId).execute();
}

/** Removes contacts that were deleted at `before` or earlier. */
export const deleteDeletedContacts = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'contacts', sql`deleted_at <= ${before}`);
