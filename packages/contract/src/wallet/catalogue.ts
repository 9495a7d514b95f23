import { z } from 'zod';
import type { Calls } from '../call.ts';
import { picture, tier } from '../goods.ts';
import { smallIdParam, timeText } from '../values.ts';

/** Spec 1: exactly these four kinds. */
export const OFFER_KINDS = { Product: 0, Event: 1, Discount: 2, Tip: 3 } as const;
export const CATEGORY_DISPLAY_TYPES = ['row', 'grid', 'featured', 'list'] as const;
export const OFFER_DISPLAY_TYPES = ['standard', 'wide', 'banner'] as const;

export const offer = z
  .object({
    id: z.int(),
    category_id: z.int(),
    title: z.string(),
    note: z.string(),
    img: z.string(),
    /** Hundredths of an ATH, not US cents. */
    amount_cents: z.int(),
    kind: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    display_type: z.enum(OFFER_DISPLAY_TYPES),
    active: z.boolean(),
    picture: picture.nullable(),
    /** null if the stock is unlimited. */
    stock_left: z.int().nullable(),
    sale_starts_at: timeText.nullable(),
    sale_ends_at: timeText.nullable(),
    /** The maximum that one user may ever buy. */
    user_count_max: z.int().nullable(),
    /** The lowest tier that may buy it. */
    tier_id_min: z.int().nullable(),
  })
  .meta({ id: 'Offer' });
export type Offer = z.infer<typeof offer>;

const OFFERS_ASKED_MAX = 50;

const categoryFields = {
  id: z.int(),
  parent_id: z.int().nullable(),
  title: z.string(),
  description: z.string(),
  banner_url: z.string(),
  position: z.int(),
  display_type: z.enum(CATEGORY_DISPLAY_TYPES),
  offers: z.array(offer),
  picture: picture.nullable(),
};
/** A child category has offers and no further children. */
const childCategory = z
  .object({ ...categoryFields, categories: z.array(z.never()) })
  .meta({ id: 'ChildCategory' });
export const category = z
  .object({ ...categoryFields, categories: z.array(childCategory) })
  .meta({ id: 'Category' });

export const catalogueCalls = {
  tiers: {
    method: 'GET',
    path: '/tiers',
    auth: 'anyone',
    summary: 'All tiers',
    answer: z.object({ tiers: z.array(tier) }).meta({ id: 'Tiers' }),
  },
  tier: {
    method: 'GET',
    path: '/tiers/:id',
    auth: 'anyone',
    summary: 'One tier',
    params: smallIdParam,
    answer: tier,
  },
  categories: {
    method: 'GET',
    path: '/categories',
    auth: 'anyone',
    summary: 'Top-level categories with their children and offers',
    answer: z.object({ categories: z.array(category) }).meta({ id: 'Categories' }),
  },
  category: {
    method: 'GET',
    path: '/categories/:id',
    auth: 'anyone',
    summary: 'One category with its children and offers',
    params: smallIdParam,
    answer: category,
  },
  offers: {
    method: 'GET',
    path: '/offers',
    auth: 'anyone',
    summary: 'Some offers, as they are now',
    query: z.object({
      /** Ids in the form `1,2,3`. */
      ids: z
        .string()
        .regex(
          /^\d{1,10}(,\d{1,10}){0,49}$/,
          `must be up to ${OFFERS_ASKED_MAX} ids with commas between them`,
        ),
    }),
    /** The requested offers that exist, ordered by id. */
    answer: z.object({ offers: z.array(offer) }).meta({ id: 'Offers' }),
  },
} as const satisfies Calls;
