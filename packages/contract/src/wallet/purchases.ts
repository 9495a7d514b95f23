import { z } from 'zod';
import {
  CART_COUNT_MAX,
  CART_COUNT_MIN,
  CART_LINES_MAX,
  TIP_FROM_LENGTH_MAX,
  TIP_NOTE_LENGTH_MAX,
} from '@athos/domain/cart-limits';
import type { Calls } from '../call.ts';
import { picture } from '../goods.ts';
import { positiveUnitsText, smallId, timeText, unitsText } from '../values.ts';

const lines = <T extends z.ZodType>(of: T) => z.array(of).min(1).max(CART_LINES_MAX);

/** Parallel lists, matched by index (spec 3). */
const purchaseBody = z
  .object({
    offer_ids: lines(smallId).refine(
      (ids) => new Set(ids).size === ids.length,
      'must name each offer once',
    ),
    offer_counts: lines(z.int().min(CART_COUNT_MIN).max(CART_COUNT_MAX)),
    /**
     * The unit prices that the buyer saw, in hundredths of an ATH. The call fails with `price_changed` if one has
     * changed.
     */
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
    /** The venue where it was redeemed. */
    redeemed_venue: z.string().nullable(),
    /** The offer as it was bought, except `active`, which is current. */
    offer: z.object({
      id: z.int(),
      title: z.string(),
      img: z.string(),
      note: z.string(),
      active: z.boolean(),
      kind: z.int(),
      /** The unit price, in hundredths of an ATH. */
      amount_cents: z.int(),
      picture: picture.nullable(),
    }),
  })
  .meta({ id: 'PurchaseItem' });
export type PurchaseItem = z.infer<typeof purchaseItem>;

/** Control characters, and those that change the direction of text (U+202A to U+202E, U+2066 to U+2069). */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const visibleOnly = (text: string): string =>
  text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );

/**
 * Text that one user writes and another reads. Invisible characters are removed, because they can disguise what the
 * text says. PostgreSQL stores no null character and would replace half of a surrogate pair, and a retry of the request
 * would then look like a different tip.
 */
const noteText = (lengthMax: number) =>
  z
    .string()
    .trim()
    .max(lengthMax)
    .regex(/^[^\0]*$/, 'must hold no null character')
    .overwrite((text) => visibleOnly(text.toWellFormed()).trim())
    .default('');

export const purchaseCalls = {
  purchase: {
    method: 'POST',
    path: '/purchase',
    auth: 'user',
    keyed: true,
    confirmed: true,
    needsTerms: true,
    summary: 'Buy a cart',
    body: purchaseBody,
    answer: z
      .object({ purchase_id: z.int(), items: z.array(purchaseItem), balance: unitsText })
      .meta({ id: 'Purchase' }),
  },
  myPurchases: {
    method: 'GET',
    path: '/my_purchases',
    auth: 'user',
    summary: 'Purchased items, newest first',
    answer: z.object({ purchases: z.array(purchaseItem) }).meta({ id: 'MyPurchases' }),
  },
  tip: {
    method: 'POST',
    path: '/account/tip',
    auth: 'user',
    keyed: true,
    confirmed: true,
    needsTerms: true,
    summary: 'Tip through an offer',
    body: z
      .object({
        offer_id: smallId,
        /** Micro-units, in whole hundredths of an ATH. */
        amount: positiveUnitsText,
        tip_from: noteText(TIP_FROM_LENGTH_MAX),
        note: noteText(TIP_NOTE_LENGTH_MAX),
      })
      .meta({ id: 'TipRequest' }),
    answer: z.object({ id: z.int(), balance: unitsText }).meta({ id: 'Tip' }),
  },
} as const satisfies Calls;
