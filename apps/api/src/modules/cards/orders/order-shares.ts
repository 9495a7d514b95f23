/**
 * How an order's money is divided when a part of it is returned: to the card, or by repaying a debt (docs/cards.md, "Refunds"). Amounts
 * are cumulative, so that the cents of any number of parts add up to those of the order.
 */
import { microAth, usdCents, type MicroAth, type UsdCents } from '@athos/domain/money';
import type { OrderRow } from './orders.sql.ts';

/** The shares of the three accounts between which an order's total is divided, in cents. */
export interface Shares {
  readonly priceUsdCents: UsdCents;
  readonly productFeeUsdCents: UsdCents;
  readonly processingFeeUsdCents: UsdCents;
}

export interface Part extends Shares {
  readonly amountMicroAth: MicroAth;
}

export type OrderMoney = Pick<
  OrderRow,
  | 'amount_micro_ath'
  | 'price_usd_cents'
  | 'product_fee_usd_cents'
  | 'processing_fee_usd_cents'
  | 'total_usd_cents'
  | 'returned_micro_ath'
  | 'returned_price_usd_cents'
  | 'returned_product_fee_usd_cents'
  | 'returned_processing_fee_usd_cents'
>;

export const totalOf = (shares: Shares): UsdCents =>
  usdCents(shares.priceUsdCents + shares.productFeeUsdCents + shares.processingFeeUsdCents);

export const NO_SHARES: Shares = {
  priceUsdCents: usdCents(0n),
  productFeeUsdCents: usdCents(0n),
  processingFeeUsdCents: usdCents(0n),
};

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const between = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : least(value, high);

const returnedCents = (order: OrderMoney): UsdCents =>
  usdCents(
    order.returned_price_usd_cents +
      order.returned_product_fee_usd_cents +
      order.returned_processing_fee_usd_cents,
  );

/** The part that has not been returned yet. */
export const leftOf = (order: OrderMoney): Part => ({
  amountMicroAth: microAth(order.amount_micro_ath - order.returned_micro_ath),
  priceUsdCents: usdCents(order.price_usd_cents - order.returned_price_usd_cents),
  productFeeUsdCents: usdCents(order.product_fee_usd_cents - order.returned_product_fee_usd_cents),
  processingFeeUsdCents: usdCents(
    order.processing_fee_usd_cents - order.returned_processing_fee_usd_cents,
  ),
});

/**
 * Divides `total` cents. Each fee is its `cumulative` amount less the amount returned before; the price is the rest. No share is negative
 * or exceeds what is left of it, which matters only for parts of a few cents.
 */
function divide(order: OrderMoney, total: bigint, cumulative: (whole: bigint) => bigint): Shares {
  const left = leftOf(order);
  const productDue = cumulative(order.product_fee_usd_cents) - order.returned_product_fee_usd_cents;
  const processingDue =
    cumulative(order.processing_fee_usd_cents) - order.returned_processing_fee_usd_cents;
  const product = between(productDue, 0n, least(left.productFeeUsdCents, total));
  const processing = between(processingDue, 0n, least(left.processingFeeUsdCents, total - product));
  const price = least(total - product - processing, left.priceUsdCents);
  const beyondPrice = total - product - processing - price;
  const toProduct = least(beyondPrice, left.productFeeUsdCents - product);
  return {
    priceUsdCents: usdCents(price),
    productFeeUsdCents: usdCents(product + toProduct),
    processingFeeUsdCents: usdCents(processing + beyondPrice - toProduct),
  };
}

/** The money for `amount` more tokens of the order, limited to the money that is left. */
export function partOfTokens(order: OrderMoney, amount: MicroAth): Part {
  const cumulative = (whole: bigint): bigint =>
    (whole * (order.returned_micro_ath + amount)) / order.amount_micro_ath;
  const due = cumulative(order.total_usd_cents) - returnedCents(order);
  const total = between(due, 0n, totalOf(leftOf(order)));
  return { amountMicroAth: amount, ...divide(order, total, cumulative) };
}

/** The tokens for `cents` more of the order's total, limited to the tokens that are left. The last cent returns all remaining tokens. */
export function partOfCents(order: OrderMoney, cents: UsdCents): Part {
  const left = leftOf(order);
  const total = least(cents, totalOf(left));
  const sum = returnedCents(order) + total;
  const cumulative = (whole: bigint): bigint => (whole * sum) / order.total_usd_cents;
  const due = cumulative(order.amount_micro_ath) - order.returned_micro_ath;
  return {
    amountMicroAth: microAth(between(due, 0n, left.amountMicroAth)),
    ...divide(order, total, cumulative),
  };
}

const REFUND_USD_CENTS_MIN = 100n;

/** The reason why a part may not be refunded; `undefined` if it may. */
export function faultOfRefund(
  order: OrderMoney,
  part: Part,
): 'below_minimum' | 'leaves_too_little' | undefined {
  const total = totalOf(part);
  if (total < REFUND_USD_CENTS_MIN) return 'below_minimum';
  const rest = totalOf(leftOf(order)) - total;
  return rest > 0n && rest < REFUND_USD_CENTS_MIN ? 'leaves_too_little' : undefined;
}

/** The largest refundable part of `available` tokens that leaves nothing or enough for another refund. */
export function largestPart(order: OrderMoney, available: MicroAth): Part | undefined {
  const left = leftOf(order);
  const wanted = microAth(least(available, left.amountMicroAth));
  if (wanted <= 0n) return undefined;
  const all = partOfTokens(order, wanted);
  if (faultOfRefund(order, all) !== 'leaves_too_little') return orNothing(order, all);
  // The largest c with floor(total × c / T) ≤ total - 100.
  const { total_usd_cents: total, amount_micro_ath: tokens } = order;
  const cumulative = ((total - REFUND_USD_CENTS_MIN + 1n) * tokens - 1n) / total;
  const less = cumulative - order.returned_micro_ath;
  return less <= 0n ? undefined : orNothing(order, partOfTokens(order, microAth(less)));
}

const orNothing = (order: OrderMoney, part: Part): Part | undefined =>
  faultOfRefund(order, part) === undefined ? part : undefined;

/** The order's columns after `part` was returned, or after that return was reversed if `sign` is -1. */
export function returnedAfter(order: OrderMoney, part: Part, sign: 1n | -1n) {
  return {
    returned_micro_ath: order.returned_micro_ath + sign * part.amountMicroAth,
    returned_price_usd_cents: order.returned_price_usd_cents + sign * part.priceUsdCents,
    returned_product_fee_usd_cents:
      order.returned_product_fee_usd_cents + sign * part.productFeeUsdCents,
    returned_processing_fee_usd_cents:
      order.returned_processing_fee_usd_cents + sign * part.processingFeeUsdCents,
  };
}
