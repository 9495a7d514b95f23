/** The console's lists of payments and refunds. A list returns one row more than `limit` if there is a next page. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import type { PaymentState, RefundState } from '@athos/contract/console/payments';
import { isUuid, uuidv7 } from '@athos/domain/uuid';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { customerUuid, refundingMicroAth, WHOLE_LIST, type After } from './lists.sql.ts';

/** The filters that both lists share, as their calls receive them. */
interface Filters {
  readonly customer_uuid?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
}

type Sort = 'newest' | 'oldest';

interface Page {
  readonly sort: Sort;
  readonly limit: number;
  readonly after: After;
}

type Condition = RawBuilder<boolean>;

const allOf = (conditions: readonly Condition[]): Condition =>
  sql<boolean>`(${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)})`;

const isOf = (table: 'card_orders' | 'card_refunds', uuid: string): Condition =>
  sql<boolean>`${sql.ref(`${table}.user_id`)} = (select id from users where uuid = ${uuid}::uuid)`;

/** The lowest id of an order created at `time` or later: an order's id begins with its time. */
const firstIdAt = (time: string): string => uuidv7(Date.parse(time), (bytes) => bytes);

/** The orders that a text identifies: by an id of ours or of the provider, or by the last digits of the card's number. */
function isFoundOrder(q: string): Condition {
  if (/^\d{4}$/.test(q)) return sql<boolean>`card_orders.card_last_four = ${q}`;
  if (isUuid(q)) {
    return sql<boolean>`card_orders.id in (
      select ${q}::uuid union all select order_id from card_refunds where id = ${q}::uuid)`;
  }
  return sql<boolean>`card_orders.id in (
    select id from card_orders where intent_id = ${q}
    union all select id from card_orders where charge_id = ${q}
    union all select order_id from card_refunds where provider_refund_id = ${q}
    union all select order_id from card_disputes where provider_dispute_id = ${q})`;
}

export interface PaymentFilters extends Filters {
  readonly state?: PaymentState | undefined;
}

const paymentList = (db: Db | Tx, { customer_uuid: uuid, from, to, q, state }: PaymentFilters) =>
  db
    .selectFrom('card_orders')
    .where(
      allOf([
        ...(uuid === undefined ? [] : [isOf('card_orders', uuid)]),
        ...(from === undefined ? [] : [sql<boolean>`card_orders.id >= ${firstIdAt(from)}::uuid`]),
        ...(to === undefined ? [] : [sql<boolean>`card_orders.id < ${firstIdAt(to)}::uuid`]),
        ...(q === undefined ? [] : [isFoundOrder(q)]),
        ...(state === undefined ? [] : [sql<boolean>`card_orders.state = ${sql.lit(state)}`]),
      ]),
    );

export const countPayments = (db: Db | Tx, filters: PaymentFilters): Promise<ListCount> =>
  countRows(db, paymentList(db, filters));

/** The outcome of a payment: the parts of the returned tokens, and facts that they do not show. */
const whatFollowed = () => [
  refundingMicroAth('card_orders.id'),
  // A refund of an uncredited payment returns no tokens.
  sql<boolean>`exists (
    select from card_refunds
     where order_id = card_orders.id and state in ('requested', 'approved', 'sending'))`.as(
    'is_refund_under_way',
  ),
  sql<bigint>`(
    select coalesce(sum(recovered_micro_ath), 0)::bigint from card_disputes
     where order_id = card_orders.id)`.as('charged_back_micro_ath'),
  sql<boolean>`exists (
    select from card_disputes where order_id = card_orders.id and is_lost)`.as('is_charged_back'),
];

const paymentRows = (db: Db, filters: PaymentFilters, sort: Sort) =>
  paymentList(db, filters)
    .selectAll('card_orders')
    .select(customerUuid('card_orders.user_id'))
    .select(whatFollowed())
    .orderBy('card_orders.id', sort === 'newest' ? 'desc' : 'asc');

/** The statement that reads all matching payments. */
export const compilePayments = (
  db: Db,
  filters: PaymentFilters & { readonly sort: Sort },
): CompiledQuery<PaymentRow> => paymentRows(db, filters, filters.sort).compile();

export function selectPayments(db: Db, filters: PaymentFilters, { sort, limit, after }: Page) {
  const isNewest = sort === 'newest';
  return paymentRows(db, filters, sort)
    .$if(after !== undefined, (page) =>
      page.where('card_orders.id', isNewest ? '<' : '>', after?.[1] ?? ''),
    )
    .limit(limit + 1)
    .execute();
}

