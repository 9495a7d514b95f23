/** Statements on card orders and on the quotes that became orders. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Rate } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import { readStoredRate } from '../rate/index.ts';

export type OrderRow = Selectable<Tables['card_orders']>;

export const rateOfOrder = (order: OrderRow): Rate => readStoredRate(order.usd_per_ath);

/** Locks until the transaction ends, so that a user's orders are created one at a time. */
export async function lockOrdersOfUser(tx: Tx, userId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('card_orders', ${userId}))`.execute(tx);
}

export const selectOrderByKey = (db: Db | Tx, userId: bigint, key: string) =>
  db
    .selectFrom('card_quotes')
    .innerJoin('card_orders', 'card_orders.id', 'card_quotes.order_id')
    .selectAll('card_orders')
    .select('card_quotes.body_hash')
    .where('card_quotes.user_id', '=', userId)
    .where('card_quotes.key', '=', key)
    .executeTakeFirst();

export async function insertQuote(
  tx: Tx,
  request: Insertable<Tables['card_quotes']>,
): Promise<void> {
  await tx.insertInto('card_quotes').values(request).execute();
}

/** Inserts an order. Returns `undefined` if an order with this id exists. */
export const insertOrder = (
  tx: Tx,
  order: Insertable<Tables['card_orders']>,
): Promise<OrderRow | undefined> =>
  tx
    .insertInto('card_orders')
    .values(order)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();

export const selectOrder = (db: Db | Tx, orderId: string): Promise<OrderRow | undefined> =>
  db.selectFrom('card_orders').selectAll().where('id', '=', orderId).executeTakeFirst();

export const selectOrderOfUser = (
  db: Db,
  orderId: string,
  userId: bigint,
): Promise<OrderRow | undefined> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('id', '=', orderId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

export const lockOrder = (tx: Tx, orderId: string): Promise<OrderRow | undefined> =>
  tx.selectFrom('card_orders').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst();

export const selectOrderOfIntent = (tx: Tx, intentId: string): Promise<OrderRow | undefined> =>
  tx.selectFrom('card_orders').selectAll().where('intent_id', '=', intentId).executeTakeFirst();

/** Orders of a user that can still be paid, newest first. */
export const selectOpenOrders = (db: Db | Tx, userId: bigint): Promise<OrderRow[]> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', ['creating', 'open'])
    .orderBy('created_at', 'desc')
    .execute();

/** Orders of a user that are not final, newest first. */
export const selectPendingOrders = (db: Db, userId: bigint): Promise<OrderRow[]> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', ['open', 'review'])
    .orderBy('created_at', 'desc')
    .execute();

/** Orders created before `before` that can still be paid, oldest first. */
export const selectOpenOrdersBefore = (
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string }[]> =>
  db
    .selectFrom('card_orders')
    .select('id')
    .where('state', 'in', ['creating', 'open'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();

/** Expired orders that can still be paid at the provider, oldest first. */
export const selectExpiredOrders = (db: Db, now: Date, limit: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('card_orders')
    .select('id')
    .where('state', 'in', ['creating', 'open'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();

export const selectCreditedOrders = (db: Db, from: Date): Promise<OrderRow[]> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('state', '=', 'credited')
    .where('created_at', '>=', from)
    .execute();

/** Claims the next lookup at the provider. Returns `false` if another request has claimed one since `before`. */
export async function claimLook(
  db: Db,
  orderId: string,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('card_orders')
    .set({ look_claimed_at: now })
    .where('id', '=', orderId)
    .where((where) =>
      where.or([where('look_claimed_at', 'is', null), where('look_claimed_at', '<=', before)]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the intent of an order that has none yet. */
export async function updateOrderIntent(
  db: Db | Tx,
  orderId: string,
  intentId: string,
): Promise<void> {
  await sql`
    update card_orders
    set intent_id = ${intentId}::text, state = case state when 'creating' then 'open' else state end
    where id = ${orderId}::uuid and intent_id is null`.execute(db);
}

/** The caller must hold the lock of `lockOrder`. */
export async function updateOrder(
  tx: Tx,
  orderId: string,
  change: Partial<OrderRow>,
): Promise<void> {
  await tx.updateTable('card_orders').set(change).where('id', '=', orderId).execute();
}

/** Notifies every process after the commit, so that the user's browser polls again. */
export async function notifyOrderChanged(tx: Tx, order: OrderRow): Promise<void> {
  await sql`select pg_notify('payment_changed', ${`${order.user_id} ${order.id}`})`.execute(tx);
}
