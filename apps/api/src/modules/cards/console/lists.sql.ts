/** Shared parts of the console's lists of card money. Each list returns one row more than `limit` if there is a next page. */
import { sql } from 'kysely';

/** The time and the id of the last row of the previous page. */
export type After = readonly [string, string] | undefined;

export interface ListPage {
  readonly limit: number;
  readonly after: After;
}

/** The page for everything that belongs to one payment or dispute: more rows than the provider allows for one charge. */
export const WHOLE_LIST: ListPage = { limit: 1_000, after: undefined };

export const afterOf = (after: readonly string[] | undefined): After =>
  after === undefined ? undefined : [after[0] ?? '', after[1] ?? ''];

/** The customer's uuid, as a subquery: with a join, a count would look up the customer of every row. */
export const customerUuid = (userId: string) =>
  sql<string>`(select uuid from users where users.id = ${sql.ref(userId)})`.as('customer_uuid');

/** The tokens of an order whose refunds wait for a vote or for the provider: they already count as returned, but may come back. */
export const refundingMicroAth = (orderId: string) =>
  sql<bigint>`(
    select coalesce(sum(share_micro_ath), 0)::bigint from card_refunds
     where order_id = ${sql.ref(orderId)} and state in ('requested', 'approved', 'sending'))`.as(
    'refunding_micro_ath',
  );
