import { z } from 'zod';
import {
  CART_COUNT_MAX,
  CART_COUNT_MIN,
  CART_LINES_MAX,
  TIP_FROM_LENGTH_MAX,
  TIP_NOTE_LENGTH_MAX,
} from '@athos/domain/cart-limits';
import { picture } from './catalog.ts';
import { positiveUnitsText, timeText, unitsText } from './common.ts';

const lines = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(CART_LINES_MAX);
const offerId = z.int().positive().max(2_147_483_647);

/** Lists in matching order (spec 3). */
export const purchaseBody = z
  .object({
    offer_ids: lines(offerId).refine(
      (ids) => new Set(ids).size === ids.length,
      'must name each offer once',
    ),
    offer_counts: lines(z.int().min(CART_COUNT_MIN).max(CART_COUNT_MAX)),
    /** What the buyer saw one item of each offer cost, in hundredths of an ATH: another price now is `price_changed`. */
    offer_amounts: lines(z.int().nonnegative()).optional(),
  })
  .refine(
    ({ offer_ids, offer_counts, offer_amounts }) =>
      offer_ids.length === offer_counts.length &&
      (offer_amounts === undefined || offer_amounts.length === offer_ids.length),
    { message: 'must have one count for each offer', path: ['offer_counts'] },
  )
  .meta({ id: 'PurchaseRequest' });

export const purchaseItem = z
  .object({
    id: z.int(),
    purchase_id: z.int(),
    purchase_date: timeText,
    redeemed_at: timeText.nullable(),
    /** Where it was redeemed. */
    redeemed_venue: z.string().nullable(),
    /** As it was bought; `active` is what it is now. */
    offer: z.object({
      id: z.int(),
      title: z.string(),
      img: z.string(),
      note: z.string(),
      active: z.boolean(),
      kind: z.int(),
      /** Of one item, in hundredths of an ATH. */
      amount_cents: z.int(),
      picture: picture.nullable(),
    }),
  })
  .meta({ id: 'PurchaseItem' });
export type PurchaseItem = z.infer<typeof purchaseItem>;

export const purchaseAnswer = z
  .object({ purchase_id: z.int(), items: z.array(purchaseItem), balance: unitsText })
  .meta({ id: 'Purchase' });
export const myPurchasesAnswer = z
  .object({ purchases: z.array(purchaseItem) })
  .meta({ id: 'MyPurchases' });

/** Signs that turn the direction of the text around them (U+202A to U+202E, U+2066 to U+2069), and controls but tab and line feed. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const seenOnly = (text: string): string =>
  text.replace(UNSEEN, (sign) => (sign === '\n' || sign === '\t' ? sign : ''));

/**
 * Words of one user that another one reads: nothing unseen in them, so that what stands there is what was written. And
 * words as they can be kept: PostgreSQL takes no null character, and half a character would come back from it as another
 * one, so that a repeat would look like another tip.
 */
const words = (lengthMax: number) =>
  z
    .string()
    .trim()
    .max(lengthMax)
    .regex(/^[^\0]*$/, 'must hold no null character')
    .overwrite((text) => seenOnly(text.toWellFormed()).trim())
    .default('');

export const tipBody = z
  .object({
    offer_id: offerId,
    /** Micro-units; whole hundredths of an ATH. */
    amount: positiveUnitsText,
    tip_from: words(TIP_FROM_LENGTH_MAX),
    note: words(TIP_NOTE_LENGTH_MAX),
  })
  .meta({ id: 'TipRequest' });
export const tipAnswer = z.object({ id: z.int(), balance: unitsText }).meta({ id: 'Tip' });
