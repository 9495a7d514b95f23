/**
 * The shop's part of the statement that redeems. Tickets redeems items in one statement with its own rows; these fragments let
 * the shop stay the only writer of its items.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/**
 * Selects the ids of those items that are neither redeemed nor refunded, if `condition` holds. Locks them in id order, so that two scanners
 * cannot deadlock. `itemIds` is an array expression.
 */
export const lockUnredeemedItems = (
  itemIds: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select id from purchase_items
  where id = any(${itemIds}) and redeemed_at is null and voided_at is null and ${condition}
  order by id for no key update`;

/** Marks the items of the subquery `itemIds` as redeemed by the row of the query `redemption`, and returns their ids. */
export const markItemsRedeemed = (
  at: Date,
  itemIds: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  update purchase_items item set redeemed_at = ${at}, redemption_id = redemption.id
  from redemption
  where item.id = any(array(${itemIds}))
  returning item.id`;

/** Marks items as redeemed, each at its own time. The caller has locked them. */
export async function markItemsRedeemedAt(
  tx: Tx,
  items: readonly { readonly id: number; readonly at: Date; readonly redemptionId: bigint }[],
): Promise<void> {
  if (items.length === 0) return;
  const ids = `{${items.map(({ id }) => id).join(',')}}`;
  const times = `{${items.map(({ at }) => at.toISOString()).join(',')}}`;
  const redemptionIds = `{${items.map(({ redemptionId }) => redemptionId).join(',')}}`;
  await sql`
    update purchase_items item set redeemed_at = given.at, redemption_id = given.redemption_id
      from unnest(${ids}::bigint[], ${times}::timestamptz[], ${redemptionIds}::bigint[]) as given (id, at, redemption_id)
     where item.id = given.id`.execute(tx);
}

/** Makes items redeemable again. The caller has locked them. */
export async function markItemsUnredeemed(tx: Tx, itemIds: readonly number[]): Promise<void> {
  await sql`
    update purchase_items set redeemed_at = null, redemption_id = null
     where id = any(${`{${itemIds.join(',')}}`}::bigint[])`.execute(tx);
}
