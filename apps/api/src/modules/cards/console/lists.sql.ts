/** What the console lists of card money. Each list returns one row more than `limit` if there is a next page. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

/** The time and the id of the last row of the page before. */
type After = readonly [string, string] | undefined;

export interface ListPage {
  readonly limit: number;
  readonly after: After;
}

/** All that belongs to one payment or dispute: more than the provider allows for one charge. */
export const WHOLE_LIST: ListPage = { limit: 1_000, after: undefined };

export const afterOf = (after: readonly string[] | undefined): After =>
  after === undefined ? undefined : [after[0] ?? '', after[1] ?? ''];

/** Of which customer, without a join: a count would look every one of them up. */
export const customerUuid = (userId: string) =>
  sql<string>`(select uuid from users where users.id = ${sql.ref(userId)})`.as('customer_uuid');

export const paymentList = (
  db: Db,
  {
    state,
    customer_uuid: uuid,
  }: { state?: string | undefined; customer_uuid?: string | undefined },
) =>
  db
    .selectFrom('card_orders')
    .$if(state !== undefined, (query) => query.where('card_orders.state', '=', state as 'review'))
    .$if(uuid !== undefined, (query) =>
      query.where('card_orders.user_id', '=', (users) =>
        users
          .selectFrom('users')
          .select('users.id')
          .where('users.uuid', '=', uuid ?? ''),
      ),
    );

export const selectPayments = (
  db: Db,
  filters: Parameters<typeof paymentList>[1],
  { limit, after }: ListPage,
) =>
  paymentList(db, filters)
    .selectAll('card_orders')
    .select(customerUuid('card_orders.user_id'))
    .$if(after !== undefined, (query) => query.where('card_orders.id', '<', after?.[1] ?? ''))
    .orderBy('card_orders.id', 'desc')
    .limit(limit + 1)
    .execute();

export const selectPayment = (db: Db, id: string) =>
  paymentList(db, {})
    .selectAll('card_orders')
    .select(customerUuid('card_orders.user_id'))
    .where('card_orders.id', '=', id)
    .executeTakeFirst();

export type PaymentRow = NonNullable<Awaited<ReturnType<typeof selectPayment>>>;

export const refundList = (db: Db, { state }: { state?: string | undefined }) =>
  db
    .selectFrom('card_refunds')
    .$if(state !== undefined, (query) => query.where('card_refunds.state', '=', state as 'failed'));

export const selectRefunds = (
  db: Db,
  filters: { state?: string | undefined; orderId?: string },
  { limit, after }: ListPage,
) =>
  refundList(db, filters)
    .selectAll('card_refunds')
    .select(customerUuid('card_refunds.user_id'))
    .$if(filters.orderId !== undefined, (query) =>
      query.where('card_refunds.order_id', '=', filters.orderId ?? ''),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(card_refunds.created_at, card_refunds.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('card_refunds.created_at', 'desc')
    .orderBy('card_refunds.id', 'desc')
    .limit(limit + 1)
    .execute();

export type ListedRefund = Awaited<ReturnType<typeof selectRefunds>>[number];

export const selectBookings = (db: Db, orderId: string) =>
  db
    .selectFrom('card_bookings')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('booked_at')
    .execute();
