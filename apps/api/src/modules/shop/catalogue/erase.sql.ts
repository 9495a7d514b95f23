import type { Tx } from '../../../platform/database/database.ts';

/** Offers whose tips were paid to a deleted user are not shown any more: nobody would receive them. */
export async function withdrawOffersOf(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ active: false })
    .where('beneficiary_user_id', '=', userId)
    .execute();
}
