/** The intent of an order at the provider, created once however often it is requested, and canceled with its order. */
import { usdCents } from '@athos/domain/money';
import { paymentDescription } from '@athos/domain/purchase-price';
import { brand } from '@athos/brand/brand';
import { dateOf } from '../../platform/clock.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { selectUser } from '../identity/index.ts';
import type { CardIntent } from './card-provider.ts';
import { writeOrderMetadata } from './order-metadata.ts';
import { rateOfOrder, selectOpenOrders, updateOrderIntent, type OrderRow } from './orders.sql.ts';
import { environmentName, lookAndSettle, settle, type SettleDeps } from './settle.ts';

/** Requests in flight, by order: the provider refuses a second one with the same key while the first is running. */
const creating = new Map<string, Promise<CardIntent>>();

async function requestIntent(deps: SettleDeps, order: OrderRow): Promise<CardIntent> {
  const payer = await selectUser(deps.db, order.user_id);
  if (payer === undefined || payer.email === null) throw new AppError('not_found');
  const intent = await deps.cardProvider.createIntent({
    orderId: order.id,
    amountUsdCents: usdCents(order.total_usd_cents),
    description: paymentDescription(usdCents(order.price_usd_cents), brand.tokens[0].symbol),
    receiptEmail: payer.email,
    metadata: writeOrderMetadata({
      orderId: order.id,
      userUuid: payer.uuid,
      environment: environmentName(deps.config),
      amountMicroAth: order.amount_micro_ath,
      usdPerAth: rateOfOrder(order),
    }),
  });
  invariant(
    intent.amountUsdCents === order.total_usd_cents && intent.currency === 'usd',
    'the provider created the requested intent',
  );
  await updateOrderIntent(deps.db, order.id, intent.intentId);
  return intent;
}

/**
 * Returns the intent of `order` and creates it if there is none. The order's id is the provider's idempotency key, so a retry
 * after a crash gets the same intent. Throws `provider_unavailable`.
 */
export async function requireIntent(deps: SettleDeps, order: OrderRow): Promise<CardIntent> {
  if (order.intent_id !== null) return lookAndSettle(deps, order.intent_id);
  const running = creating.get(order.id);
  if (running !== undefined) return running;
  const made = requestIntent(deps, order).finally(() => creating.delete(order.id));
  creating.set(order.id, made);
  return made;
}

/** Cancels an order. If it was paid before, it is credited instead. */
export async function endOrder(deps: SettleDeps, order: OrderRow): Promise<void> {
  const intentId = order.intent_id ?? (await requireIntent(deps, order)).intentId;
  const lookedAt = dateOf(deps.clock);
  await settle(deps, await deps.cardProvider.cancelIntent(intentId), lookedAt);
}

const WITHOUT_RUNNING_ATTEMPT: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
];

/**
 * Cancels the given orders unless an attempt is running, so that none is paid by mistake. Each intent is retrieved first: no new
 * one is created before the old one is known to be canceled, paid or busy.
 */
export async function retireOrders(deps: SettleDeps, orders: readonly OrderRow[]): Promise<void> {
  for (const order of orders) {
    const intent = await requireIntent(deps, order);
    if (WITHOUT_RUNNING_ATTEMPT.includes(intent.status)) {
      await endOrder(deps, { ...order, intent_id: intent.intentId });
    }
  }
}

/** Cancels a user's open orders after too many declines, so that no open form can try more cards. */
export const endOpenOrders = async (deps: SettleDeps, userId: bigint): Promise<void> => {
  for (const order of await selectOpenOrders(deps.db, userId)) await endOrder(deps, order);
};
