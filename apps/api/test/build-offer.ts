/** What staff send to create and change an offer. */
import type { ConsoleBodyOf } from '@athos/contract/console/calls';

export type OfferBody = ConsoleBodyOf<'createOffer'>;

/** A product for 10 ATH without limits. */
export const offerBody = (categoryId: number, over: Partial<OfferBody> = {}): OfferBody => ({
  category_id: categoryId,
  title: 'Amber Fizz',
  note: 'Cold, **0.33 l**',
  img: '/art/fizz.svg',
  picture_id: null,
  kind: 0,
  display_type: 'standard',
  price: '10000000',
  price_windows: [],
  sale_starts_at: null,
  sale_ends_at: null,
  user_count_max: null,
  tier_id_min: null,
  ...over,
});
