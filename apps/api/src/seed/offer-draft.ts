import type { Insertable } from 'kysely';
import type { Tables } from '../platform/database/database.ts';

type Offer = Insertable<Tables['offers']>;

interface OfferLimits {
  readonly displayType?: Offer['display_type'];
  readonly stockLeft?: number;
  /** Days from the first start, so that the demo looks the same on any day. */
  readonly saleStartsInDays?: number;
  readonly saleEndsInDays?: number;
  readonly userCountMax?: number;
  readonly tierIdMin?: number;
  readonly isWithdrawn?: true;
  /** The receiver of the tips, as an index in `demoSignIns`. */
  readonly beneficiary?: number;
  /** The only venue that redeems the offer, as an index in `demoVenues`. */
  readonly venue?: number;
}

export type OfferDraft = readonly [
  slug: string,
  title: string,
  kind: Offer['kind'],
  priceAth: number,
  note: string,
  limits?: OfferLimits,
];

/** Offers by category id, in display order. New ones go last, since ids derive from the index. */
export type OfferDrafts = Readonly<Record<number, readonly OfferDraft[]>>;
