/** The fields of an offer that staff edit, and their validation. */
import { z } from 'zod';
import { faultyWindow } from '@athos/domain/price-windows';
import { smallId, timeText } from '../values.ts';
import { OFFER_DISPLAY_TYPES, OFFER_KINDS } from '../wallet/catalogue.ts';
import { catalogueTitle, imageAddress, pictureId } from './categories.ts';

const PRICE_WINDOWS_MAX = 20;
const OFFER_NOTE_LENGTH_MAX = 10_000;
/** Enough for any shop. A cart's total must stay far below 2^53. */
export const STOCK_MAX = 10_000_000;
const HUNDREDTH_DIGITS = 4;
const PRICE_DIGITS_MAX = 12;

const isHundredths = (text: string): boolean =>
  text === '0' || text.endsWith('0'.repeat(HUNDREDTH_DIGITS));
/** A price in micro-units of ATH with at most two decimals of an ATH; at most a million ATH. */
const priceText = z
  .string()
  .regex(new RegExp(`^(0|[1-9]\\d{0,${PRICE_DIGITS_MAX - 1}})$`), 'must be below 1,000,000 ATH')
  .refine(isHundredths, 'must have at most two decimals');
const dateTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** The fields of an offer that staff edit. A draft stores all of them. */
const fieldsWith = <Time extends z.ZodType<string, string>>(time: Time) => ({
  category_id: smallId,
  title: catalogueTitle,
  /** Markdown. */
  note: z.string().max(OFFER_NOTE_LENGTH_MAX),
  img: imageAddress,
  picture_id: pictureId.nullable(),
  kind: z.literal([0, 1, 2, 3]),
  display_type: z.enum(OFFER_DISPLAY_TYPES),
  price: priceText,
  /** Prices that apply for a limited time instead of `price`, in the order of their beginnings. */
  price_windows: z
    .array(
      z.object({
        price: priceText,
        starts_at: time,
        /** Exclusive. */
        ends_at: time,
      }),
    )
    .max(PRICE_WINDOWS_MAX),
  sale_starts_at: time.nullable(),
  /** Exclusive. */
  sale_ends_at: time.nullable(),
  user_count_max: z.int().positive().max(STOCK_MAX).nullable(),
  tier_id_min: smallId.nullable(),
  /** The receiver of the price; null means the programme's own shop. */
  merchant_id: smallId.nullable(),
});

export const shownFields = z.object(fieldsWith(timeText)).meta({ id: 'ConsoleOfferFields' });
export type OfferFields = z.output<typeof shownFields>;

function* faultsIn(offer: OfferFields): Iterable<{ path: (string | number)[]; message: string }> {
  const { kind, price, price_windows: windows, sale_starts_at: from, sale_ends_at: to } = offer;
  const isTip = kind === OFFER_KINDS.Tip;
  if (isTip !== (price === '0')) {
    const message = isTip ? 'must be 0, because a tip has no price' : 'must be above 0';
    yield { path: ['price'], message };
  }
  if (isTip && (windows.length > 0 || offer.user_count_max !== null)) {
    yield { path: ['kind'], message: 'a tip has no prices and no limit' };
  }
  if (isTip && offer.merchant_id !== null) {
    yield { path: ['merchant_id'], message: 'a tip has no merchant' };
  }
  const freeAt = windows.findIndex((one) => one.price === '0');
  if (freeAt !== -1) yield { path: ['price_windows', freeAt, 'price'], message: 'must be above 0' };
  const faultyAt = faultyWindow(
    windows.map((one) => ({
      price: 0,
      startsAtMs: Date.parse(one.starts_at),
      endsAtMs: Date.parse(one.ends_at),
    })),
  );
  if (faultyAt !== undefined) {
    const message = 'must end after it begins, and not overlap another price window';
    yield { path: ['price_windows', faultyAt], message };
  }
  if (from !== null && to !== null && from >= to) {
    yield { path: ['sale_ends_at'], message: 'must be after the beginning of the sale' };
  }
}

export const offerFields = z
  .object({
    ...fieldsWith(dateTime),
    /** Drafts saved before merchants existed have none. */
    merchant_id: smallId.nullable().default(null),
  })
  .superRefine((offer, context) => {
    for (const { path, message } of faultsIn(offer)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .transform((offer) => ({
    ...offer,
    price_windows: offer.price_windows.toSorted((one, other) =>
      one.starts_at < other.starts_at ? -1 : 1,
    ),
  }))
  .meta({ id: 'OfferFields' });