export const selectPayment = (db: Db, id: string) =>
  paymentList(db, {})
    .selectAll('card_orders')
    .select(customerUuid('card_orders.user_id'))
    .select(whatFollowed())
    .where('card_orders.id', '=', id)
    .executeTakeFirst();

export type PaymentRow = NonNullable<Awaited<ReturnType<typeof selectPayment>>>;

const isFoundRefund = (q: string): Condition =>
  isUuid(q)
    ? sql<boolean>`(card_refunds.id = ${q}::uuid or card_refunds.order_id = ${q}::uuid)`
    : sql<boolean>`card_refunds.provider_refund_id = ${q}`;

export interface RefundFilters extends Filters {
  readonly state?: RefundState | undefined;
}

const refundList = (db: Db | Tx, { customer_uuid: uuid, from, to, q, state }: RefundFilters) =>
  db
    .selectFrom('card_refunds')
    .where(
      allOf([
        ...(uuid === undefined ? [] : [isOf('card_refunds', uuid)]),
        ...(from === undefined
          ? []
          : [sql<boolean>`card_refunds.created_at >= ${from}::timestamptz`]),
        ...(to === undefined ? [] : [sql<boolean>`card_refunds.created_at < ${to}::timestamptz`]),
        ...(q === undefined ? [] : [isFoundRefund(q)]),
        ...(state === undefined ? [] : [sql<boolean>`card_refunds.state = ${sql.lit(state)}`]),
      ]),
    );

export const countRefunds = (db: Db | Tx, filters: RefundFilters): Promise<ListCount> =>
  countRows(db, refundList(db, filters));

/** Sorted by time, since a refund's id is a key that the browser chose; then by id, so that no refund is lost between two pages. */
function refundRows(db: Db, filters: RefundFilters, sort: Sort) {
  const direction = sort === 'newest' ? 'desc' : 'asc';
  return refundList(db, filters)
    .selectAll('card_refunds')
    .select(customerUuid('card_refunds.user_id'))
    .orderBy('card_refunds.created_at', direction)
    .orderBy('card_refunds.id', direction);
}

/** The statement that reads all matching refunds. */
export const compileRefunds = (
  db: Db,
  filters: RefundFilters & { readonly sort: Sort },
): CompiledQuery<ListedRefund> => refundRows(db, filters, filters.sort).compile();

export function selectRefunds(db: Db, filters: RefundFilters, { sort, limit, after }: Page) {
  const isNewest = sort === 'newest';
  return refundRows(db, filters, sort)
    .$if(after !== undefined, (page) =>
      page.where(
        sql<boolean>`(card_refunds.created_at, card_refunds.id)
          ${sql.raw(isNewest ? '<' : '>')} (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .limit(limit + 1)
    .execute();
}

export type ListedRefund = Awaited<ReturnType<typeof selectRefunds>>[number];

/** A refund with the card that it goes to, and its requester. */
export const selectRefundCase = (db: Db, id: string) =>
  refundList(db, {})
    .innerJoin('card_orders', 'card_orders.id', 'card_refunds.order_id')
    .leftJoin('staff', 'staff.id', 'card_refunds.requested_by')
    .selectAll('card_refunds')
    .select([
      'card_orders.card_brand',
      'card_orders.card_last_four',
      'staff.name as requester_name',
    ])
    .select(customerUuid('card_refunds.user_id'))
    .where('card_refunds.id', '=', id)
    .executeTakeFirst();

export type RefundCase = NonNullable<Awaited<ReturnType<typeof selectRefundCase>>>;

export const selectRefundsOf = (db: Db, orderId: string): Promise<ListedRefund[]> =>
  selectRefunds(db, { q: orderId }, { sort: 'newest', ...WHOLE_LIST });

export const selectBookings = (db: Db, orderId: string) =>
  db
    .selectFrom('card_bookings')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('booked_at')
    .limit(WHOLE_LIST.limit)
    .execute();

/** The provider's events about a payment, newest first. */
export const selectEventsOf = (db: Db, intentId: string) =>
  db
    .selectFrom('card_events')
    .select(['id', 'type', 'object_id', 'created_at', 'processed_at'])
    .where('intent_id', '=', intentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(WHOLE_LIST.limit)
    .execute();
