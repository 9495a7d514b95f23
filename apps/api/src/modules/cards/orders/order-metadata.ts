/** The metadata stored at the provider with a payment: enough to find its order, and to restore the order if it is lost. */
import {
  microAth,
  parseRate,
  parseUnits,
  rateText,
  type MicroAth,
  type Rate,
} from '@athos/domain/money';
import { priceOfTokens, type PurchasePrice } from '@athos/domain/purchase-price';
import { isUuid } from '@athos/domain/uuid';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log/log.ts';
import { selectUserByUuid } from '../../identity/index.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { insertOrder, lockOrder, type OrderRow } from './orders.sql.ts';

interface KeptOrder {
  readonly orderId: string;
  readonly userUuid: string;
  readonly amountMicroAth: MicroAth;
  readonly usdPerAth: Rate;
  readonly price: PurchasePrice;
}

interface OrderFacts {
  readonly orderId: string;
  readonly userUuid: string;
  readonly environment: string;
  readonly amountMicroAth: bigint;
  readonly usdPerAth: Rate;
}

export const writeOrderMetadata = (order: OrderFacts): Record<string, string> => ({
  order_id: order.orderId,
  user_uuid: order.userUuid,
  env: order.environment,
  token_amount: order.amountMicroAth.toString(),
  exchange_rate: rateText(order.usdPerAth),
});

/** Returns `undefined` unless the metadata is complete. Only our key can write metadata, so complete metadata comes from us. */
function readOrderMetadata(metadata: Readonly<Record<string, string>>): KeptOrder | undefined {
  const { order_id: orderId = '', user_uuid: userUuid = '', token_amount: amount = '' } = metadata;
  const usdPerAth = parseRate(metadata['exchange_rate'] ?? '');
  if (!isUuid(orderId) || !isUuid(userUuid) || usdPerAth === undefined) return undefined;
  if (!/^[1-9]\d{0,15}$/.test(amount)) return undefined;
  const amountMicroAth = microAth(parseUnits(amount));
  return {
    orderId,
    userUuid,
    usdPerAth,
    amountMicroAth,
    price: priceOfTokens(amountMicroAth, usdPerAth),
  };
}

export function reportUnknown({ log }: { readonly log: Log }, { intentId }: CardIntent): void {
  log.error({ alarm: 'payment_unknown', intentId }, 'a payment has no order');
}

/**
 * Restores a paid order that this database lost when it was restored from an old backup. Returns `undefined`, with an alarm, if
 * the metadata is incomplete.
 */
export async function restoreOrder(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  tx: Tx,
  intent: CardIntent,
): Promise<OrderRow | undefined> {
  const kept = readOrderMetadata(intent.metadata);
  const payer = kept === undefined ? undefined : await selectUserByUuid(tx, kept.userUuid);
  if (kept === undefined || payer === undefined) {
    reportUnknown({ log }, intent);
    return undefined;
  }
  log.error({ alarm: 'payment_restored', orderId: kept.orderId }, 'a paid order was restored');
  const now = dateOf(clock);
  await insertOrder(tx, {
    id: kept.orderId,
    user_id: payer.id,
    state: 'open',
    intent_id: intent.intentId,
    amount_micro_ath: kept.amountMicroAth,
    usd_per_ath: rateText(kept.usdPerAth),
    price_usd_cents: kept.price.priceUsdCents,
    product_fee_usd_cents: kept.price.productFeeUsdCents,
    processing_fee_usd_cents: kept.price.processingFeeUsdCents,
    total_usd_cents: kept.price.totalUsdCents,
    created_at: now,
    expires_at: now,
  });
  return lockOrder(tx, kept.orderId);
}

/** The name of this system in every intent's metadata. */
export const environmentName = ({ isProduction }: { isProduction: boolean }): string =>
  isProduction ? 'production' : 'development';

/** Whether this system created the intent: several systems may share one account at the provider. */
export const isOurs = (
  { config }: { readonly config: { readonly isProduction: boolean } },
  { metadata }: CardIntent,
): boolean => metadata['env'] === environmentName(config);
