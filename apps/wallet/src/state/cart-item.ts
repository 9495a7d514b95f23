/** The contents of a cart, and their total. */
import type { Intent } from '@athos/app-core/intents/intent';
import type { PictureAddresses } from '@athos/contract/pictures';
import {
  microAth,
  microAthFromHundredths,
  type AthHundredths,
  type MicroAth,
} from '@athos/domain/money';
import type { OfferSale } from '@athos/domain/offer-availability';

/** The data of an offer that the cart shows, as last received from the server. */
export interface CartOffer {
  readonly id: number;
  readonly categoryId: number;
  /** Markdown. */
  readonly title: string;
  readonly image: PictureAddresses;
  /** The price of one item. */
  readonly price: AthHundredths;
  readonly sale: OfferSale;
  /** The maximum that one user may ever buy; `null` if there is no limit. */
  readonly userCountMax: number | null;
  /** The lowest tier that may buy it. */
  readonly tierIdMin: number | null;
}

/** Spec 3: an offer plus a count. */
export interface CartItem {
  readonly offer: CartOffer;
  /** 1 to 99. */
  readonly count: number;
  /** The unit price when the item was added. The cart points out a price that has changed since. */
  readonly priceWhenAdded: AthHundredths;
}

export interface Cart {
  readonly items: readonly CartItem[];
  /** The last confirmed purchase, until it is done. */
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

/** The same offers, counts and prices are the same purchase, regardless of their order. */
export const contentOf = (items: readonly CartItem[]): string =>
  items
    .map(({ offer, count }) => `${offer.id}x${count}@${offer.price}`)
    .toSorted()
    .join();
