import { z } from 'zod';
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import type { Calls } from '../call.ts';
import { ERROR_CODES } from '../errors.ts';
import { picture, tier } from '../goods.ts';
import { sessionCalls } from '../session.ts';
import { smallId, timeText } from '../values.ts';
import { offlineCalls } from './offline.ts';

const itemId = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const venue = z
  .object({ id: z.int(), name: z.string(), address: z.string() })
  .meta({ id: 'Venue' });

/** The maximum length of a QR code, so every readable code gets a response about the code itself. */
const PAYLOAD_LENGTH_MAX = 7_089;

/** A code scanned at a venue. */
const codeFields = {
  /** The text exactly as it was scanned. */
  payload: z.string().max(PAYLOAD_LENGTH_MAX),
  /** Optional for staff of a single venue. */
  venue_id: smallId.optional(),
};

/** `voided`: refunded to the guest. `wrong_venue`: the offer can only be redeemed at other venues. */
const ITEM_FAULTS = ['already_redeemed', 'voided', 'inactive', 'wrong_venue', 'not_found'] as const;
const SCANNED_ITEM_STATES = ['redeemable', ...ITEM_FAULTS] as const;
const REDEEM_OUTCOMES = ['redeemed', ...ITEM_FAULTS] as const;
export type ScannedItemState = (typeof SCANNED_ITEM_STATES)[number];

const itemFields = {
  /** Empty for an item that does not exist. */
  title: z.string(),
  img: z.string(),
  picture: picture.nullable(),
  redeemed_at: timeText.nullable(),
  redeemed_venue: z.string().nullable(),
};

/** The start of the holder's address and the age of the account, enough for staff to recognise the holder. */
const holder = z.object({ short_uuid: z.string(), member_since: timeText });

const scanAnswer = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('purchase'),
      holder,
      /** The time after which this code can no longer be redeemed. */
      redeem_until: timeText,
      items: z.array(z.object({ id: z.int(), state: z.enum(SCANNED_ITEM_STATES), ...itemFields })),
    }),
    z.object({
      kind: z.literal('tier'),
      holder,
      /** The tier of the current balance; null below the lowest tier. */
      tier: tier.nullable(),
    }),
  ])
  .meta({ id: 'Scan' });
export type Scan = z.infer<typeof scanAnswer>;

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
 * `ok` if anything was or could be redeemed, or a tier was shown. Otherwise the first item's fault, or the error code
 * of a refused call.
 */
export const SCAN_OUTCOMES = [
  'ok',
  'already_redeemed',
  'voided',
  'inactive',
  'wrong_venue',
  ...ERROR_CODES,
] as const;

const SCANS_LISTED_MAX = 100;
const scansQuery = z.object({
  limit: z.coerce.number().int().min(1).max(SCANS_LISTED_MAX).default(20),
  /** Limits both the list and the counts to one venue. */
  venue_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  /** Start of the device's day, from which list and counts run. Defaults to 24 hours ago. */
  since: z.iso.datetime({ offset: true }).optional(),
});
const scansAnswer = z
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
        /** The distinct titles of the items, at most 10. */
        titles: z.array(z.string()),
      }),
    ),
    /** The caller's own counts since `since`: scanned codes, redeemed items, and failed attempts at either. */
    counts: z.object({ scans: z.int(), redeemed_items: z.int(), refused: z.int() }),
  })
  .meta({ id: 'Scans' });

/** Without letters and digits that look alike. */
export const ENROLMENT_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ENROLMENT_CODE_PATTERN = new RegExp(`^[${ENROLMENT_ALPHABET}]{8}$`);

/** Every call made by the scanner. */
export const scannerCalls = {
  ...sessionCalls,
  ...offlineCalls,
  scannerVenues: {
    method: 'GET',
    path: '/scanner/venues',
    auth: 'scanner',
    device: true,
    summary: 'The venues that the caller is staff of',
    answer: z.object({ venues: z.array(venue) }).meta({ id: 'Venues' }),
  },
  scannerScan: {
    method: 'POST',
    path: '/scanner/scan',
    auth: 'scanner',
    repeatable: true,
    summary: 'Show what a code holds; changes nothing',
    body: z.object(codeFields).meta({ id: 'ScanRequest' }),
    answer: scanAnswer,
  },
  scannerRedeem: {
    method: 'POST',
    path: '/scanner/redeem',
    auth: 'scanner',
    keyed: true,
    summary: 'Redeem the items of a code',
    body: z
      .object({
        ...codeFields,
        /** The items to redeem. Defaults to all items of the code. */
        item_ids: z.array(itemId).min(1).max(QR_ITEMS_MAX).optional(),
      })
      .meta({ id: 'RedeemRequest' }),
    answer: redeemAnswer,
  },
  scannerEnrol: {
    method: 'POST',
    path: '/scanner/device',
    auth: 'scanner',
    device: true,
    summary:
      'Give this device the name and venue of a code from the console, and a key for redeeming without a network',
    body: z
      .object({
        enrolment_code: z
          .string()
          .trim()
          .toUpperCase()
          .regex(ENROLMENT_CODE_PATTERN, 'must be 8 letters and digits'),
        /** Absent for a device that cannot store a key. It works online only. */
        key: z
          .object({
            /** A compressed point of secp256r1: 33 bytes as base64url. */
            public_key: z.string().regex(/^[\w-]{44}$/, 'must be a compressed point of secp256r1'),
            /** The key's signature over `scannerProofText` of the session: 64 bytes as base64url. */
            proof: z.string().regex(/^[\w-]{86}$/, 'must be a signature of 64 bytes'),
          })
          .optional(),
      })
      .meta({ id: 'EnrolRequest' }),
    answer: z
      .object({
        device_id: z.string(),
        name: z.string(),
        venue: z.object({ id: z.int(), name: z.string() }),
      })
      .meta({ id: 'Enrolment' }),
  },
  scannerScans: {
    method: 'GET',
    path: '/scanner/scans',
    auth: 'scanner',
    summary: 'The last scans of the caller and the counts of the day',
    query: scansQuery,
    answer: scansAnswer,
  },
} as const satisfies Calls;
