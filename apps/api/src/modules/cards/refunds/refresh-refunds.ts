/** Handles the provider's events about refunds: the refund is retrieved and applied to its order. */
import { selectOrderOfIntent, type OrderRow } from '../orders/orders.sql.ts';
import { isOurs } from '../orders/order-metadata.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import { fetchAndSettle } from '../orders/settle.ts';
import type { CardRefund } from '../provider/card-money.ts';
import { applyRefund } from './apply-refund.ts';

const PAID_STATES: readonly OrderRow['state'][] = ['credited', 'review'];

/**
 * The order of a refunded or disputed payment. The payment is settled first if its own events have not arrived yet. `undefined` if the
 * payment does not belong to this system.
 */
export async function findPaidOrder(
  deps: SettleDeps,
  intentId: string,
): Promise<OrderRow | undefined> {
  const known = await selectOrderOfIntent(deps.db, intentId);
  if (known !== undefined && (PAID_STATES.includes(known.state) || known.resolution !== null)) {
    return known;
  }
  const intent = await fetchAndSettle(deps, intentId);
  const order = await selectOrderOfIntent(deps.db, intentId);
  if (order === undefined && isOurs(deps, intent)) {
    deps.log.error({ alarm: 'payment_unknown', intentId }, 'money of an unknown order moves');
  }
  return order;
}

async function applyTheirs(deps: SettleDeps, theirs: CardRefund): Promise<void> {
  if (theirs.intentId === undefined) return;
  const order = await findPaidOrder(deps, theirs.intentId);
  if (order !== undefined) await applyRefund(deps, order.id, theirs);
}

/** Retrieves the refund, whether it is ours or was made in the provider's dashboard. */
export const refreshProviderRefund = async (
  deps: SettleDeps,
  providerRefundId: string,
): Promise<void> => applyTheirs(deps, await deps.cardProvider.retrieveRefund(providerRefundId));

/** Retrieves all refunds of a payment. */
export async function refreshRefundsOf(deps: SettleDeps, intentId: string): Promise<void> {
  for await (const theirs of deps.cardProvider.listRefunds(intentId))
    await applyTheirs(deps, theirs);
}
