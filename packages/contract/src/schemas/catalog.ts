import { z } from 'zod';
import { unitsText } from './common.ts';

/** Spec 1: Product 0, Event 1, Discount 2, Tip 3, and no other. */
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
  })
  .meta({ id: 'Offer' });

const categoryFields = {
  id: z.int(),
  parent_id: z.int().nullable(),
  title: z.string(),
  description: z.string(),
  banner_url: z.string(),
  position: z.int(),
  display_type: z.enum(CATEGORY_DISPLAY_TYPES),
  offers: z.array(offer),
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
