/** The contents of a cart, and its total. */
import type { Intent } from '@athos/app-core/intents/intent';
import type { PictureAddresses } from '@athos/contract/pictures';
import {
  microAth,
  microAthFromHundredths,
  type AthHundredths,
  type MicroAth,
} from '@athos/domain/money';
import type { OfferSale } from '@athos/domain/offer-availability';

/** What the cart shows of an offer, as of the last answer about it. */
export interface CartOffer {
  readonly id: number;
  readonly categoryId: number;
  /** Markdown. */
  readonly title: string;
  readonly image: PictureAddresses;
  /** The price of one item. */
  readonly price: AthHundredths;
  readonly sale: OfferSale;
  /** How many one user may ever buy; `null`: any number. */
  readonly userCountMax: number | null;
  /** The lowest tier that may buy it. */
  readonly tierIdMin: number | null;
}

/** Spec 3: an offer plus a count. */
export interface CartItem {
  readonly offer: CartOffer;
  /** 1 to 99. */
  readonly count: number;
  /** The price of one item when it was put in. The cart tells if it has changed. */
  readonly priceWhenAdded: AthHundredths;
}

export interface Cart {
  readonly items: readonly CartItem[];
  /** The purchase that was confirmed last, until it is made. */
  readonly intent?: Intent<readonly CartItem[]>;
}

export const lineTotal = ({ offer, count }: Pick<CartItem, 'offer' | 'count'>): MicroAth =>
  microAth(microAthFromHundredths(offer.price) * BigInt(count));

export const cartTotal = (items: readonly CartItem[]): MicroAth =>
  microAth(items.reduce((sum, item) => sum + lineTotal(item), 0n));

export const cartCount = (items: readonly CartItem[]): number =>
  items.reduce((sum, { count }) => sum + count, 0);

export const countInCart = (items: readonly CartItem[], offerId: number): number =>
  items.find(({ offer }) => offer.id === offerId)?.count ?? 0;

/** Same offers, counts and prices: the same purchase. The order in which they were put in does not matter. */
export const contentOf = (items: readonly CartItem[]): string =>
  items
    .map(({ offer, count }) => `${offer.id}x${count}@${offer.price}`)
    .toSorted()
    .join();
