import type { Db } from '../../platform/database/database.ts';

interface RedeemedItem {
  readonly id: bigint;
  readonly purchaseId: bigint;
  readonly redeemedAt: Date;
  readonly venue: string;
}

/** What a redemption redeemed. */
export async function selectRedeemedItems(db: Db, redemptionId: bigint): Promise<RedeemedItem[]> {
  const rows = await db
    .selectFrom('purchase_items as item')
    .innerJoin('redemptions as redemption', 'redemption.id', 'item.redemption_id')
    .innerJoin('venues as venue', 'venue.id', 'redemption.venue_id')
    .select(['item.id', 'item.purchase_id', 'redemption.created_at', 'venue.name'])
    .where('item.redemption_id', '=', redemptionId)
    .orderBy('item.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    purchaseId: row.purchase_id,
    redeemedAt: row.created_at,
    venue: row.name,
  }));
}
