/** POST payment_intent/{id}/cancel: the owner gives up an order that is not paid yet. */
import { AppError, invariant } from '../../../platform/errors.ts';
import { endOrder } from './intents.ts';
import { isWaiting, statusOf, type OrderStatus } from './order-status.ts';
import { selectOrder, selectOrderOfUser } from './orders.sql.ts';
import { withDeadline } from '../provider/provider-errors.ts';
import type { SettleDeps } from './settle-deps.ts';
import { fetchAndSettle } from './settle.ts';

/** Below the client's timeout of 10 s. Work that takes longer continues, and the order still ends. */
const ANSWER_WITHIN_MS = 8_000;

/** Cancellations in flight, by order, so that repeated requests call the provider only once. */
const canceling = new Map<string, Promise<void>>();

/**
 * Looks up the intent first, so that an attempt for which nobody has polled is known and listed in the history. Reads the order itself:
 * the caller's copy may be older than the end of another cancellation.
 */
async function fetchAndEnd(deps: SettleDeps, orderId: string): Promise<void> {
  const order = await selectOrder(deps.db, orderId);
  if (order === undefined || !isWaiting(order)) return;
  if (order.intent_id !== null) await fetchAndSettle(deps, order.intent_id);
  await endOrder(deps, order);
}

function endOnce(deps: SettleDeps, orderId: string): Promise<void> {
  const running = canceling.get(orderId);
  if (running !== undefined) return running;
  const ended = fetchAndEnd(deps, orderId).finally(() => canceling.delete(orderId));
  canceling.set(orderId, ended);
  return ended;
}

/**
 * Cancels an order at the provider and returns its state afterwards: 2 if it was canceled, 1 if the payment was faster and has been
 * credited, 0 while the bank is still deciding. An attempt that waits for the customer's bank is canceled too, since only the owner can
 * request this. Throws `not_found` for other users, and `provider_unavailable`.
 */
export async function cancelOrder(
  deps: SettleDeps,
  userId: bigint,
  orderId: string,
): Promise<OrderStatus> {
  const order = await selectOrderOfUser(deps.db, orderId, userId);
  if (order === undefined) throw new AppError('not_found');
  if (!isWaiting(order)) return statusOf(order);
  await withDeadline(endOnce(deps, orderId), ANSWER_WITHIN_MS);
  const ended = await selectOrder(deps.db, orderId);
  invariant(ended !== undefined, 'an order is kept for months');
  return statusOf(ended);
}
