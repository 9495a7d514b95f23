/** A category with every kind and state of offer, and carts with some of them. */
import { wireCategory, wireOffer, type WireCategory, type WireOffer } from './catalogue.ts';

/** The address of the category in the wallet. */
export const CATEGORY_PATH = '/app/marketplace/categories/7';

const offer = (id: number, title: string, fields: Partial<WireOffer> = {}): WireOffer =>
  wireOffer(id, { title, img: '', amount_cents: 1250 * id, kind: 1, ...fields });

const NOTE = `Two nights of **records**, one of *live* sound.

## What you get

- one welcome drink
- a seat at the long table
- the [map of the hall](https://hall.example)

> Doors close at ten.`;

export const VINYL = offer(1, '**Vinyl** night', { note: NOTE, user_count_max: 4 });
export const SOLD_OUT = offer(3, 'Cellar jazz', { stock_left: 0 });
export const TIP = offer(5, 'Tip the stage crew', { kind: 3 });
export const LONG = offer(4, 'Harbour weekend pass for two, with breakfast and a boat home', {
  display_type: 'wide',
});
export const HUGE = offer(6, 'The whole harbour, for one night', { amount_cents: 1_234_567_800 });

export const OFFERS = [
  offer(2, 'Forest floor weekend', { display_type: 'banner', stock_left: 3 }),
  VINYL,
  SOLD_OUT,
  LONG,
  offer(7, 'Sunrise drive', { display_type: 'wide', sale_starts_at: '2099-01-01T00:00:00.000Z' }),
  TIP,
  HUGE,
];

export const musicCategory = (fields: Partial<WireCategory> = {}): WireCategory =>
  wireCategory(7, { title: 'Live music', position: 1, offers: OFFERS, ...fields });

/** A cart line as the wallet stores it. */
export const cartLine = (kept: WireOffer, count: number, priceWhenAdded = kept.amount_cents) => ({
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
