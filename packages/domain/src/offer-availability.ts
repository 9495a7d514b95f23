/** Whether an offer can be bought now, the same for screen and server. What one user may buy is decided by the server. */

export interface OfferSale {
  readonly isActive: boolean;
  /** `null`: as many as are wanted. */
  readonly stockLeft: number | null;
  readonly saleStartsAtMs: number | null;
  readonly saleEndsAtMs: number | null;
}

export type OfferAvailability = 'on_sale' | 'inactive' | 'not_yet' | 'over' | 'sold_out';

/** A sale begins at its start and is over at its end. A withdrawn offer is nothing else besides. */
export function offerAvailability(offer: OfferSale, nowMs: number): OfferAvailability {
  if (!offer.isActive) return 'inactive';
  if (offer.saleEndsAtMs !== null && nowMs >= offer.saleEndsAtMs) return 'over';
  if (offer.saleStartsAtMs !== null && nowMs < offer.saleStartsAtMs) return 'not_yet';
  if (offer.stockLeft !== null && offer.stockLeft <= 0) return 'sold_out';
  return 'on_sale';
}
