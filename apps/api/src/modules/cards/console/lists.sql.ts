/** What the console's lists of card money share. Each returns one row more than `limit` if there is a next page. */
import { sql } from 'kysely';

/** The time and the id of the last row of the page before. */
export type After = readonly [string, string] | undefined;

export interface ListPage {
  readonly limit: number;
  readonly after: After;
}

/** All that belongs to one payment or dispute: more than the provider allows for one charge. */
export const WHOLE_LIST: ListPage = { limit: 1_000, after: undefined };

export const afterOf = (after: readonly string[] | undefined): After =>
  after === undefined ? undefined : [after[0] ?? '', after[1] ?? ''];

/** The customer's uuid, as a subquery: with a join, a count would look up the customer of every row. */
export const customerUuid = (userId: string) =>
  sql<string>`(select uuid from users where users.id = ${sql.ref(userId)})`.as('customer_uuid');
