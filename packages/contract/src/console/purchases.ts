/** Purchases of customers: what they hold, and the refund of a line (decision 0022). */
import { z } from 'zod';
import { timeText, unitsText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const purchaseParam = z.object({
  id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
});
const LINE_MAX = 1_000;
const lineParam = purchaseParam.extend({ line: z.coerce.number().int().min(0).max(LINE_MAX) });

export const purchaseCalls = {
  purchaseDetail: {
    method: 'GET',
    path: '/admin/purchases/:id',
    auth: 'console',
    permission: 'purchases.read',
    summary: 'One purchase with its lines and items',
    params: purchaseParam,
    answer: z
      .object({
        id: z.int(),
        customer_uuid: z.string(),
        purchased_at: timeText,
        lines: z.array(
          z.object({
            line: z.int(),
            offer_id: z.int(),
            title: z.string(),
            /** Of one item. */
            price: unitsText,
            items: z.array(
              z.object({
                id: z.int(),
                redeemed_at: timeText.nullable(),
                redeemed_venue: z.string().nullable(),
                /** When it was refunded. */
                voided_at: timeText.nullable(),
              }),
            ),
          }),
        ),
      })
      .meta({ id: 'ConsolePurchase' }),
  },
  refundPurchaseLine: {
    method: 'POST',
    path: '/admin/purchases/:id/lines/:line/refund',
    auth: 'console',
    permission: 'purchases.refund',
    proof: true,
    audit: { action: 'purchase.refund', subject: 'purchase' },
    summary: 'Refund what is not redeemed of a line to the balance',
    params: lineParam,
    body: z
      .object({
        /** The items go back on sale. */
        is_stock_returned: z.boolean(),
        reason: reasonText,
      })
      .meta({ id: 'RefundPurchaseLine' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
