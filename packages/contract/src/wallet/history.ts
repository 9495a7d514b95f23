import { z } from 'zod';
import type { Calls } from '../call.ts';
import { labelText } from './notes.ts';
import {
  assetName,
  centsNumber,
  historyIdParam,
  positiveUnitsText,
  timeText,
  unitsText,
} from '../values.ts';

export const HISTORY_TYPES = ['Purchase', 'Payment', 'Send', 'Receive', 'Reward'] as const;
/** Reasons for movements that the programme made, and not the account's owner. */
export const HISTORY_REASONS = [
  'refund_to_card',
  'refund_by_bank',
  'refund_returned',
  'purchase_refund',
  'chargeback',
  'chargeback_returned',
  'adjustment',
  'held',
  'released',
] as const;
/** The state of a send that can be undone. */
export const SEND_STATES = ['arriving', 'sent', 'taken_back', 'returned'] as const;
export const HISTORY_DIRECTIONS = ['in', 'out'] as const;
const HISTORY_PAGE_SIZE_MAX = 100;
const HISTORY_PAGE_SIZE = 20;

const id = z.int();
const moved = z.object({
  id,
  date: timeText,
  amount: unitsText,
  asset: assetName,
  /** The other user's uuid, if another user took part. */
  counterparty: z.string().nullable(),
  /** Set if neither the user nor another user made the movement. */
  reason: z.enum(HISTORY_REASONS).optional(),
});

/** `state` is set for a send that could be undone when it was made. */
const sent = moved.extend({ state: z.enum(SEND_STATES).optional() });

/** `tip_from` and `note` are set for a tip, as the giver wrote them. Either may be empty. */
const received = moved.extend({ tip_from: z.string().optional(), note: z.string().optional() });

const payment = z.object({
  id,
  date: timeText,
  token_amount: unitsText,
  /** The total charged, in cents. */
  amount_paid: centsNumber,
  tx_fee: centsNumber,
  athos_fee: centsNumber,
  stripe_status: z.union([z.literal(1), z.literal(2)]),
});

const purchase = z.object({
  id,
  date: timeText,
  purchase_date: timeText,
  /** Total of the cart line in hundredths of an ATH: unit price × count. */
  offer_amount: z.int(),
  offer_count: z.int(),
  offer: z.object({ kind: z.int(), title: z.string(), img: z.string(), note: z.string() }),
});

export const historyItem = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('Send'), data: sent }),
    z.object({ type: z.literal('Receive'), data: received }),
    z.object({ type: z.literal('Reward'), data: moved }),
    z.object({ type: z.literal('Payment'), data: payment }),
    z.object({ type: z.literal('Purchase'), data: purchase }),
  ])
  .meta({ id: 'HistoryItem' });
export type HistoryItem = z.infer<typeof historyItem>;

const historyQuery = z.object({
  limit: z.coerce.number().int().min(1).max(HISTORY_PAGE_SIZE_MAX).default(HISTORY_PAGE_SIZE),
  /** `next_cursor` of the previous page. */
  cursor: z.string().max(200).optional(),
  type: z.enum(HISTORY_TYPES).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Only amounts that the user paid or received. Entries that moved nothing, such as a failed payment, match neither. */
  direction: z.enum(HISTORY_DIRECTIONS).optional(),
  /** The lowest and the highest amount, in micro-units of any token. */
  amount_min: positiveUnitsText.optional(),
  amount_max: positiveUnitsText.optional(),
  /** Only movements with this label. */
  label: labelText.optional(),
  /** Only movements with this text in their note, a label, or the title of a purchased offer. */
  q: z.string().trim().min(1).max(60).optional(),
});

export const historyCalls = {
  allHistory: {
    method: 'GET',
    path: '/all_history',
    auth: 'user',
    summary: 'Movements, newest first',
    query: historyQuery,
    answer: z
      .object({ history: z.array(historyItem), next_cursor: z.string().nullable() })
      .meta({ id: 'History' }),
  },
  historyItem: {
    method: 'GET',
    path: '/all_history/:id',
    auth: 'user',
    summary: 'One movement',
    params: historyIdParam,
    answer: historyItem,
  },
} as const satisfies Calls;
