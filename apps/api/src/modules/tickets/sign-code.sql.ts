import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

/** How many of the purchase items belong to the user and are not redeemed. */
export async function countRedeemableItems(
  db: Db,
  userId: bigint,
  itemIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from purchase_items join purchases on purchases.id = purchase_items.purchase_id
     where purchase_items.id = any(${`{${itemIds.join(',')}}`}::bigint[])
       and purchases.user_id = ${userId}
       and purchase_items.redeemed_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}
