/** POST payment_intent: an order first, then its intent at the provider. */
import { randomFillSync } from 'node:crypto';
import { rateText } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { requireIntent, retireOrders } from './intents.ts';
import { requireMayBuy, takePost } from './limits.ts';
import {
  insertOrder,
  insertRequest,
  lockOpenUser,
  lockOrdersOfUser,
  rateOfOrder,
  selectOpenOrders,
  selectRequest,
  type OrderRow,
} from './payment.sql.ts';
import { requireQuote, type PaymentRequest, type Quote } from './quote.ts';
import type { SettleDeps } from './settle.ts';
import { withDeadline } from './with-deadline.ts';

/** Design of card payments, section 8: an order can be paid for 15 min, at its rate. */
const ORDER_LIFETIME_MS = 15 * 60_000;
/** Below the 10 s of the client. What is cut off goes on, and the repeat with the same key finds it. */
const ANSWER_WITHIN_MS = 8_000;

interface BeginPayment {
  readonly userId: bigint;
  readonly key: string;
  /** Of the whole request: another one under the same key is refused. */
  readonly bodyHash: Buffer;
  readonly request: PaymentRequest;
}

interface BegunPayment {
  readonly orderId: string;
  readonly clientSecret: string;
}

type BeginDeps = SettleDeps & Parameters<typeof requireQuote>[0] & Parameters<typeof takePost>[0];

async function findByKey(
  tx: Tx | BeginDeps['db'],
  { userId, key, bodyHash }: BeginPayment,
): Promise<OrderRow | undefined> {
  const known = await selectRequest(tx, userId, key);
  if (known !== undefined && !known.body_hash.equals(bodyHash)) {
    throw new AppError('idempotency_key_reused');
  }
  return known;
}

const isSameOrder = (
  order: OrderRow,
  quote: Pick<PaymentRequest, 'amountMicroAth' | 'usdPerAth'>,
): boolean =>
  order.amount_micro_ath === quote.amountMicroAth && rateOfOrder(order) === quote.usdPerAth;

/**
 * The order under the key, an open one of the same quote, or a new one; the key belongs to it from then on. `undefined` where
 * the order that held the rate was ended or paid in this moment: no other may have its rate.
 */
function storeOrder(
  deps: BeginDeps,
  payment: BeginPayment,
  quote: Quote,
  isRateHeld: boolean,
): Promise<OrderRow | undefined> {
  const { userId, key, bodyHash } = payment;
  return deps.db.transaction().execute(async (tx) => {
    await lockOrdersOfUser(tx, userId);
    const known = await findByKey(tx, payment);
    if (known !== undefined) return known;
    // An account that is being deleted looks for open orders under the same lock.
    if (!(await lockOpenUser(tx, userId))) throw new AppError('session_ended');
    const now = dateOf(deps.clock);
    const open = (await selectOpenOrders(tx, userId)).find(
      (order) => isSameOrder(order, quote) && order.expires_at > now,
    );
    if (open === undefined && isRateHeld) return undefined;
    const order = open ?? (await insertOrder(tx, newOrder(deps, userId, quote)));
    invariant(order !== undefined, 'a fresh id is of no other order');
    await insertRequest(tx, {
      user_id: userId,
      key,
      body_hash: bodyHash,
      order_id: order.id,
      created_at: now,
    });
    return order;
  });
}

function newOrder({ clock }: BeginDeps, userId: bigint, quote: Quote) {
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

async function begin(deps: BeginDeps, payment: BeginPayment): Promise<BegunPayment> {
  const known = await findByKey(deps.db, payment);
  if (known !== undefined) return answerOrder(deps, known);
  await requireMayBuy(deps, payment.userId);
  const open = await selectOpenOrders(deps.db, payment.userId);
  const now = dateOf(deps.clock);
  const isRateHeld = open.some(
    (order) => isSameOrder(order, payment.request) && order.expires_at > now,
  );
  const quote = await requireQuote(deps, payment.request, isRateHeld);
  await retireOrders(
    deps,
    open.filter((order) => !isSameOrder(order, quote) || order.expires_at <= now),
  );
  const order = await storeOrder(deps, payment, quote, isRateHeld);
  // Asked anew, as if it had come a moment later.
  return order === undefined ? begin(deps, payment) : answerOrder(deps, order);
}

async function answerOrder(deps: BeginDeps, order: OrderRow): Promise<BegunPayment> {
  const { clientSecret } = await requireIntent(deps, order);
  return { orderId: order.id, clientSecret };
}

/**
 * Begins a purchase, or answers the one that the key or an equal open order stands for. Guards in order: quota, replay,
 * may the user buy, rate, price, limits. An open order holds its rate for its whole life, from whichever device it is
 * paid. Throws their AppErrors, and `provider_unavailable`.
 */
export async function beginPayment(deps: BeginDeps, payment: BeginPayment): Promise<BegunPayment> {
  await takePost(deps, payment.userId);
  return withDeadline(begin(deps, payment), ANSWER_WITHIN_MS);
}
