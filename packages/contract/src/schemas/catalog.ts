import { z } from 'zod';
import { PICTURE_FORMATS } from '../pictures.ts';
import { timeText, unitsText } from './common.ts';

/** Spec 1: Product 0, Event 1, Discount 2, Tip 3, and no other. */
export const OFFER_KINDS = { Product: 0, Event: 1, Discount: 2, Tip: 3 } as const;
export const CATEGORY_DISPLAY_TYPES = ['row', 'grid', 'featured', 'list'] as const;
export const OFFER_DISPLAY_TYPES = ['standard', 'wide', 'banner'] as const;

/** A stored picture: `pictureUrl(id, width, format)` for each of its widths and formats. */
export const picture = z
  .object({
    id: z.string(),
    /** Of the original, in px: what the place is kept free for. */
    width: z.int(),
    height: z.int(),
    widths: z.array(z.int()),
    formats: z.array(z.enum(PICTURE_FORMATS)),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof picture>;

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
    /** How many are left; null: as many as are wanted. */
    stock_left: z.int().nullable(),
    sale_starts_at: timeText.nullable(),
    sale_ends_at: timeText.nullable(),
    /** How many one user may ever buy. */
    user_count_max: z.int().nullable(),
    /** The lowest tier that may buy it. */
    tier_id_min: z.int().nullable(),
  })
  .meta({ id: 'Offer' });
export type Offer = z.infer<typeof offer>;

export const OFFERS_ASKED_MAX = 50;
/** Ids as `1,2,3`. */
export const offersQuery = z.object({
  ids: z
    .string()
    .regex(
      /^\d{1,10}(,\d{1,10}){0,49}$/,
      `must be up to ${OFFERS_ASKED_MAX} ids with commas between them`,
    ),
});
/** Offers that there are among those asked for, in the order of their ids. */
export const offersAnswer = z.object({ offers: z.array(offer) }).meta({ id: 'Offers' });

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
/** A child category lists its own offers and no further children. */
const childCategory = z
  .object({ ...categoryFields, categories: z.array(z.never()) })
  .meta({ id: 'ChildCategory' });
export const category = z
  .object({ ...categoryFields, categories: z.array(childCategory) })
  .meta({ id: 'Category' });
export const categoriesAnswer = z
  .object({ categories: z.array(category) })
  .meta({ id: 'Categories' });

export const tier = z
  .object({
    id: z.int(),
    title: z.string(),
    /** The threshold: ATH in micro-units. */
    amount: unitsText,
    color: z.string(),
    note: z.string(),
  })
  .meta({ id: 'Tier' });
export type Tier = z.infer<typeof tier>;
export const tiersAnswer = z.object({ tiers: z.array(tier) }).meta({ id: 'Tiers' });
