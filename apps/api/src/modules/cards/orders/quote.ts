/** Checks that a quote's rate was published and that its prices agree to the cent. Writes nothing and calls no other service. */
import {
  rateNumber,
  TRANSFER_MICRO_MAX,
  type MicroAth,
  type Rate,
  type UsdCents,
} from '@athos/domain/money';
import {
  brokenBuyLimit,
  priceOfTokens,
  tokensOfPrice,
  type PurchasePrice,
} from '@athos/domain/purchase-price';
import type { Clock } from '../../../platform/clock.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { selectQuotableRates } from '../../rate/index.ts';

const RATE_RETRY_SECONDS = 5;

/** The quote that the browser showed to the buyer. A price is `undefined` if it was not sent or is not a whole number of cents. */
export interface CardQuote {
  readonly usdPerAth: Rate | undefined;
  readonly amountMicroAth: MicroAth | undefined;
  readonly claimed: { readonly [Part in keyof PurchasePrice]: UsdCents | undefined };
}

export interface AgreedQuote extends PurchasePrice {
  readonly usdPerAth: Rate;
  readonly amountMicroAth: MicroAth;
}

interface QuoteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly rateMaxAgeMs: number };
}

/**
 * Throws `rate_unavailable` while the source is silent, and `rate_expired` for a rate that was not in force within 300 s and is
 * not held by an open order.
 */
async function requireQuotableRate(
  { db, clock, config }: QuoteDeps,
  asked: Rate | undefined,
  isHeld: boolean,
): Promise<Rate> {
  const rates = await selectQuotableRates(db, dateOf(clock));
  const [current] = rates;
  if (
    current === undefined ||
    clock.nowMs() - current.confirmedAt.getTime() > config.rateMaxAgeMs
  ) {
    throw new AppError('rate_unavailable', { retryAfterSeconds: RATE_RETRY_SECONDS });
  }
  if (asked === undefined || !(isHeld || rates.some(({ usdPerAth }) => usdPerAth === asked))) {
    throw new AppError('rate_expired', {
      detail: 'Ask again at the rate in exchange_rate.',
      extra: { exchange_rate: rateNumber(current.usdPerAth) },
    });
  }
  return asked;
}

/**
 * Recomputes the quote in integers (D-094, D-112). Guards in order: rate, unless an open order holds it; agreement to the cent;
 * price limits. Throws the AppError of the first guard that fails.
 */
export async function requireQuote(
  deps: QuoteDeps,
  quote: CardQuote,
  isRateHeld: boolean,
): Promise<AgreedQuote> {
  const usdPerAth = await requireQuotableRate(deps, quote.usdPerAth, isRateHeld);
  const { claimed } = quote;
  if (claimed.priceUsdCents === undefined) throw new AppError('price_mismatch');
  const amountMicroAth = quote.amountMicroAth ?? tokensOfPrice(claimed.priceUsdCents, usdPerAth);
  const price = priceOfTokens(amountMicroAth, usdPerAth);
  const parts = Object.keys(price) as (keyof PurchasePrice)[];
  if (parts.some((part) => price[part] !== claimed[part])) throw new AppError('price_mismatch');
  const brokenLimit = brokenBuyLimit(price.priceUsdCents);
  if (brokenLimit === 'below_minimum') throw new AppError('amount_below_minimum');
  // At a very low rate, an allowed price could buy more tokens than one transfer can move.
  if (brokenLimit === 'above_maximum' || amountMicroAth > TRANSFER_MICRO_MAX) {
    throw new AppError('amount_above_maximum');
  }
  return { ...price, usdPerAth, amountMicroAth };
}
