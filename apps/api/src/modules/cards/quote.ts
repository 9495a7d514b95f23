/** Whether a requested purchase is at a published rate and agrees to the cent. Nothing here is stored or asked of others. */
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
import type { Clock } from '../../platform/clock.ts';
import { dateOf } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { selectQuotableRates } from './payment.sql.ts';

const RATE_RETRY_SECONDS = 5;

/** What the browser showed and asks for. `undefined`: not sent, or no whole number of cents. */
export interface PaymentRequest {
  readonly usdPerAth: Rate | undefined;
  readonly amountMicroAth: MicroAth | undefined;
  readonly claimed: { readonly [Part in keyof PurchasePrice]: UsdCents | undefined };
}

export interface Quote extends PurchasePrice {
  readonly usdPerAth: Rate;
  readonly amountMicroAth: MicroAth;
}

interface QuoteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly rateMaxAgeMs: number };
}

/**
 * Throws `rate_unavailable` while the source is silent, `rate_expired` for a rate that was not in force within 300 s and
 * is not held by an order.
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
 * Computes the purchase again in integers (decisions "Money"). Guards in order: rate, which an order of the same quote that
 * waits for its card holds, agreement to the cent, limits of the price. Throws the AppError of the first that fails.
 */
export async function requireQuote(
  deps: QuoteDeps,
  request: PaymentRequest,
  isRateHeld: boolean,
): Promise<Quote> {
  const usdPerAth = await requireQuotableRate(deps, request.usdPerAth, isRateHeld);
  const { claimed } = request;
  if (claimed.priceUsdCents === undefined) throw new AppError('price_mismatch');
  const amountMicroAth = request.amountMicroAth ?? tokensOfPrice(claimed.priceUsdCents, usdPerAth);
  const price = priceOfTokens(amountMicroAth, usdPerAth);
  const parts = Object.keys(price) as (keyof PurchasePrice)[];
  if (parts.some((part) => price[part] !== claimed[part])) throw new AppError('price_mismatch');
  const brokenLimit = brokenBuyLimit(price.priceUsdCents);
  if (brokenLimit === 'below_minimum') throw new AppError('amount_below_minimum');
  // At a tiny rate an allowed price could be for more tokens than one transfer moves.
  if (brokenLimit === 'above_maximum' || amountMicroAth > TRANSFER_MICRO_MAX) {
    throw new AppError('amount_above_maximum');
  }
  return { ...price, usdPerAth, amountMicroAth };
}
