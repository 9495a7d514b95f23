import type { Selectable } from 'kysely';
import type { TransferObject, UnpostedRange } from '../../capability.ts';
import type { Db, Tables } from '../../platform/database/database.ts';

const COLUMNS = [
  'state',
  'history_id',
  'amount_micro_ath',
  'total_usd_cents',
  'processing_fee_usd_cents',
  'product_fee_usd_cents',
  'closed_at',
] as const;

export type PaymentRow = Pick<Selectable<Tables['card_orders']>, (typeof COLUMNS)[number]>;

/** Credited and cancelled payments by their ids in the history. */
export const selectPayments = (
  db: Db,
  userId: bigint,
  historyIds: readonly bigint[],
): Promise<PaymentRow[]> =>
  db
    .selectFrom('card_orders')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('history_id', 'in', historyIds)
    .execute();

/** Cancelled payments that had an attempt, newest first. */
export const selectCanceledPayments = (
  db: Db,
  { userId, limit, beforeId, afterId, from, to }: UnpostedRange,
): Promise<PaymentRow[]> =>
  db
    .selectFrom('card_orders')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('state', '=', 'canceled')
    .where('history_id', 'is not', null)
    .$if(beforeId !== undefined, (query) => query.where('history_id', '<', beforeId ?? null))
    .$if(afterId !== undefined, (query) => query.where('history_id', '>', afterId ?? null))
    .$if(from !== undefined, (query) => query.where('closed_at', '>=', from ?? null))
    .$if(to !== undefined, (query) => query.where('closed_at', '<', to ?? null))
    .orderBy('history_id', 'desc')
    .limit(limit)
    .execute();

/** Those of these refunds that the provider has accepted. */
export async function selectAcceptedRefundIds(
  db: Db,
  refundIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (refundIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('card_refunds')
    .select('id')
    .where('id', 'in', refundIds)
    .where('accepted_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The refunds with these ids, and the orders of the bookings with these ids. */
export async function selectObjects(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, TransferObject>> {
  if (keys.length === 0) return new Map();
  const [refunds, bookings] = await Promise.all([
    db.selectFrom('card_refunds').select('id').where('id', 'in', keys).execute(),
    db
      .selectFrom('card_bookings')
      .select(['id', 'order_id'])
      .where('id', 'in', keys)
      .where('order_id', 'is not', null)
      .execute(),
  ]);
  return new Map<string, TransferObject>([
    ...bookings.map(
      ({ id, order_id }) => [id, { type: 'card_order', id: order_id ?? '' }] as const,
    ),
    ...refunds.map(({ id }) => [id, { type: 'card_refund', id }] as const),
  ]);
}
