/** Whether an offer is on sale, for screens and server alike. The server checks per-user limits. */

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

export const OFFER_STATES = [
  'draft',
  'scheduled',
  'live',
  'sold_out',
  'ended',
  'withdrawn',
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

const STATE_OF = {
  inactive: 'withdrawn',
  not_yet: 'scheduled',
  over: 'ended',
  sold_out: 'sold_out',
  on_sale: 'live',
} as const satisfies Record<OfferAvailability, OfferState>;

/** The state of an offer as shown to staff. An offer that was never published is a draft, regardless of its other fields. */
export const offerState = (
  offer: OfferSale & { readonly isDraft: boolean },
  nowMs: number,
): OfferState => (offer.isDraft ? 'draft' : STATE_OF[offerAvailability(offer, nowMs)]);
