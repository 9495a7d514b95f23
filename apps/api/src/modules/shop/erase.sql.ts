import type { Tx } from '../../platform/database/database.ts';

/** Deletes the words that a deleted user wrote with tips. The tips themselves stay. */
async function eraseTipWords(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('tips')
    .set({ tip_from: '', note: '' })
    .where('user_id', '=', userId)
    .execute();
}

/** Withdraws the offers whose tips go to the deleted user, since nobody would receive them. */
async function withdrawTipOffers(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ active: false })
    .where('beneficiary_user_id', '=', userId)
    .execute();
}

export async function eraseShopTraces(tx: Tx, userId: bigint): Promise<void> {
  await eraseTipWords(tx, userId);
  await withdrawTipOffers(tx, userId);
}
