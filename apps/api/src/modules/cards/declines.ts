import { dateOf } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { pauseEndMs, type PauseDeps } from './limits.ts';
import { insertDecline } from './limits.sql.ts';
import type { OrderRow } from './payment.sql.ts';

/**
 * Counts a declined charge, once. The one too many in an hour also ends the user's open orders: their forms could go on
 * trying cards while new orders are refused.
 */
export async function countDecline(
  { clock, config }: PauseDeps,
  tx: Tx,
  { order, chargeId }: { order: OrderRow; chargeId: string },
): Promise<void> {
  const isNew = await insertDecline(tx, {
    chargeId,
    orderId: order.id,
    userId: order.user_id,
    declinedAt: dateOf(clock),
  });
  if (!isNew || (await pauseEndMs({ clock, config }, tx, order.user_id)) === undefined) return;
  await enqueueJob(tx, 'payment_cancel_open', { userId: order.user_id.toString() });
}
