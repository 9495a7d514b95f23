/** A category of each kind of offer, and a cart of some: for what a demo shows rarely or never. */
import type { AnswerOf } from '@athos/contract/api';

type Category = AnswerOf<'category'>;
export type Offer = AnswerOf<'offers'>['offers'][number];

/** Its address in the wallet. */
export const CATEGORY = '/app/marketplace/categories/7';

const offer = (id: number, title: string, fields: Partial<Offer> = {}): Offer => ({
  id,
  category_id: 7,
  title,
  note: '',
  img: '',
  amount_cents: 1250 * id,
  kind: 1,
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

const NOTE = `Two nights of **records**, one of *live* sound.

## What you get

- one welcome drink
- a seat at the long table
- the [map of the hall](https://hall.example)

> Doors close at ten.`;

export const VINYL = offer(1, '**Vinyl** night', { note: NOTE, user_count_max: 4 });
export const SOLD_OUT = offer(3, 'Cellar jazz', { stock_left: 0 });
export const TIP = offer(5, 'Tip the stage crew', { kind: 3 });
export const HUGE = offer(6, 'The whole harbour, for one night', { amount_cents: 1_234_567_800 });

export const OFFERS = [
  offer(2, 'Forest floor weekend', { display_type: 'banner', stock_left: 3 }),
  VINYL,
  SOLD_OUT,
  offer(4, 'Harbour weekend pass for two, with breakfast and a boat home', {
    display_type: 'wide',
  }),
  offer(7, 'Sunrise drive', { display_type: 'wide', sale_starts_at: '2099-01-01T00:00:00.000Z' }),
  TIP,
  HUGE,
];

export const category = (fields: Partial<Category> = {}): Category => ({
  id: 7,
  parent_id: null,
  title: 'Live music',
  description: '',
  banner_url: '',
  position: 1,
  display_type: 'grid',
  picture: null,
  categories: [],
  offers: OFFERS,
  ...fields,
});

/** A line as the wallet keeps it. */
export const line = (kept: Offer, count: number, priceWhenAdded = kept.amount_cents) => ({
  offer: {
    id: kept.id,
    categoryId: kept.category_id,
    title: kept.title,
    image: { sources: [], src: kept.img },
    price: kept.amount_cents,
    sale: {
      isActive: kept.active,
      stockLeft: kept.stock_left,
      saleStartsAtMs: null,
      saleEndsAtMs: null,
    },
    userCountMax: kept.user_count_max,
    tierIdMin: kept.tier_id_min,
  },
  count,
  priceWhenAdded,
});
