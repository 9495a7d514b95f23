/** What deleting an account means for card payments: it waits for open ones, and their traces are erased afterwards. */
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

/** Throws `payments_open` while an order can still be paid, is being paid, or waits for a person. */
export async function requireNoOpenOrder(tx: Tx, userId: bigint): Promise<void> {
  const open = await tx
    .selectFrom('payment_orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['creating', 'open', 'review'])
    .limit(1)
    .executeTakeFirst();
  if (open === undefined) return;
  throw new AppError('payments_open', {
    detail: 'Nothing was deleted. Finish the card payment, or wait until it has expired.',
  });
}

/**
 * Erases what recognized replays and declined cards. Counters of attempts end by themselves within the hour. The orders stay:
 * they document transfers in the journal, and the provider may still ask about them.
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
