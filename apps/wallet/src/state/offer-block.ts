/** Why this many items of an offer cannot be bought now. The server decides; this explains it before the request. */
import type { MicroAth } from '@athos/domain/money';
import { offerAvailability, type OfferAvailability } from '@athos/domain/offer-availability';
import type { CartOffer } from './cart-item.ts';

export type OfferBlock =
  | { readonly kind: Exclude<OfferAvailability, 'on_sale'> }
  | { readonly kind: 'stock'; readonly stockLeft: number }
  | { readonly kind: 'limit'; readonly userCountMax: number }
  | { readonly kind: 'tier'; readonly title: string };

export interface Buyer {
  readonly nowMs: number;
  /** `undefined` while it is loading, which blocks nothing. */
  readonly balance: MicroAth | undefined;
  readonly tiers: readonly BuyerTier[];
}

interface BuyerTier {
  readonly id: number;
  readonly title: string;
  readonly amountMicroAth: MicroAth;
}

function tierBlock({ tierIdMin }: CartOffer, { balance, tiers }: Buyer): OfferBlock | undefined {
  const tier = tiers.find(({ id }) => id === tierIdMin);
  if (tier === undefined || balance === undefined) return undefined;
  return balance < tier.amountMicroAth ? { kind: 'tier', title: tier.title } : undefined;
}

/** Returns the first reason, most useful to the user first. */
export function offerBlock(offer: CartOffer, count: number, buyer: Buyer): OfferBlock | undefined {
  const availability = offerAvailability(offer.sale, buyer.nowMs);
  if (availability !== 'on_sale') return { kind: availability };
  const tier = tierBlock(offer, buyer);
  if (tier !== undefined) return tier;
  const { stockLeft } = offer.sale;
  if (stockLeft !== null && count > stockLeft) return { kind: 'stock', stockLeft };
  const { userCountMax } = offer;
  return userCountMax !== null && count > userCountMax
    ? { kind: 'limit', userCountMax }
    : undefined;
}
