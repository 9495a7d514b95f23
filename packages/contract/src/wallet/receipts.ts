/** Receipts that their holder can verify, and the published heads to which they lead (decision 0060, docs/receipts.md). */
import { z } from 'zod';
import { PART_NAMES } from '@athos/domain/receipt';
import type { Calls } from '../call.ts';
import { acceptedAnswer, historyIdParam, timeText, uuidParam } from '../values.ts';

const HEADS_MAX = 400;
const HEADS = 31;

const hexText = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const hash = hexText(32);
const path = z.array(z.object({ side: z.enum(['left', 'right']), hash }));

const signed = z.object({
  /** The hash of the previous day; zeros for the first. */
  previous: hash,
  hash,
  signature: hexText(64),
  key: hash,
});

const dayHead = signed.extend({
  day: z.iso.date(),
  first_seal: z.int(),
  /** One less than `first_seal` if nothing was sealed on that day. */
  last_seal: z.int(),
  root: hash,
});

const seal = signed.extend({
  number: z.int(),
  first_id: z.int(),
  last_id: z.int(),
  count: z.int(),
  root: hash,
  chain_hash: hash,
  sealed_at: timeText,
});

const name = z.enum(PART_NAMES);
const part = z.union([
  z.object({ name, salt: hexText(16), text: z.string() }),
  z.object({ name, hash }),
]);

const receipt = z
  .object({
    version: z.literal(1),
    /** The caller's own side in plain text, the other side as hashes. */
    parts: z.array(part),
    leaf: hash,
    path,
    seal,
    day_path: path.nullable(),
    /** Null before the day has ended. */
    day: dayHead.nullable(),
  })
  .meta({ id: 'Receipt' });

const SHARE_DAYS_MAX = 90;
const share = z
  .object({
    id: z.string(),
    movement_id: z.int(),
    with_names: z.boolean(),
    made_at: timeText,
    expires_at: timeText,
  })
  .meta({ id: 'ReceiptShare' });

export const receiptCalls = {
  receipt: {
    method: 'GET',
    path: '/all_history/:id/receipt',
    auth: 'user',
    summary: 'A receipt that its holder can check; null until the movement is sealed',
    params: historyIdParam,
    answer: z.object({ receipt: receipt.nullable() }).meta({ id: 'ReceiptAnswer' }),
  },
  shareReceipt: {
    method: 'POST',
    path: '/all_history/:id/share',
    auth: 'user',
    summary: 'Make a link with which anybody can see and check the receipt',
    params: historyIdParam,
    body: z
      .object({
        /** Whether to show the accounts of both sides. Balances are never shown. */
        with_names: z.boolean().default(false),
        days: z.int().min(1).max(SHARE_DAYS_MAX).default(30),
      })
      .meta({ id: 'ShareReceipt' }),
    /** The token of the link is in its fragment, which browsers never send to a server. It is returned only once. */
    answer: share.extend({ link: z.string() }).meta({ id: 'NewReceiptShare' }),
  },
  receiptShares: {
    method: 'GET',
    path: '/account/receipt_shares',
    auth: 'user',
    summary: 'The links that still work, newest first',
    answer: z.object({ shares: z.array(share) }).meta({ id: 'ReceiptShares' }),
  },
  endReceiptShare: {
    method: 'POST',
    path: '/account/receipt_shares/:id/end',
    auth: 'user',
    summary: 'End a link at once',
    params: uuidParam,
    answer: acceptedAnswer,
  },
  sharedReceipt: {
    method: 'POST',
    path: '/shared_receipt',
    auth: 'anyone',
    repeatable: true,
    summary: 'The receipt of a link; null until the movement has arrived and is sealed',
    body: z
      .object({
        token: z.string().regex(/^[\w-]{22}$/, 'must be the token of a link'),
      })
      .meta({ id: 'SharedReceiptRequest' }),
    answer: z
      .object({
        /** For a send that could be undone, the receipt of the movement to its receiver. */
        receipt: receipt.nullable(),
        /** Set for such a send if the accounts are shown: the receipt of the movement that debited its sender. */
        taken: receipt.optional(),
        expires_at: timeText,
      })
      .meta({ id: 'SharedReceipt' }),
  },
  ledgerHeads: {
    method: 'GET',
    path: '/ledger/heads',
    auth: 'anyone',
    summary: 'The signed head of each day, newest first',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(HEADS_MAX).default(HEADS),
      /** The newest day to return. */
      until: z.iso.date().optional(),
    }),
    answer: z
      .object({
        heads: z.array(dayHead),
        /** Every key that has signed a seal or a day. */
        keys: z.array(hash),
      })
      .meta({ id: 'LedgerHeads' }),
  },
} as const satisfies Calls;
