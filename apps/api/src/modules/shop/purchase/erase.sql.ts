import type { Tx } from '../../../platform/database/database.ts';

/** The name and the words that a deleted user wrote to tips. That it was paid for, and what, stays. */
export async function eraseWordsOf(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('tips')
    .set({ tip_from: '', note: '' })
    .where('user_id', '=', userId)
    .execute();
}
