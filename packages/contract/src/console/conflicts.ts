/** Items that were handed out twice or after their refund, and what a scanner's log without a network needs of a person (decision 0064). */
import { z } from 'zod';
import { smallId, timeText, unitsText, uuidParam } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

const CONFLICT_STATES = ['open', 'written_off', 'explained'] as const;
const conflictParam = z.object({
  id: z.coerce.number().pipe(z.int().positive().max(Number.MAX_SAFE_INTEGER)),
});

/** Who handed the item out, when and where. */
const handover = z.object({
  at: timeText,
  venue: z.object({ id: z.int(), name: z.string() }),
  /** The wallet of the member of staff. */
  scanner_uuid: z.string(),
  /** The device, if it had no network; online the server does not keep which one it was. */
  device: z.object({ id: z.string(), name: z.string().nullable(), label: z.string() }).nullable(),
});

const conflict = z
  .object({
    id: z.int(),
    /** When the server was told. */
    found_at: timeText,
    item: z.object({ id: z.int(), purchase_id: z.int(), title: z.string() }),
    value: unitsText,
    state: z.enum(CONFLICT_STATES),
    /** When the item was refunded, if nobody had redeemed it; the server had not heard of the handover by then. */
    refunded_at: timeText.nullable(),
    /** The one that counts; null for a refunded item. */
    first: handover.extend({ redemption_id: z.int() }).nullable(),
    /** The one without a network. */
    second: handover,
    /** Null after the account was deleted. */
    customer_uuid: z.string().nullable(),
    /** Who wrote it off or explained it, and why. */
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
      /** Where either of the two was. */
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
        /** Whether what stands on its own is booked: signed by server, guest and device, and granted at its time. */
        is_booked: z.boolean(),
        reason: reasonText,
      })
      .meta({ id: 'ClearScanner' }),
    answer: z.object({ booked_count: z.int(), conflict_count: z.int(), left_count: z.int() }),
  },
} as const satisfies ConsoleCalls;
