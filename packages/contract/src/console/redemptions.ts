/** Redemptions of purchased items, and their reversal. */
import { z } from 'zod';
import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import { smallId, timeText, unitsText, uuidText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

const rowId = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const redemptionParam = z.object({ id: z.coerce.number().pipe(rowId) });
const dateTime = z.iso.datetime({ offset: true });

export const redemptionFilters = {
  venue_id: z.coerce.number().pipe(smallId).optional(),
  customer_uuid: uuidText.optional(),
  from: dateTime.optional(),
  /** Exclusive. */
  to: dateTime.optional(),
};

const summary = {
  id: z.int(),
  at: timeText,
  venue: z.object({ id: z.int(), name: z.string() }),
  customer_uuid: z.string(),
  /** The wallet account of the member of staff who redeemed. */
  scanner_uuid: z.string(),
  item_count: z.int(),
  /** The number of these that were made redeemable again. */
  reversed_count: z.int(),
  titles: z.array(z.string()),
};

const redemption = z
  .object({
    ...summary,
    items: z.array(
      z.object({
        id: z.int(),
        purchase_id: z.int(),
        title: z.string(),
        price: unitsText,
        is_refunded: z.boolean(),
        /** The person who made it redeemable again, and the reason; null if nobody did. The reason is empty once the customer is erased. */
        reversal: z
          .object({
            approval_id: z.string(),
            at: timeText,
            by: z.object({ id: z.string(), name: z.string() }),
            reason: z.string(),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'ConsoleRedemption' });

export const redemptionCalls = {
  redemptions: {
    method: 'GET',
    path: '/admin/redemptions',
    auth: 'console',
    permission: 'scans.read',
    summary: 'Redemptions, newest first; of their own venues for staff who are bound to some',
    query: z.object({ ...pageQuery, ...redemptionFilters }),
    answer: listOf(z.object(summary).meta({ id: 'ConsoleRedemptionSummary' })).extend({
      /** Set if the page ended early: everything since this time was searched. */
      looked_until: timeText.nullable(),
    }),
  },
  redemption: {
    method: 'GET',
    path: '/admin/redemptions/:id',
    auth: 'console',
    permission: 'scans.read',
    summary: 'One redemption with its items and their reversals',
    params: redemptionParam,
    answer: redemption,
  },
  reverseRedemption: {
    method: 'POST',
    path: '/admin/redemptions/:id/reverse',
    auth: 'console',
    permission: 'redemptions.reverse',
    proof: true,
    audit: { action: 'redemption.reverse', subject: 'redemption' },
    summary: 'Make items of a redemption redeemable again, within the policy or by request',
    params: redemptionParam,
    body: z
      .object({
        /** Items redeemed by this redemption. */
        item_ids: z
          .array(rowId)
          .min(1)
          .max(QR_ITEMS_MAX)
          .refine((ids) => new Set(ids).size === ids.length, 'must name each item once'),
        reason: reasonText,
      })
      .meta({ id: 'ReverseRedemption' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
