/** The data with which a scanner redeems tickets without a network, and its report afterwards (decision 0064). */
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

/** `suspect`: its log failed verification. It redeems nothing without a network until a person has reviewed it. */
export const OFFLINE_DEVICE_STATES = ['active', 'suspect'] as const;
/** The last entry of the log that the server has; 0 and `FIRST_PREVIOUS_HASH` before the first. */
const logHead = { last_seq: z.int(), last_hash: hash };

const pack = z
  .object({
    server_time: timeText,
    device: z.object({ id: z.string(), state: z.enum(OFFLINE_DEVICE_STATES), ...logHead }),
    /** The amount that this staff member may redeem at this venue without a network; null for a suspect device. */
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
    /** The offers that can be redeemed at the venue. */
    offers: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        price_ath_hundredths: z.int(),
        is_active: z.boolean(),
      }),
    ),
    /** Whether the two lists below are complete. Otherwise they hold only additions since `since`. */
    is_whole: z.boolean(),
    /** Numbers of tickets that ended early: `encodeIds` as base64url. */
    ended_tickets: z.string(),
    /** Redeemed or refunded items of valid tickets: `encodeIds` as base64url. */
    spent_items: z.string(),
    /** The value of `since` for the next call. */
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
 * `redeemed`: booked. `conflict`: redeemed elsewhere before, so staff of the programme decide. `refused`: the item was never part of the
 * ticket's purchase, or was refunded; staff of the programme decide on these as well.
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
    repeatable: true,
    device: true,
    summary:
      'Tell what was redeemed without a network; each entry counts once, however often it is sent',
    body: z
      .object({
        device_id: uuidText,
        /** In ascending order of `seq`. */
        entries: z.array(entry).min(1).max(SYNC_ENTRIES_MAX),
      })
      .meta({ id: 'OfflineSyncRequest' }),
    answer: z
      .object({
        /** The outcomes of the stored entries: those of this call up to `last_seq`. */
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
