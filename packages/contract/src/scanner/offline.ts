/** What a scanner needs to redeem tickets without a network, and what it tells of it afterwards (decision 0064). */
import { z } from 'zod';
import { SYNC_ENTRIES_MAX } from '@athos/domain/offline-log';
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import type { Calls } from '../call.ts';
import { smallId, timeText, uuidText } from '../values.ts';

const CODE_LENGTH_MAX = 2_000;
const hash = z.string().regex(/^[\w-]{43}$/, 'must be a hash of 32 bytes as base64url');
const signature = z.string().regex(/^[\w-]{86}$/, 'must be a signature of 64 bytes as base64url');
const itemIds = z
  .array(z.int().positive().max(Number.MAX_SAFE_INTEGER))
  .min(1)
  .max(QR_ITEMS_MAX)
  .refine((ids) => ids.every((id, index) => id > (ids[index - 1] ?? 0)), 'must rise');

/** `suspect`: its log did not hold. It redeems nothing without a network until a person has looked at it. */
export const OFFLINE_DEVICE_STATES = ['active', 'suspect'] as const;
/** The last entry of the log that the server keeps; 0 and `FIRST_PREVIOUS_HASH` before the first. */
const logHead = { last_seq: z.int(), last_hash: hash };

const pack = z
  .object({
    server_time: timeText,
    device: z.object({ id: z.string(), state: z.enum(OFFLINE_DEVICE_STATES), ...logHead }),
    /** What this staff member may redeem at this venue without a network; null for a suspect device. */
    grant: z
      .object({
        staff_uuid: z.string(),
        venue_id: z.int(),
        until: timeText,
        /** Counted since the last entry that the server has. */
        items_max: z.int(),
        value_max_ath_hundredths: z.int(),
        item_value_max_ath_hundredths: z.int(),
      })
      .nullable(),
    /** The keys that sign tickets: Ed25519, 32 bytes as base64url. */
    keys: z.array(z.object({ key_byte: z.int(), public_key: z.string() })),
    /** What is redeemed at the venue. */
    offers: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        price_ath_hundredths: z.int(),
        is_active: z.boolean(),
      }),
    ),
    /** Whether the two lists below are whole. Otherwise they hold what is new since `since`, and add to those known. */
    is_whole: z.boolean(),
    /** Numbers of tickets that ended before their time: `encodeIds` as base64url. */
    ended_tickets: z.string(),
    /** Items of tickets in time that were redeemed or refunded: `encodeIds` as base64url. */
    spent_items: z.string(),
    /** The `since` of the next call. */
    next_since: timeText,
  })
  .meta({ id: 'OfflinePack' });

const entry = z.object({
  seq: z.int().positive(),
  previous_hash: hash,
  /** Milliseconds since 1970. */
  at_ms: z.int().positive(),
  staff_uuid: uuidText,
  venue_id: smallId,
  code: z.string().max(CODE_LENGTH_MAX),
  item_ids: itemIds,
  signature,
});

/**
 * `redeemed`: booked. `conflict`: redeemed elsewhere before; staff of the programme decide. `refused`: the item was never part of the
 * ticket's purchase, or was refunded, about which staff of the programme decide as well.
 */
export const OFFLINE_OUTCOMES = ['redeemed', 'conflict', 'refused'] as const;

export const offlineCalls = {
  offlinePack: {
    method: 'GET',
    path: '/scanner/offline/pack',
    auth: 'scanner',
    device: true,
    summary: 'What this enrolled device needs to redeem without a network',
    query: z.object({
      venue_id: z.coerce.number().pipe(smallId),
      since: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: pack,
  },
  offlineSync: {
    method: 'POST',
    path: '/scanner/offline/sync',
    auth: 'scanner',
    device: true,
    summary:
      'Tell what was redeemed without a network; each entry counts once, however often it is sent',
    body: z
      .object({
        device_id: uuidText,
        /** By rising `seq`. */
        entries: z.array(entry).min(1).max(SYNC_ENTRIES_MAX),
      })
      .meta({ id: 'OfflineSyncRequest' }),
    answer: z
      .object({
        /** Of the entries that were kept: those of this call up to `last_seq`. */
        results: z.array(
          z.object({
            seq: z.int(),
            items: z.array(z.object({ item_id: z.int(), outcome: z.enum(OFFLINE_OUTCOMES) })),
          }),
        ),
        state: z.enum(OFFLINE_DEVICE_STATES),
        ...logHead,
      })
      .meta({ id: 'OfflineSync' }),
  },
} as const satisfies Calls;
