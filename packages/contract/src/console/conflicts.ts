/** Items that were handed out twice or after their refund, and entries of an offline scanner's log that need a decision (decision 0064). */
import { z } from 'zod';
import { smallId, timeText, unitsText, uuidParam } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

const CONFLICT_STATES = ['open', 'written_off', 'explained'] as const;
const conflictParam = z.object({
  id: z.coerce.number().pipe(z.int().positive().max(Number.MAX_SAFE_INTEGER)),
});

/** The staff, time and venue of a handover. */
const handover = z.object({
  at: timeText,
  venue: z.object({ id: z.int(), name: z.string() }),
  /** The wallet account of the member of staff. */
  scanner_uuid: z.string(),
  /** The device, if it had no network. Online, the server does not record the device. */
  device: z.object({ id: z.string(), name: z.string().nullable(), label: z.string() }).nullable(),
});

const conflict = z
  .object({
    id: z.int(),
    /** The time when the server learned of it. */
    found_at: timeText,
    item: z.object({ id: z.int(), purchase_id: z.int(), title: z.string() }),
    value: unitsText,
    state: z.enum(CONFLICT_STATES),
    /** The time of the refund, for an item that nobody had redeemed; the server did not know of the handover then. */
    refunded_at: timeText.nullable(),
    /** The handover that counts; null for a refunded item. */
    first: handover.extend({ redemption_id: z.int() }).nullable(),
    /** The handover without a network. */
    second: handover,
    /** Null after the account was deleted. */
    customer_uuid: z.string().nullable(),
    /** The person who wrote it off or explained it, and the reason. */
    resolution: z
      .object({
        by: z.object({ id: z.string(), name: z.string() }),
        at: timeText,
        reason: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'RedemptionConflict' });

export const conflictCalls = {
  conflicts: {
    method: 'GET',
    path: '/admin/conflicts',
    auth: 'console',
    permission: 'scans.read',
    summary:
      'Items that were handed out twice, or although refunded, newest first; those of their venues for staff who are bound to some',
    query: z.object({
      ...pageQuery,
      /** The venue of either handover. */
      venue_id: z.coerce.number().pipe(smallId).optional(),
      state: z.enum(CONFLICT_STATES).optional(),
    }),
    answer: listOf(conflict),
  },
  conflict: {
    method: 'GET',
    path: '/admin/conflicts/:id',
    auth: 'console',
    permission: 'scans.read',
    summary: 'One of them',
    params: conflictParam,
    answer: conflict,
  },
  resolveConflict: {
    method: 'POST',
    path: '/admin/conflicts/:id/resolve',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'conflict.resolve', subject: 'conflict' },
    summary: 'Write a conflict off, or explain it',
    params: conflictParam,
    body: z
      .object({ as: z.enum(['written_off', 'explained']), reason: reasonText })
      .meta({ id: 'ResolveConflict' }),
    answer: conflict,
  },
  clearScanner: {
    method: 'POST',
    path: '/admin/scanners/:id/clear',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'scanner.clear', subject: 'scanner' },
    summary: 'Let the log of a device go on, and book or leave what it kept',
    params: uuidParam,
    body: z
      .object({
        /** Whether entries that are valid on their own are booked: signed by server, guest and device, and allowed at their time. */
        is_booked: z.boolean(),
        reason: reasonText,
      })
      .meta({ id: 'ClearScanner' }),
    answer: z.object({ booked_count: z.int(), conflict_count: z.int(), left_count: z.int() }),
  },
} as const satisfies ConsoleCalls;
