/** What the provider keeps of an order beside the payment: enough to find it, and to make it again should we lose it. */
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

/** `undefined` unless complete. Only our own key can write metadata, so what is complete is ours. */
export function readOrderMetadata(
  metadata: Readonly<Record<string, string>>,
): KeptOrder | undefined {
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
