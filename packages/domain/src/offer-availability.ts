/** Whether an offer is on sale, for screens and server alike. Per-user limits are the server's. */

export interface OfferSale {
  readonly isActive: boolean;
  /** `null` means unlimited. */
  readonly stockLeft: number | null;
  readonly saleStartsAtMs: number | null;
  readonly saleEndsAtMs: number | null;
}

export type OfferAvailability = 'on_sale' | 'inactive' | 'not_yet' | 'over' | 'sold_out';

/** The start is inclusive, the end exclusive. Inactive takes precedence over every other state. */
export function offerAvailability(offer: OfferSale, nowMs: number): OfferAvailability {
  if (!offer.isActive) return 'inactive';
  if (offer.saleEndsAtMs !== null && nowMs >= offer.saleEndsAtMs) return 'over';
  if (offer.saleStartsAtMs !== null && nowMs < offer.saleStartsAtMs) return 'not_yet';
  if (offer.stockLeft !== null && offer.stockLeft <= 0) return 'sold_out';
  return 'on_sale';
}
