import type { Tx } from '../../platform/database/database.ts';

/**
 * What recognized replays and declined cards of a deleted user. Counters of attempts end by themselves within the hour. The orders stay: they are the vouchers of the
 * transfers in the journal, and what the provider may still ask about.
 */
export async function erasePaymentsOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('payment_requests').where('user_id', '=', userId).execute();
  await tx.deleteFrom('payment_declines').where('user_id', '=', userId).execute();
  await tx
    .updateTable('payment_orders')
    .set({ error_message: null })
    .where('user_id', '=', userId)
    .execute();
}
