/** Categories and offers, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Category = ConsoleAnswerOf<'consoleCategory'>;
type Summary = ConsoleAnswerOf<'consoleOffers'>['items'][number];
type Offer = ConsoleAnswerOf<'consoleOffer'>;
type Fields = Offer['fields'];

export const OFFER_ID = 301;
export const CATEGORY_ID = 3;
export const PUBLISH_REQUEST_ID = '0192eeee-0000-7000-8000-000000000301';
const EDITOR = { id: '0192bbbb-0000-7000-8000-000000000107', name: 'Ines Marlow' };
const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number): string =>
  new Date(Date.now() + hours * HOUR_MS).toISOString();

export const category = (id: number, more: Partial<Category> = {}): Category => ({
  id,
  parent_id: null,
  position: id,
  title: 'Drinks',
  description: 'Cold and warm, at the bar or to take away',
  banner_url: '',
  picture_id: null,
  picture: null,
  display_type: 'grid',
  archived_at: null,
  version: 2,
  offer_count: 0,
  ...more,
});

export const CATEGORIES: readonly Category[] = [
  category(1),
  category(CATEGORY_ID, { parent_id: 1, title: 'Bottles and cans', offer_count: 12 }),
  category(4, { parent_id: 1, title: 'Coffee', offer_count: 1 }),
  category(2, { title: 'Nights and events', display_type: 'featured', offer_count: 6 }),
  category(5, { title: 'Last winter', archived_at: hoursFromNow(-2000), offer_count: 3 }),
];

const summary = (id: number, more: Partial<Summary> = {}): Summary => ({
  id,
  title: 'Amber Fizz, 0.33 l',
  state: 'live',
  kind: 0,
  category: { id: CATEGORY_ID, title: 'Bottles and cans' },
  price_now: '32000000',
  stock_left: null,
  is_stock_low: false,
  has_draft: false,
  ...more,
});

const OFFERS: readonly Summary[] = [
  summary(OFFER_ID, { has_draft: true, stock_left: 18, is_stock_low: true }),
  summary(302, {
    title: 'Night at the Harbour Stage, front row with a drink',
    state: 'scheduled',
    kind: 1,
    price_now: '198000000',
    stock_left: 240,
  }),
  summary(303, { title: 'Team cap', state: 'sold_out', stock_left: 0, price_now: '85000000' }),
  summary(304, { title: 'Tip the bar', kind: 3, price_now: '0' }),
  summary(305, { title: 'Winter scarf', state: 'withdrawn', price_now: '64000000' }),
  summary(306, { title: 'Poster', state: 'ended', price_now: '42500000' }),
  summary(307, { title: 'Summer punch', state: 'draft', has_draft: true, price_now: '28000000' }),
];

const fields: Fields = {
  category_id: CATEGORY_ID,
  title: 'Amber Fizz, 0.33 l',
  note: 'Brewed at the harbour. **Served cold.**',
  img: '',
  picture_id: null,
  kind: 0,
  display_type: 'standard',
  price: '32000000',
  price_windows: [
    { price: '24000000', starts_at: hoursFromNow(20), ends_at: hoursFromNow(22) },
    { price: '26000000', starts_at: hoursFromNow(44), ends_at: hoursFromNow(46) },
  ],
  sale_starts_at: null,
  sale_ends_at: hoursFromNow(900),
  user_count_max: 6,
  tier_id_min: 2,
  merchant_id: 1,
};

export const consoleOffer = (more: Partial<Offer> = {}): Offer => ({
  id: OFFER_ID,
  version: 7,
  state: 'live',
  price_now: '32000000',
  category_title: 'Bottles and cans',
  merchant_name: 'Harbour Brewery',
  fields,
  picture: null,
  draft: {
    fields: {
      ...fields,
      title: 'Amber Fizz, 0.5 l',
      price: '38500000',
      price_windows: [],
      note: 'Brewed at the harbour. **Served cold**, now in the large bottle.',
    },
    picture: null,
    saved_by: EDITOR,
    saved_at: hoursFromNow(-3),
  },
  request_id: null,
  stock: {
    left: 18,
    alert_max: 20,
    is_low: true,
    sold_since: 22,
    moves: [
      {
        id: '12',
        kind: 'correction',
        before: 16,
        after: 40,
        sold_before: 82,
        staff: EDITOR,
        reason: 'Delivery of the morning, two crates',
        at: hoursFromNow(-9),
      },
      {
        id: '9',
        kind: 'count',
        before: null,
        after: 98,
        sold_before: null,
        staff: EDITOR,
        reason: 'First count of the season',
        at: hoursFromNow(-90),
      },
    ],
  },
  ...more,
});

/** An offer that was never published. */
export const draftOffer = (): Offer =>
  consoleOffer({
    state: 'draft',
    version: 1,
    draft: null,
    fields: { ...fields, price_windows: [], tier_id_min: null },
    stock: { left: null, alert_max: null, is_low: false, sold_since: null, moves: [] },
  });

const choices: ConsoleAnswerOf<'offerChoices'> = {
  categories: CATEGORIES.map(({ id, parent_id: parentId, title, archived_at: archivedAt }) => ({
    id,
    path: parentId === null ? [title] : ['Drinks', title],
    is_archived: archivedAt !== null,
  })),
  tiers: [
    { id: 3, title: 'Gold', amount: '2000000000', color: '#c79a2b', note: 'Everything' },
    { id: 2, title: 'Silver', amount: '500000000', color: '#8d96a3', note: 'More' },
    { id: 1, title: 'Bronze', amount: '100000000', color: '#a5673f', note: 'Welcome' },
  ],
  merchants: [
    { id: 1, name: 'Harbour Brewery', is_archived: false },
    { id: 2, name: 'North Quay Kitchen', is_archived: false },
    { id: 3, name: 'Last winter’s stand', is_archived: true },
  ],
  usd_per_ath: '16830000',
};

export const catalogueAnswers: Handlers = {
  consoleCategories: () => ({ items: [...CATEGORIES] }),
  consoleCategory: ({ params }) =>
    CATEGORIES.find(({ id }) => String(id) === params['id']) ?? category(CATEGORY_ID),
  moveCategory: () => category(CATEGORY_ID),
  createCategory: () => category(6),
  changeCategory: () => category(CATEGORY_ID, { version: 3 }),
  archiveCategory: () => category(CATEGORY_ID, { archived_at: hoursFromNow(0) }),
  consoleOffers: () => ({
    items: [...OFFERS],
    next_cursor: null,
    count: { value: OFFERS.length, is_at_least: false },
  }),
  consoleOffer: () => consoleOffer(),
  offerChoices: () => choices,
  createOffer: () => draftOffer(),
  saveOffer: () => consoleOffer({ version: 8 }),
  discardOfferDraft: () => consoleOffer({ version: 8, draft: null }),
  publishOffer: () => ({ outcome: 'done', version: 8 }),
  withdrawOffer: () => consoleOffer({ version: 8, state: 'withdrawn' }),
  changeStock: () => consoleOffer(),
  setStockAlert: () => consoleOffer(),
};
