/** Decides whether a cart can be bought, as pure functions without database access. */
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import {
  athHundredths,
  formatAthRoundedUp,
  microAthFromHundredths,
  priceOfItems,
  type AthHundredths,
  type MicroAth,
} from '@athos/domain/money';
import { offerAvailability } from '@athos/domain/offer-availability';
import { AppError } from '../../../platform/errors.ts';
import type { OfferRow } from './offers.sql.ts';

export interface CartLine {
  readonly offerId: number;
  readonly itemCount: number;
  /** The price per item that the buyer saw; `undefined` if the cart does not state it. */
  readonly seenPrice: AthHundredths | undefined;
}

export interface Cart {
  readonly userId: bigint;
  readonly key: string;
  readonly lines: readonly CartLine[];
}

/** The facts that a cart is checked against: stock and counts before the purchase. */
export interface ShopState {
  readonly offers: ReadonlyMap<number, OfferRow>;
  /** Contains only offers with limited stock. */
  readonly stockLeft: ReadonlyMap<number, number>;
  boughtCount(userId: bigint, offerId: number): number;
  balanceOf(userId: bigint): MicroAth;
  readonly nowMs: number;
}

/** The codes of faults, the most serious first: existence and state before price. */
const FAULT_CODES = [
  'offer_unavailable',
  'sold_out',
  'offer_limit_reached',
  'tier_too_low',
  'price_changed',
] as const;
type FaultCode = (typeof FAULT_CODES)[number];

export interface OfferFault {
  readonly code: FaultCode;
  /** Tells the user what to do about it. */
  readonly detail: string;
}

const ath = (price: AthHundredths): string => formatAthRoundedUp(microAthFromHundredths(price));

/** The reason why nobody can currently buy an offer or tip through it. */
export function saleFault(offer: OfferRow, nowMs: number): OfferFault | undefined {
  const availability = offerAvailability(
    {
      isActive: offer.active,
      stockLeft: offer.stock_left,
      saleStartsAtMs: offer.sale_starts_at?.getTime() ?? null,
      saleEndsAtMs: offer.sale_ends_at?.getTime() ?? null,
    },
    nowMs,
  );
  switch (availability) {
    case 'inactive':
      return { code: 'offer_unavailable', detail: 'This offer was withdrawn: choose another.' };
    case 'over':
      return { code: 'offer_unavailable', detail: 'This sale is over: choose another offer.' };
    case 'not_yet':
      return {
        code: 'offer_unavailable',
        detail: `This sale has not begun: come back at ${offer.sale_starts_at?.toISOString() ?? ''}.`,
      };
    case 'sold_out':
      return { code: 'sold_out', detail: 'This offer is sold out: choose another.' };
    case 'on_sale':
      return undefined;
  }
}

/** The reason why the buyer's tier is too low. Only the ATH balance before the purchase counts for tiers (D-024). */
export const tierFault = (offer: OfferRow, balance: MicroAth): OfferFault | undefined =>
  offer.tier_amount_min_micro_ath !== null && balance < offer.tier_amount_min_micro_ath
    ? {
        code: 'tier_too_low',
        detail: `This offer is for ${offer.tier_title_min ?? 'a higher tier'} and above: hold more ATH first.`,
      }
    : undefined;

function stockFault({ offerId, itemCount }: CartLine, state: ShopState): OfferFault | undefined {
  const left = state.stockLeft.get(offerId);
  if (left === undefined || itemCount <= left) return undefined;
  return {
    code: 'sold_out',
    detail: left === 0 ? 'This offer is sold out: remove it.' : `Only ${left} left: take no more.`,
  };
}

function limitFault(
  userId: bigint,
  { itemCount }: CartLine,
  { offer, state }: { offer: OfferRow; state: ShopState },
): OfferFault | undefined {
  if (offer.user_count_max === null) return undefined;
  const left = Math.max(0, offer.user_count_max - state.boughtCount(userId, offer.id));
  if (itemCount <= left) return undefined;
  return {
    code: 'offer_limit_reached',
    detail:
      left === 0
        ? `You have bought all ${offer.user_count_max} that one account may: remove this offer.`
        : `You may buy ${left} more of this offer: lower the count.`,
  };
}

function priceFault({ seenPrice }: CartLine, offer: OfferRow): OfferFault | undefined {
  const price = athHundredths(offer.price_ath_hundredths);
  if (seenPrice === undefined || seenPrice === price) return undefined;
  return {
    code: 'price_changed',
    detail: `One costs ${ath(price)} ATH now: confirm the new price.`,
  };
}

function lineFault(userId: bigint, line: CartLine, state: ShopState): OfferFault | undefined {
  const offer = state.offers.get(line.offerId);
  if (offer === undefined) {
    return { code: 'offer_unavailable', detail: 'There is no such offer: remove it.' };
  }
  if (offer.kind === OFFER_KINDS.Tip) {
    return { code: 'offer_unavailable', detail: 'A tip is not bought: tip on its own page.' };
  }
  return (
    saleFault(offer, state.nowMs) ??
    stockFault(line, state) ??
    limitFault(userId, line, { offer, state }) ??
    tierFault(offer, state.balanceOf(userId)) ??
    priceFault(line, offer)
  );
}

/** The error of a refused cart: code and detail of the most serious fault, with all faults in `errors`. */
function cartFault(
  faults: readonly (OfferFault & { offerId: number; index: number })[],
): AppError | undefined {
  const [worst] = faults.toSorted(
    (a, b) => FAULT_CODES.indexOf(a.code) - FAULT_CODES.indexOf(b.code),
  );
  if (worst === undefined) return undefined;
  return new AppError(worst.code, {
    detail: `Nothing was bought. ${worst.detail}`,
    extra: {
      offer_id: worst.offerId,
      errors: faults.map(({ index, detail }) => ({
        pointer: `/offer_ids/${index}`,
        message: detail,
      })),
    },
  });
}

/** The error of a refused tip. */
export const offerRefusal = (offerId: number, { code, detail }: OfferFault): AppError =>
  new AppError(code, {
    detail: `Nothing was sent. ${detail}`,
    extra: { offer_id: offerId, errors: [{ pointer: '/offer_id', message: detail }] },
  });

/** A line with its current price. */
export interface PricedLine extends CartLine {
  readonly price: AthHundredths;
  readonly total: AthHundredths;
}

export interface PricedCart extends Cart {
  readonly lines: readonly PricedLine[];
  readonly total: AthHundredths;
}

/** Returns the cart at current prices, or the error of a cart that cannot be bought. Checks in order: existence, state, money. */
export function priceCart(cart: Cart, state: ShopState): PricedCart | AppError {
  const faults = cart.lines.flatMap((line, index) => {
    const fault = lineFault(cart.userId, line, state);
    return fault === undefined ? [] : [{ ...fault, offerId: line.offerId, index }];
  });
  const refusal = cartFault(faults);
  if (refusal !== undefined) return refusal;
  const lines = cart.lines.map((line) => {
    const price = athHundredths(state.offers.get(line.offerId)?.price_ath_hundredths ?? 0);
    return { ...line, price, total: priceOfItems(price, line.itemCount) };
  });
  const total = athHundredths(lines.reduce((sum, line) => sum + line.total, 0));
  if (microAthFromHundredths(total) > state.balanceOf(cart.userId))
    return insufficientBalance(total);
  return { ...cart, lines, total };
}

const insufficientBalance = (total: AthHundredths): AppError =>
  new AppError('insufficient_balance', {
    detail: `Nothing was bought. The cart costs ${ath(total)} ATH: take something out, or buy ATH first.`,
  });
