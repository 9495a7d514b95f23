/** What the people of the demo's past buy: the offers of its catalogue that anybody can buy in any number. */
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import { demoOfferDrafts } from '../demo-catalogue.ts';

export interface PastOffer {
  readonly id: number;
  readonly priceHundredths: number;
  /** The only venue that redeems the offer: an index in `demoVenues`. */
  readonly venue: number | undefined;
  /** The time in which the offer is on sale, in days from now. */
  readonly saleDays: { readonly from: number; readonly to: number };
  readonly popularity: number;
}

/** No member of staff works at the third venue, so nothing can be redeemed there. */
const UNSTAFFED_VENUE = 2;

export const pastOffers: readonly PastOffer[] = demoOfferDrafts.flatMap(
  ({ id, draft: [, , kind, priceAth, , limits = {}] }) => {
    const isForAll =
      limits.isWithdrawn !== true &&
      limits.stockLeft === undefined &&
      limits.userCountMax === undefined &&
      limits.tierIdMin === undefined &&
      limits.venue !== UNSTAFFED_VENUE;
    if (kind === OFFER_KINDS.Tip || !isForAll) return [];
    return {
      id,
      priceHundredths: priceAth * 100,
      venue: limits.venue,
      saleDays: { from: limits.saleStartsInDays ?? -Infinity, to: limits.saleEndsInDays ?? 0 },
      // Cheap offers are bought far more often than expensive ones.
      popularity: 1 / priceAth ** 0.75,
    };
  },
);

/** Tips that the programme receives. Those with a beneficiary would change the balances of the demo's users. */
export const pastTips: readonly number[] = demoOfferDrafts.flatMap(
  ({ id, draft: [, , kind, , , limits] }) =>
    kind === OFFER_KINDS.Tip && limits?.beneficiary === undefined ? id : [],
);
