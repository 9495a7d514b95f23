/** Fixtures for card orders: a published rate, requests whose prices agree to the cent, and functions for the calls. */
import { randomUUID } from 'node:crypto';
import {
  rateText,
  parseRate,
  usdNumber,
  usdCents,
  type MicroAth,
  type Rate,
} from '@athos/domain/money';
import { paymentDescription, priceOfTokens } from '@athos/domain/purchase-price';
import type { CardSandbox } from './card-sandbox.ts';
import type { TestAnswer, TestApp, TestUser } from './test-app.ts';

function rateOf(text: string): Rate {
  const rate = parseRate(text);
  if (rate === undefined) throw new Error(`no rate: ${text}`);
  return rate;
}

/** Publishes a rate that took effect and was confirmed `ageMs` ago. */
export async function publishTestRate(
  { deps, clock }: TestApp,
  text: string,
  ageMs = 0,
): Promise<void> {
  const at = new Date(clock.nowMs() - ageMs);
  await deps.db
    .insertInto('exchange_rates')
    .values({ usd_per_ath: rateText(rateOf(text)), in_force_from: at, confirmed_at: at })
    .execute();
}

/** The request of an honest wallet for the given amount of tokens. */
export function purchaseBody(amount: MicroAth, rate = '0.1683') {
  const price = priceOfTokens(amount, rateOf(rate));
  return {
    exchangeRate: JSON.parse(rate) as number,
    subtotal: usdNumber(price.priceUsdCents),
    athosFee: usdNumber(price.productFeeUsdCents),
    processingFee: usdNumber(price.processingFeeUsdCents),
    total: usdNumber(price.totalUsdCents),
    description: paymentDescription(usdCents(price.priceUsdCents), 'ATH'),
    tokenAmount: amount.toString(),
  };
}

export const postPayment = (
  app: Pick<TestApp, 'request'>,
  user: TestUser,
  body: object,
  key?: string,
): Promise<TestAnswer> =>
  app.request({
    method: 'POST',
    url: '/api/payment_intent',
    user,
    payload: body,
    ...(key === undefined ? {} : { key }),
  });

interface BegunOrder {
  readonly id: string;
  readonly secret: string;
  readonly intentId: string;
}

/** Begins an order as an honest wallet does. */
export async function beginOrder(
  app: Pick<TestApp, 'request'>,
  user: TestUser,
  amount: MicroAth,
  key?: string,
): Promise<BegunOrder> {
  const { status, body } = await postPayment(app, user, purchaseBody(amount), key);
  if (status !== 200) throw new Error(`the order was refused: ${status} ${body.code}`);
  return { id: body.id, secret: body.client_secret, intentId: intentIdOf(body.client_secret) };
}

/** Pays an order, and waits until the app has received the webhook. */
export async function payAndDeliver(
  sandbox: CardSandbox,
  { secret, intentId }: Pick<BegunOrder, 'secret' | 'intentId'>,
  card?: string,
): Promise<void> {
  await sandbox.pay(secret, card);
  await sandbox.delivery('payment_intent.succeeded', intentId);
}

export const getPayment = (
  app: Pick<TestApp, 'request'>,
  user: TestUser,
  id: string,
): Promise<TestAnswer> => app.request({ method: 'GET', url: `/api/payment_intent/${id}`, user });

export async function balanceOf(app: TestApp, user: TestUser): Promise<string> {
  const { body } = await app.request({ method: 'GET', url: '/api/account/balance', user });
  return String(body.balance);
}

export const readOrder = (app: TestApp, orderId: string) =>
  app.deps.db
    .selectFrom('card_orders')
    .selectAll()
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();

export async function countOrders(app: TestApp, user: TestUser): Promise<number> {
  const rows = await app.deps.db
    .selectFrom('card_orders')
    .select('id')
    .where('user_id', '=', user.userId)
    .execute();
  return rows.length;
}

/** The intent id that a client secret contains. */
export const intentIdOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';

/** Spends bought tokens by a send with a key of its own. */
export const sendTokens = (
  app: Pick<TestApp, 'request'>,
  { from, to, amount }: { from: TestUser; to: TestUser; amount: bigint },
): Promise<TestAnswer> =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: amount.toString(), to_uuid: to.uuid },
    user: from,
    key: randomUUID(),
  });
