/** The intent of an order at the provider, created once however often it is requested, and canceled with its order. */
import { usdCents } from '@athos/domain/money';
import { paymentDescription } from '@athos/domain/purchase-price';
import { brand } from '@athos/brand/brand';
import { dateOf } from '../../../platform/clock.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { selectUser } from '../../identity/index.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { environmentName, writeOrderMetadata } from './order-metadata.ts';
import {
  closeWithoutIntent,
  rateOfOrder,
  selectOpenOrders,
  selectOrder,
  updateOrderIntent,
  type OrderRow,
} from './orders.sql.ts';
import { IntentNotFound } from '../provider/provider-errors.ts';
import type { SettleDeps } from './settle-deps.ts';
import { cancelAndSettle, fetchAndSettle } from './settle.ts';

/** Requests in flight, by order: the provider refuses a second one with the same key while the first is running. */
const creating = new Map<string, Promise<CardIntent>>();

function createIntent(
  { cardProvider, config }: SettleDeps,
  order: OrderRow,
  payer: { readonly uuid: string; readonly email: string },
): Promise<CardIntent> {
  return cardProvider.createIntent({
    orderId: order.id,
    amountUsdCents: usdCents(order.total_usd_cents),
    description: paymentDescription(usdCents(order.price_usd_cents), brand.tokens[0].symbol),
    receiptEmail: payer.email,
    metadata: writeOrderMetadata({
      orderId: order.id,
      userUuid: payer.uuid,
      environment: environmentName(config),
      amountMicroAth: order.amount_micro_ath,
      usdPerAth: rateOfOrder(order),
    }),
  });
}

async function requestIntent(deps: SettleDeps, order: OrderRow): Promise<CardIntent> {
  const payer = await selectUser(deps.db, order.user_id);
  if (payer === undefined || payer.email === null) throw new AppError('not_found');
  const { uuid, email } = payer;
  const intent = await createIntent(deps, order, { uuid, email }).catch(async (error: unknown) => {
    // The provider may have stored its failure and repeat it for as long as it stores the key, so the next request needs another order. If
    // an intent was created nevertheless, it cannot be paid, because its secret was not given to anybody.
    if (isUnavailable(error)) await closeWithoutIntent(deps.db, order.id, dateOf(deps.clock));
    throw error;
  });
  invariant(
    intent.amountUsdCents === order.total_usd_cents && intent.currency === 'usd',
    'the provider created the requested intent',
  );
  if (await updateOrderIntent(deps.db, order.id, intent.intentId)) return intent;
  throw new AppError('provider_unavailable', {
    detail: 'The order was closed meanwhile.',
    retryAfterSeconds: 1,
  });
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'provider_unavailable';

/**
 * Returns the intent of `order` and creates it if there is none. The order's id is the provider's idempotency key, so a retry after a
 * crash gets the same intent. The secret may be given out only after the intent is stored. Throws `provider_unavailable`; a new order
 * without an intent is closed then.
 */
export async function requireIntent(deps: SettleDeps, order: OrderRow): Promise<CardIntent> {
  if (order.intent_id !== null) return fetchAndSettle(deps, order.intent_id);
  const running = creating.get(order.id);
  if (running !== undefined) return running;
  const made = requestIntent(deps, order).finally(() => creating.delete(order.id));
  creating.set(order.id, made);
  return made;
}

/**
 * Closes an order without an intent: its secret was not given to anybody, so nobody can pay it. Returns the intent's id if there is one.
 */
async function closeUnlessTold(
  { db, clock }: SettleDeps,
  order: OrderRow,
): Promise<string | undefined> {
  if (order.intent_id !== null) return order.intent_id;
  if (await closeWithoutIntent(db, order.id, dateOf(clock))) return undefined;
  return (await selectOrder(db, order.id))?.intent_id ?? undefined;
}

/** Cancels an order. If it was paid before, it is credited instead. */
export async function endOrder(deps: SettleDeps, order: OrderRow): Promise<void> {
  const intentId = await closeUnlessTold(deps, order);
  if (intentId === undefined) return;
  try {
    await cancelAndSettle(deps, intentId);
  } catch (error) {
    // The order is closed in this case, too.
    if (!(error instanceof IntentNotFound)) throw error;
  }
}

const WITHOUT_RUNNING_ATTEMPT: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
];

/**
 * Cancels the given orders unless an attempt is running, so that none is paid by mistake. Each intent is retrieved first: no new intent
 * is created before the old one is known to be canceled, paid or busy.
 */
export async function retireOrders(deps: SettleDeps, orders: readonly OrderRow[]): Promise<void> {
  for (const order of orders) {
    const intentId = await closeUnlessTold(deps, order);
    if (intentId === undefined) continue;
    const { status } = await fetchAndSettle(deps, intentId);
    if (WITHOUT_RUNNING_ATTEMPT.includes(status)) await cancelAndSettle(deps, intentId);
  }
}

/** Cancels a user's open orders after too many declines, so that no open form can try more cards. */
export const endOpenOrders = async (deps: SettleDeps, userId: bigint): Promise<void> => {
  for (const order of await selectOpenOrders(deps.db, userId)) await endOrder(deps, order);
};
