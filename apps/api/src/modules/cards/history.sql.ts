import { sql, type Selectable } from 'kysely';
import { microAth } from '@athos/domain/money';
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
  { userId, limit, beforeId, afterId, from, to, amountMin, amountMax }: UnpostedRange,
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
    .$if(amountMin !== undefined, (query) =>
      query.where('amount_micro_ath', '>=', microAth(amountMin ?? 0n)),
    )
    .$if(amountMax !== undefined, (query) =>
      query.where('amount_micro_ath', '<=', microAth(amountMax ?? 0n)),
    )
    .orderBy('history_id', 'desc')
    .limit(limit)
    .execute();

/** The methods of these refunds, for those that were accepted. */
export async function selectAcceptedMethods(
  db: Db,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, 'card' | 'bank'>> {
  if (refundIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('card_refunds')
    .select(['id', 'method'])
    .where('id', 'in', refundIds)
    .where('accepted_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, method }) => [id, method]));
}

/** The objects behind these transfer keys: refunds, disputes, and the objects of the bookings of the provider's transactions. */
export async function selectObjects(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, TransferObject>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<TransferObject & { key: string }>`
    select id as key, 'card_refund' as type, id::text from card_refunds where id = any(${keys}::uuid[])
    union all
    select key, 'dispute', dispute_id::text from card_dispute_moves where key = any(${keys}::uuid[])
    union all
    select booking.id, 'card_order', booking.order_id::text from card_bookings booking
     where booking.id = any(${keys}::uuid[]) and booking.order_id is not null
       and not exists (select from card_refunds refund where refund.id = booking.id)
    union all
    select booking_id, 'card_transaction', transaction.id from card_transactions transaction
      join card_bookings booking on booking.id = transaction.booking_id
     where booking.id = any(${keys}::uuid[]) and booking.order_id is null`.execute(db);
  return new Map(rows.map(({ key, type, id }) => [key, { type, id }]));
}
