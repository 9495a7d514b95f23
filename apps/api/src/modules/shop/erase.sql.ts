import type { Tx } from '../../platform/database/database.ts';

/** What a deleted user wrote to tips goes; that they were paid, and for what, stays. */
async function eraseTipWords(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('tips')
    .set({ tip_from: '', note: '' })
    .where('user_id', '=', userId)
    .execute();
}

/** Offers whose tips go to the deleted user are withdrawn: nobody would receive them. */
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
