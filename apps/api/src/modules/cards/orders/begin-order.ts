/** POST payment_intent: stores the order first, then creates its intent at the provider, so no payment lacks an order. */
import { randomFillSync } from 'node:crypto';
import { rateText } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { requireReleased } from '../../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { lockOpenUser } from '../../identity/index.ts';
import { withDeadline } from '../provider/provider-errors.ts';
import { requireIntent, retireOrders } from './intents.ts';
import { requireMayBuy, takePost } from './limits.ts';
import {
  insertOrder,
  lockOrdersOfUser,
  rateOfOrder,
  selectOpenOrders,
  selectOrderByKey,
  upsertQuote,
  type OrderRow,
} from './orders.sql.ts';
import { requireQuote, type CardQuote, type AgreedQuote } from './quote.ts';
import type { SettleDeps } from './settle-deps.ts';

/** How long an order can be paid at its rate (docs/cards.md, "Orders"). */
const ORDER_LIFETIME_MS = 15 * 60_000;
/** Below the client's timeout of 10 s. Work that takes longer continues, and a retry with the same key finds its result. */
const ANSWER_WITHIN_MS = 8_000;

interface NewOrder {
  readonly userId: bigint;
  readonly key: string;
  /** The hash of the request: a different request with the same key is refused. */
  readonly bodyHash: Buffer;
  readonly quote: CardQuote;
}

interface BegunOrder {
  readonly orderId: string;
  readonly clientSecret: string;
}

type BeginDeps = SettleDeps &
  Parameters<typeof requireQuote>[0] &
  Parameters<typeof takePost>[0] & { readonly programme: ReadProgramme };

/** The order of the key. An order that was closed without an intent does not count: its request was refused, and may be repeated. */
async function findByKey(
  tx: Tx | BeginDeps['db'],
  { userId, key, bodyHash }: NewOrder,
): Promise<OrderRow | undefined> {
  const known = await selectOrderByKey(tx, userId, key);
  if (known !== undefined && !known.body_hash.equals(bodyHash)) {
    throw new AppError('idempotency_key_reused');
  }
  return known?.state === 'canceled' && known.intent_id === null ? undefined : known;
}

const isSameOrder = (
  order: OrderRow,
  quote: Pick<CardQuote, 'amountMicroAth' | 'usdPerAth'>,
): boolean =>
  order.amount_micro_ath === quote.amountMicroAth && rateOfOrder(order) === quote.usdPerAth;

/**
 * Returns the order of the key, an open one with the same quote, or a new one, and assigns the key to it. Returns `undefined` if
 * the order that held the rate has just ended or been paid, since no other order may use its rate.
 */
function storeOrder(
  deps: BeginDeps,
  payment: NewOrder,
  quote: AgreedQuote,
  isRateHeld: boolean,
): Promise<OrderRow | undefined> {
  const { userId, key, bodyHash } = payment;
  return deps.db.transaction().execute(async (tx) => {
    await lockOrdersOfUser(tx, userId);
    const known = await findByKey(tx, payment);
    if (known !== undefined) return known;
    // The deletion of an account checks for open orders under the same lock.
    if (!(await lockOpenUser(tx, userId))) throw new AppError('session_ended');
    const now = dateOf(deps.clock);
    const open = (await selectOpenOrders(tx, userId)).find(
      (order) => isSameOrder(order, quote) && order.expires_at > now,
    );
    if (open === undefined && isRateHeld) return undefined;
    const order = open ?? (await insertOrder(tx, newOrder(deps, userId, quote)));
    invariant(order !== undefined, 'a random id is unique');
    await upsertQuote(tx, {
      user_id: userId,
      key,
      body_hash: bodyHash,
      order_id: order.id,
      created_at: now,
    });
    return order;
  });
}

function newOrder({ clock }: BeginDeps, userId: bigint, quote: AgreedQuote) {
  const nowMs = clock.nowMs();
  return {
    id: uuidv7(nowMs, (bytes) => randomFillSync(bytes)),
    user_id: userId,
    amount_micro_ath: quote.amountMicroAth,
    usd_per_ath: rateText(quote.usdPerAth),
    price_usd_cents: quote.priceUsdCents,
    product_fee_usd_cents: quote.productFeeUsdCents,
    processing_fee_usd_cents: quote.processingFeeUsdCents,
    total_usd_cents: quote.totalUsdCents,
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + ORDER_LIFETIME_MS),
  };
}

async function begin(deps: BeginDeps, payment: NewOrder): Promise<BegunOrder> {
  const known = await findByKey(deps.db, payment);
  if (known !== undefined) return answerOrder(deps, known);
  await requireReleased(deps.programme, 'buying');
  await requireMayBuy(deps, payment.userId);
  const open = await selectOpenOrders(deps.db, payment.userId);
  const now = dateOf(deps.clock);
  const isRateHeld = open.some(
    (order) => isSameOrder(order, payment.quote) && order.expires_at > now,
  );
  const quote = await requireQuote(deps, payment.quote, isRateHeld);
  await retireOrders(
    deps,
    open.filter((order) => !isSameOrder(order, quote) || order.expires_at <= now),
  );
  const order = await storeOrder(deps, payment, quote, isRateHeld);
  // Begins again, as if the request had arrived a moment later.
  return order === undefined ? begin(deps, payment) : answerOrder(deps, order);
}

async function answerOrder(deps: BeginDeps, order: OrderRow): Promise<BegunOrder> {
  const { clientSecret } = await requireIntent(deps, order);
  return { orderId: order.id, clientSecret };
}

/**
 * Begins a card order, or returns the order of the key or an open one with the same quote. Guards in order: replay, quota, brake,
 * account and pause, rate, price, limits. An open order keeps its rate until it ends, on any device. Throws the AppError of the
 * first guard that fails, and `provider_unavailable`.
 */
export async function beginOrder(deps: BeginDeps, payment: NewOrder): Promise<BegunOrder> {
  const isReplay = (await findByKey(deps.db, payment)) !== undefined;
  await takePost(deps, payment.userId, isReplay);
  return withDeadline(begin(deps, payment), ANSWER_WITHIN_MS);
}
