/**
 * The price of ATH bought by card, in integers, identical on the server and in the browser. Limits and fees are those of
 * spec 9; rounding follows D-096 and D-113 (docs/cards.md "Price").
 */
import {
  divideRoundHalfUp,
  divideRoundUp,
  microAth,
  TRANSFER_MICRO_MAX,
  usdCents,
  usdOfTokens,
  type MicroAth,
  type Rate,
  type UsdCents,
} from './money.ts';

/** Spec 9: buy minimum and maximum, applied to the price without fees. */
export const BUY_MIN_USD_CENTS = usdCents(1_000n);
export const BUY_MAX_USD_CENTS = usdCents(9_500_000n);
/** Spec 9: "a fee of 5 percent plus a processing fee of 6 percent". In basis points. */
const ATHOS_FEE_BPS = 500n;
const PROCESSING_FEE_BPS = 600n;
const BPS = 10_000n;
const MICRO_PER_HUNDREDTH = 10_000n;

export interface PurchasePrice {
  readonly priceUsdCents: UsdCents;
  readonly productFeeUsdCents: UsdCents;
  readonly processingFeeUsdCents: UsdCents;
  readonly totalUsdCents: UsdCents;
}

/** Fees and total of a price. Each fee is rounded half up on its own: 1010 costs 51 + 61, in total 1122, not 1121. */
export function priceWithFees(priceUsdCents: UsdCents): PurchasePrice {
  const productFeeUsdCents = usdCents(divideRoundHalfUp(priceUsdCents * ATHOS_FEE_BPS, BPS));
  const processingFeeUsdCents = usdCents(
    divideRoundHalfUp(priceUsdCents * PROCESSING_FEE_BPS, BPS),
  );
  const totalUsdCents = usdCents(priceUsdCents + productFeeUsdCents + processingFeeUsdCents);
  return { priceUsdCents, productFeeUsdCents, processingFeeUsdCents, totalUsdCents };
}

/** The price of `amount` at `usdPerAth`. */
export const priceOfTokens = (amount: MicroAth, usdPerAth: Rate): PurchasePrice =>
  priceWithFees(usdOfTokens(amount, usdPerAth));

/** Tokens for a price, to the nearest 0.01 ATH, for requests without a token amount (D-098). */
export function tokensOfPrice(priceUsdCents: UsdCents, usdPerAth: Rate): MicroAth {
  const hundredths = divideRoundHalfUp(priceUsdCents * 100_000_000n, usdPerAth);
  return microAth(hundredths * MICRO_PER_HUNDREDTH);
}

/** The smallest amount with 2 decimals that is worth at least `priceUsdCents`. */
export function tokensWorth(priceUsdCents: UsdCents, usdPerAth: Rate): MicroAth {
  const hundredths = divideRoundUp(priceUsdCents * 100_000_000n, usdPerAth);
  return microAth(hundredths * MICRO_PER_HUNDREDTH);
}

/** Spec 5: the default amount is the ATH amount equal to 10 USD, rounded up to 2 decimals. */
export const defaultBuyAmount = (usdPerAth: Rate): MicroAth =>
  tokensWorth(BUY_MIN_USD_CENTS, usdPerAth);

/** The largest amount with 2 decimals that one purchase may buy. */
function largestBuyAmount(usdPerAth: Rate): MicroAth {
  const micro = ((BUY_MAX_USD_CENTS * 100_000_000n) / usdPerAth) * MICRO_PER_HUNDREDTH;
  return microAth(micro < TRANSFER_MICRO_MAX ? micro : TRANSFER_MICRO_MAX);
}

/**
 * The amount to buy for a user who lacks `missing`: that amount rounded up to 2 decimals, within the limits of one purchase. Above the
 * largest purchase it is less than what is missing.
 */
export function buyAmountFor(missing: MicroAth, usdPerAth: Rate): MicroAth {
  const wanted = divideRoundUp(missing, MICRO_PER_HUNDREDTH) * MICRO_PER_HUNDREDTH;
  const least = defaultBuyAmount(usdPerAth);
  const most = largestBuyAmount(usdPerAth);
  if (wanted <= least) return least;
  return microAth(wanted < most ? wanted : most);
}

export type BuyLimit = 'below_minimum' | 'above_maximum';

/** The limit that a price violates, if any. */
export function brokenBuyLimit(priceUsdCents: UsdCents): BuyLimit | undefined {
  if (priceUsdCents < BUY_MIN_USD_CENTS) return 'below_minimum';
  return priceUsdCents > BUY_MAX_USD_CENTS ? 'above_maximum' : undefined;
}

/** `10.00 USD into $ATH` (spec 3): the price without fees, ungrouped. */
export function paymentDescription(priceUsdCents: UsdCents, symbol: string): string {
  const cents = (priceUsdCents % 100n).toString().padStart(2, '0');
  return `${priceUsdCents / 100n}.${cents} USD into $${symbol}`;
}
