import { rateText } from '@athos/domain/money';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { CardIntent } from './card-provider.ts';
import { readOrderMetadata } from './order-metadata.ts';
import { insertOrder, lockOrder, selectPayerByUuid, type OrderRow } from './payment.sql.ts';

/**
 * A paid order that this database has forgotten (it was restored from an old copy), made again from what the provider
 * kept of it. `undefined`, with an alarm, where that is not enough.
 */
export async function restoreOrder(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  tx: Tx,
  intent: CardIntent,
): Promise<OrderRow | undefined> {
  const kept = readOrderMetadata(intent.metadata);
  const payer = kept === undefined ? undefined : await selectPayerByUuid(tx, kept.userUuid);
  if (kept === undefined || payer === undefined) {
    log.error({ alarm: 'payment_unknown', intentId: intent.intentId }, 'a payment has no order');
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
