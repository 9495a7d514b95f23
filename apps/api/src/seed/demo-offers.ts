import { demoGoods } from './demo-goods.ts';
import { demoNights } from './demo-nights.ts';
import type { OfferDrafts } from './offer-draft.ts';

/** By category, in the order of their positions. */
export const demoOffers: OfferDrafts = {
  ...demoGoods,
  ...demoNights,
};
