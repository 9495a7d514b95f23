import type { Tx } from '../../platform/database/database.ts';

/**
 * When and where a deleted user showed a code. Of staff the log says what it said, by a number that leads to nobody; who is
 * gone is staff of no venue.
 */
export async function eraseScansOf(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('scans')
    .set({ holder_user_id: null })
    .where('holder_user_id', '=', userId)
    .execute();
  await tx
    .updateTable('venue_staff')
    .set((row) => ({ revoked_at: row.fn<Date>('now', []) }))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}
