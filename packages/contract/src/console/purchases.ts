/** Purchases of customers: their items, and refunds of them to the balance (decision 0022). */
import { z } from 'zod';
import { CART_COUNT_MAX, CART_LINES_MAX } from '@athos/domain/cart-limits';
import { timeText, unitsText, uuidParam, uuidText } from '../values.ts';
import { APPROVAL_STATES, policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { TRANSFER_KIND_NAMES, type TransferKindName } from './ledger.ts';
import { listOf, pageQuery } from './lists.ts';

const purchaseParam = z.object({
  id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
});
const dateTime = z.iso.datetime({ offset: true });

export const purchaseFilters = {
  /** The purchase with this id. Other filters are then ignored. */
  id: purchaseParam.shape.id.optional(),
  customer_uuid: uuidText.optional(),
  from: dateTime.optional(),
  /** Exclusive. */
  to: dateTime.optional(),
};

const summary = {
  id: z.int(),
  customer_uuid: z.string(),
  purchased_at: timeText,
  total: unitsText,
  /** The number of items neither redeemed nor refunded. */
  open_count: z.int(),
  redeemed_count: z.int(),
  refunded_count: z.int(),
};

const item = z.object({
  id: z.int(),
  redeemed_at: timeText.nullable(),
  redeemed_venue: z.string().nullable(),
  redemption_id: z.int().nullable(),
  /** The time of the refund. */
  voided_at: timeText.nullable(),
  /** The number of times its redemption was reversed. */
  reversed_count: z.int(),
});

const purchase = z
  .object({
    ...summary,
    is_customer_closed: z.boolean(),
    lines: z.array(
      z.object({
        line: z.int(),
        offer_id: z.int(),
        title: z.string(),
        /** The price of one item. */
        price: unitsText,
        items: z.array(item),
      }),
    ),
    /** Ledger movements of the purchase: the payment of each line, and refunds. */
    transfers: z.array(
      z.object({
        id: z.string(),
        at: timeText,
        kind: z.enum(Object.keys(TRANSFER_KIND_NAMES) as [TransferKindName]),
        line: z.int(),
        amount: unitsText,
      }),
    ),
    /** Completed and requested refunds, newest first. */
    refunds: z.array(
      z.object({
        approval_id: z.string(),
        state: z.enum(APPROVAL_STATES),
        /** Whether the goods were handed out. */
        is_of_redeemed: z.boolean(),
        amount: unitsText,
        at: timeText,
        by: z.object({ id: z.string(), name: z.string() }),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'ConsolePurchase' });

const refundBody = z
  .object({
    /** For each line, the number of refundable items to take, from the first one on. */
    lines: z
      .array(z.object({ line: z.int().min(0), item_count: z.int().min(1).max(CART_COUNT_MAX) }))
      .min(1)
      .max(CART_LINES_MAX)
      .refine(
        (lines) => new Set(lines.map(({ line }) => line)).size === lines.length,
        'must name each line once',
      ),
    /** Puts the items back on sale. */
    is_stock_returned: z.boolean(),
    reason: reasonText,
  })
  .meta({ id: 'RefundPurchase' });

export const purchaseCalls = {
  purchases: {
    method: 'GET',
    path: '/admin/purchases',
    auth: 'console',
    permission: 'purchases.read',
    summary: 'Purchases, newest first',
    query: z.object({ ...pageQuery, ...purchaseFilters }),
    answer: listOf(
      z.object({ ...summary, titles: z.array(z.string()) }).meta({ id: 'ConsolePurchaseSummary' }),
    ),
  },
  purchaseDetail: {
    method: 'GET',
    path: '/admin/purchases/:id',
    auth: 'console',
    permission: 'purchases.read',
    summary: 'One purchase with its lines, items, movements and refunds',
    params: purchaseParam,
    answer: purchase,
  },
  refundPurchase: {
    method: 'POST',
    path: '/admin/purchases/:id/refunds',
    auth: 'console',
    permission: 'purchases.refund',
    proof: true,
    audit: { action: 'purchase.refund', subject: 'purchase' },
    summary: 'Refund items that are not redeemed to the balance',
    params: purchaseParam,
    body: refundBody,
    answer: policyOutcome({}),
  },
  voidable: {
    method: 'GET',
    path: '/admin/disputes/:id/purchases',
    auth: 'console',
    permission: 'purchases.read',
    summary:
      'What was bought after a disputed payment and is not redeemed, and what of it would fill the hole',
    params: uuidParam,
    answer: z.object({
      owed_token_amount: unitsText,
      lines: z.array(
        z.object({
          purchase_id: z.int(),
          line: z.int(),
          title: z.string(),
          purchased_at: timeText,
          /** The price of one item. */
          price: unitsText,
          open_count: z.int(),
          /** The number of items, from the newest purchases, whose value covers the debt. */
          proposed_count: z.int(),
        }),
      ),
    }),
  },
  refundRedeemed: {
    method: 'POST',
    path: '/admin/purchases/:id/redeemed-refunds',
    auth: 'console',
    permission: 'purchases.refund_redeemed',
    proof: true,
    audit: { action: 'purchase.refund_redeemed', subject: 'purchase' },
    summary: 'Refund goods that were handed out to the balance',
    params: purchaseParam,
    body: refundBody,
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
