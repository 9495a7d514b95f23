import { z } from 'zod';
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import { ERROR_CODES } from '../errors.ts';
import { picture, tier } from './catalog.ts';
import { timeText } from './common.ts';

const venueId = z.int().positive().max(2_147_483_647);
const itemId = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const venue = z
  .object({ id: z.int(), name: z.string(), address: z.string() })
  .meta({ id: 'Venue' });

export const venuesAnswer = z.object({ venues: z.array(venue) }).meta({ id: 'Venues' });

/** A QR code holds at most 7,089 characters, so whatever a camera reads is answered with a word about the code. */
const PAYLOAD_LENGTH_MAX = 7_089;
/** The text of a scanned code, exactly as it was read. */
const payload = z.string().max(PAYLOAD_LENGTH_MAX);

export const scanBody = z
  .object({
    payload,
    /** May be left out by staff of one venue. */
    venue_id: venueId.optional(),
  })
  .meta({ id: 'ScanRequest' });

/** `wrong_venue`: the offer is redeemed at other venues only. */
export const SCANNED_ITEM_STATES = [
  'redeemable',
  'already_redeemed',
  'inactive',
  'wrong_venue',
  'not_found',
] as const;
export const REDEEM_OUTCOMES = [
  'redeemed',
  'already_redeemed',
  'inactive',
  'wrong_venue',
  'not_found',
] as const;

const itemFields = {
  /** Empty where there is no such item. */
  title: z.string(),
  img: z.string(),
  picture: picture.nullable(),
  redeemed_at: timeText.nullable(),
  redeemed_venue: z.string().nullable(),
};

/** The first characters of the holder's address, and since when there is an account: enough to talk about. */
const holder = z.object({ short_uuid: z.string(), member_since: timeText });

export const scanAnswer = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('purchase'),
      holder,
      /** Until then the items may be redeemed with this code. */
      redeem_until: timeText,
      items: z.array(z.object({ id: z.int(), state: z.enum(SCANNED_ITEM_STATES), ...itemFields })),
    }),
    z.object({
      kind: z.literal('tier'),
      holder,
      /** The tier of the balance now; null below the lowest. */
      tier: tier.nullable(),
    }),
  ])
  .meta({ id: 'Scan' });
export type Scan = z.infer<typeof scanAnswer>;

export const redeemBody = z
  .object({
    payload,
    venue_id: venueId.optional(),
    /** Of the items in the code; all of them where left out. */
    item_ids: z.array(itemId).min(1).max(QR_ITEMS_MAX).optional(),
  })
  .meta({ id: 'RedeemRequest' });

export const redeemAnswer = z
  .object({
    redeemed_count: z.int(),
    results: z.array(
      z.object({ item_id: z.int(), outcome: z.enum(REDEEM_OUTCOMES), ...itemFields }),
    ),
  })
  .meta({ id: 'Redemption' });
export type Redemption = z.infer<typeof redeemAnswer>;

/**
 * `ok` where something could be, or was, redeemed, or a tier was shown; what stood against the first item where nothing
 * could be; the code of the refusal otherwise.
 */
export const SCAN_OUTCOMES = [
  'ok',
  'already_redeemed',
  'inactive',
  'wrong_venue',
  ...ERROR_CODES,
] as const;

export const SCANS_LISTED_MAX = 100;
export const scansQuery = z.object({
  limit: z.coerce.number().int().min(1).max(SCANS_LISTED_MAX).default(20),
  /** Only what was scanned there, in the list and in the counts. */
  venue_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  /** When the day began where the device is: the counts are since then. 24 hours ago where left out. */
  since: z.iso.datetime({ offset: true }).optional(),
});
export const scansAnswer = z
  .object({
    scans: z.array(
      z.object({
        id: z.int(),
        at: timeText,
        action: z.enum(['scan', 'redeem']),
        outcome: z.enum(SCAN_OUTCOMES),
        venue: z.string().nullable(),
        item_count: z.int(),
        redeemed_count: z.int(),
        /** The different titles of the items, 10 at most. */
        titles: z.array(z.string()),
      }),
    ),
    /** Of the caller since `since`: codes looked at, items redeemed, and attempts of either kind that came to nothing. */
    counts: z.object({ scans: z.int(), redeemed_items: z.int(), refused: z.int() }),
  })
  .meta({ id: 'Scans' });
