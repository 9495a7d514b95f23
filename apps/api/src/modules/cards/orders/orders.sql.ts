/** Statements on card orders and on the quotes that became orders. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Rate } from '@athos/domain/money';
import { isUuid } from '@athos/domain/uuid';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import { lockUsers } from '../../identity/index.ts';
import { readStoredRate } from '../../rate/index.ts';
import type { CardIntent } from '../provider/card-provider.ts';

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

/** Assigns a key to an order. An earlier order of the key, if any, was closed without an intent. */
export async function upsertQuote(tx: Tx, quote: Insertable<Tables['card_quotes']>): Promise<void> {
  const { order_id, created_at } = quote;
  await tx
    .insertInto('card_quotes')
    .values(quote)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet({ order_id, created_at }),
    )
    .execute();
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

/** Locks the order's user, then the order. All code that moves the order's money must lock in this order. */
export async function lockOrderAndUser(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  const order = await selectOrder(tx, orderId);
  if (order === undefined) return undefined;
  await lockUsers(tx, [order.user_id]);
  return lockOrder(tx, orderId);
}

export const selectOrderOfIntent = (db: Db | Tx, intentId: string): Promise<OrderRow | undefined> =>
  db.selectFrom('card_orders').selectAll().where('intent_id', '=', intentId).executeTakeFirst();

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

/** Orders to be ended, oldest first: expired ones, and those created before `intentDue` that still have no intent. */
export const selectOrdersToEnd = (
  db: Db,
  { now, intentDue, limit }: { now: Date; intentDue: Date; limit: number },
): Promise<{ id: string }[]> =>
  db
    .selectFrom('card_orders')
    .select('id')
    .where('state', 'in', ['creating', 'open'])
    .where((where) =>
      where.or([
        where('expires_at', '<=', now),
        where.and([where('state', '=', 'creating'), where('created_at', '<=', intentDue)]),
      ]),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute();

/**
 * Claims the next lookup of an order at the provider, and one of the lookups that all processes share (`card_look_slots`). Returns
 * `false` if the order was looked up since `before`, or no lookup is left in this second. Does not wait for locks: a locked row is
 * already being claimed. Slots follow the clock of the database, which is the same for every process.
 */
export async function claimLook(
  db: Db,
  orderId: string,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with due as (
      select id from card_orders
       where id = ${orderId} and (look_claimed_at is null or look_claimed_at <= ${before})
         for no key update skip locked
    ), free as (
      select slot from card_look_slots
       where taken_at <= clock_timestamp() - interval '1 second' and exists (select from due)
       limit 1 for no key update skip locked
    ), taken as (
      update card_look_slots slots set taken_at = clock_timestamp()
        from free where slots.slot = free.slot
      returning slots.slot
    )
    update card_orders orders set look_claimed_at = ${now}
      from due, taken where orders.id = due.id
    returning orders.id`.execute(db);
  return rows.length === 1;
}

/** Stores the intent of an order that has none yet. Returns `false` if the order was closed, or has another intent. */
export async function updateOrderIntent(
  db: Db | Tx,
  orderId: string,
  intentId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update card_orders
    set intent_id = ${intentId}::text, state = case state when 'creating' then 'open' else state end
    where id = ${orderId}::uuid
      and (intent_id = ${intentId}::text or (intent_id is null and state = 'creating'))`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Closes an order for which no intent is stored. Returns `false` if it has one, or was already closed. */
export async function closeWithoutIntent(db: Db, orderId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('card_orders')
    .set({ state: 'canceled', closed_at: at })
    .where('id', '=', orderId)
    .where('state', '=', 'creating')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Closes an open order by its intent, which the provider does not know. Returns the order's id. */
export async function closeByLostIntent(
  db: Db,
  intentId: string,
  at: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('card_orders')
    .set({ state: 'canceled', closed_at: at })
    .where('intent_id', '=', intentId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Closes all orders of a user for which no intent is stored. */
export async function closeAllWithoutIntent(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('card_orders')
    .set({ state: 'canceled', closed_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('state', '=', 'creating')
    .execute();
}

/** The stored columns of the charge that paid. */
export const chargeColumns = (charge: CardIntent['charge']) => ({
  charge_id: charge?.chargeId ?? null,
  card_brand: charge?.card?.brand ?? null,
  card_last_four: charge?.card?.lastFour ?? null,
});

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

/** Finds an order by its id or by the id of the payment at the provider. */
export const findOrder = (db: Db | Tx, id: string) =>
  db
    .selectFrom('card_orders')
    .select([
      'id',
      'user_id as userId',
      'intent_id as intentId',
      'state',
      'created_at as createdAt',
    ])
    .where(isUuid(id) ? 'id' : 'intent_id', '=', id)
    .executeTakeFirst();
