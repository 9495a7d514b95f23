import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

/** The row ids of open accounts by their public addresses. Who is not there is absent. */
export async function selectOpenUserIds(
  db: Db,
  userUuids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'uuid'])
    .where(sql<boolean>`uuid = any(${`{${userUuids.join(',')}}`}::uuid[])`)
    .where('closed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

/** How many of some purchase items are the user's and not redeemed. */
export async function selectRedeemableCount(
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
