import { brand, mainToken } from '@athos/brand/brand';
import type { Insertable } from 'kysely';
import { OFFER_KINDS } from '@athos/contract/schemas/catalog';
import type { Tables } from '../platform/database.ts';

type Category = Insertable<Tables['categories']>;
type Offer = Insertable<Tables['offers']>;

const { Product, Event, Discount, Tip } = OFFER_KINDS;
/** Offers of a category begin at a hundred times its id, so that both lists can be read side by side. */
const OFFERS_PER_CATEGORY_MAX = 100;

const art = (slug: string): string => `/art/${slug}.svg`;

interface CategoryDraft {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly displayType: Category['display_type'];
  readonly parentId?: number;
}

const categoryDrafts: readonly CategoryDraft[] = [
  {
    id: 1,
    slug: 'drinks',
    title: 'Drinks',
    description: 'Cold, sparkling and slow: everything we bottle.',
    displayType: 'row',
  },
  {
    id: 2,
    slug: 'live-music',
    title: 'Live Music',
    description: 'Small rooms, big nights. Tickets for members first.',
    displayType: 'featured',
  },
  {
    id: 3,
    slug: 'supercars',
    title: 'Supercars',
    description: 'Laps, garages and roads that are worth the early hour.',
    displayType: 'grid',
  },
  {
    id: 4,
    slug: 'discounts',
    title: 'Discounts',
    description: 'Less to pay at places that we like.',
    displayType: 'list',
  },
  {
    id: 5,
    slug: 'gear',
    title: 'Gear',
    description: 'Glass, cotton and steel with a small mark on it.',
    displayType: 'grid',
  },
  {
    id: 6,
    slug: 'crew',
    title: 'Thank the Crew',
    description: 'The people behind the bar, the desk and the pit wall.',
    displayType: 'row',
  },
  {
    id: 7,
    parentId: 1,
    slug: 'cold-brew',
    title: 'Cold Brew',
    description: 'Steeped for eighteen hours.',
    displayType: 'row',
  },
  {
    id: 8,
    parentId: 1,
    slug: 'sparkling',
    title: 'Sparkling',
    description: 'Bitter, bright and without alcohol.',
    displayType: 'row',
  },
  {
    id: 9,
    parentId: 2,
    slug: 'festivals',
    title: 'Festivals',
    description: 'Whole weekends outdoors.',
    displayType: 'grid',
  },
  {
    id: 10,
    parentId: 3,
    slug: 'track-days',
    title: 'Track Days',
    description: 'An instructor, a helmet and a clear road.',
    displayType: 'list',
  },
];

export const demoCategories: readonly Category[] = categoryDrafts.map((draft, index) => ({
  id: draft.id,
  parent_id: draft.parentId ?? null,
  title: draft.title,
  description: draft.description,
  banner_url: art(draft.slug),
  position: index,
  display_type: draft.displayType,
}));

type OfferDraft = readonly [
  slug: string,
  title: string,
  kind: Offer['kind'],
  priceAth: number,
  note: string,
];

const offerDrafts: Readonly<Record<number, readonly OfferDraft[]>> = {
  1: [
    [
      'tasting-box',
      'The Tasting Box',
      Product,
      72,
      'Six bottles, one of each. **Collect it at any venue** within 30 days.',
    ],
    [
      'house-pour',
      'House Pour',
      Product,
      24,
      `Whatever ${brand.name} the bar has open tonight, in a proper glass.`,
    ],
  ],
  2: [
    [
      'rooftop-session',
      'Rooftop Session',
      Event,
      180,
      'Forty seats, one piano, the harbour below.\n\n- Doors at 19:00\n- A drink is included',
    ],
    [
      'cellar-jazz',
      'Cellar Jazz',
      Event,
      95,
      'Every first Thursday. Bring somebody who claims not to like jazz.',
    ],
    ['vinyl-night', 'Vinyl Night', Event, 40, 'You bring one record. We play it, *all of it*.'],
  ],
  3: [
    [
      'garage-evening',
      'An Evening in the Garage',
      Event,
      320,
      'Twelve cars, their keepers, and time to ask.',
    ],
    [
      'sunrise-drive',
      'Sunrise Drive',
      Event,
      1450,
      'Two hours along the coast before the world is awake. Fuel, insurance and breakfast are included.',
    ],
  ],
  4: [
    [
      'two-for-one',
      'Two for One',
      Discount,
      12,
      'One drink paid, two poured. Sunday to Wednesday.',
    ],
    ['half-price-hall', 'Hall Tickets at Half', Discount, 30, 'For any concert with seats left.'],
    ['ten-off-gear', 'Ten Percent off Gear', Discount, 18, 'Show the code at the counter.'],
  ],
  5: [
    ['steel-flask', 'Steel Flask', Product, 140, 'Half a litre. Keeps cold for a day.'],
    ['tumbler-pair', 'Pair of Tumblers', Product, 110, 'Hand-blown, so no two are alike.'],
    [
      'heavy-tee',
      'Heavy Tee',
      Product,
      160,
      'Organic cotton, 240 g. Sizes S to XXL at the counter.',
    ],
  ],
  6: [
    ['bar-crew', 'The Bar', Tip, 0, 'Goes to whoever is on tonight, shared evenly.'],
    ['stage-crew', 'The Stage', Tip, 0, 'Sound, light and everybody who carries things.'],
    ['pit-crew', 'The Pit', Tip, 0, 'For clean hands at the end of a long day.'],
  ],
  7: [
    ['cold-brew-classic', 'Classic', Product, 21, 'Dark chocolate and a little smoke.'],
    ['cold-brew-orange', 'With Orange', Product, 23, 'The peel, not the juice.'],
  ],
  8: [
    ['sparkling-bitter', 'Bitter Lemon', Product, 18, 'Dry. For people who finish the slice.'],
    ['sparkling-rose', 'Rose and Pepper', Product, 19, 'Smells of a garden, bites like a spice.'],
  ],
  9: [
    [
      'harbour-weekend',
      'Harbour Weekend',
      Event,
      540,
      `Three stages, two nights, one ferry. Pay with ${mainToken.symbol} and skip the fee.`,
    ],
    ['forest-floor', 'Forest Floor', Event, 410, 'No headliner. Nobody has ever complained.'],
  ],
  10: [
    [
      'first-laps',
      'First Laps',
      Event,
      880,
      'Five laps with an instructor beside you. A driving licence is needed.',
    ],
    [
      'passenger-lap',
      'Passenger Lap',
      Event,
      260,
      'One lap, as fast as it goes. You only have to hold on.',
    ],
  ],
};

export const demoOffers: readonly Offer[] = Object.entries(offerDrafts).flatMap(
  ([categoryId, drafts]) =>
    drafts.map(([slug, title, kind, priceAth, note], index) => ({
      id: parseInt(categoryId, 10) * OFFERS_PER_CATEGORY_MAX + index + 1,
      category_id: parseInt(categoryId, 10),
      title,
      note,
      img: art(slug),
      price_ath_hundredths: priceAth * 100,
      kind,
      display_type: index === 0 && drafts.length > 2 ? ('wide' as const) : ('standard' as const),
      position: index,
    })),
);
