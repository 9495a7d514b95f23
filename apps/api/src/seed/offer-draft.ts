import type { Insertable } from 'kysely';
import type { Tables } from '../platform/database/database.ts';

type Offer = Insertable<Tables['offers']>;

interface OfferLimits {
  readonly displayType?: Offer['display_type'];
  readonly stockLeft?: number;
  /** Counted from the first start, so that a demo looks the same whenever it is begun. */
  readonly saleStartsInDays?: number;
  readonly saleEndsInDays?: number;
  readonly userCountMax?: number;
  readonly tierIdMin?: number;
  readonly isWithdrawn?: true;
  /** Whose tips they are: a place in the list of demo sign-ins. */
  readonly beneficiary?: number;
  /** The only place that redeems it: a place in the list of demo venues. */
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

/** Offers by category, in the order of their positions. New ones come last: the ids follow from the place. */
export type OfferDrafts = Readonly<Record<number, readonly OfferDraft[]>>;
