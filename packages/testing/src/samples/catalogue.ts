/** Offers and categories as the API returns them, with fields that a test can set. */
import type { AnswerOf } from '@athos/contract/api';
import type { FakeApi } from '../fake-api.ts';

export type WireOffer = AnswerOf<'offers'>['offers'][number];
export type WireCategory = AnswerOf<'category'>;

/** A product for 12.50 ATH, on sale without limits. */
export const wireOffer = (id: number, fields: Partial<WireOffer> = {}): WireOffer => ({
  id,
  category_id: 7,
  title: `Offer ${id}`,
  note: '',
  img: `/art/${id}.svg`,
  amount_cents: 1250,
  kind: 0,
  display_type: 'standard',
  active: true,
  picture: null,
  stock_left: null,
  sale_starts_at: null,
  sale_ends_at: null,
  user_count_max: null,
  tier_id_min: null,
  ...fields,
});

export const wireCategory = (id: number, fields: Partial<WireCategory> = {}): WireCategory => ({
  id,
  parent_id: null,
  title: `Category ${id}`,
  description: '',
  banner_url: '',
  position: id,
  display_type: 'grid',
  picture: null,
  categories: [],
  offers: [],
  ...fields,
});

/** Serves these offers, all of them in category 7. */
export function answerOffers(api: FakeApi, ...offers: readonly WireOffer[]): void {
  api.answer('category', () => wireCategory(7, { title: 'Live music', offers: [...offers] }));
  api.answer('offers', ({ query }) => {
    const ids = (query.get('ids') ?? '').split(',').map(Number);
    return { offers: offers.filter(({ id }) => ids.includes(id)) };
  });
}
