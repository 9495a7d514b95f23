import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface LineItem {
  readonly id: bigint;
  readonly line: number;
  readonly offerId: number;
  readonly merchantId: number | null;
  readonly title: string;
  readonly priceAthHundredths: number;
  readonly redeemedAt: Date | null;
  readonly redeemedVenueId: number | null;
  readonly redeemedVenue: string | null;
  readonly redemptionId: bigint | null;
  readonly voidedAt: Date | null;
  readonly reversedCount: number;
}

export const selectPurchase = (db: Db | Tx, purchaseId: number) =>
  db
    .selectFrom('purchases')
    .innerJoin('users', 'users.id', 'purchases.user_id')
    .select([
      'purchases.id',
      'purchases.created_at as purchasedAt',
      'purchases.key',
      'purchases.total_ath_hundredths as totalAthHundredths',
      'users.id as userId',
      'users.uuid',
      'users.email',
      'users.closed_at as closedAt',
    ])
    .where('purchases.id', '=', BigInt(purchaseId))
    .executeTakeFirst();

export async function selectLineItems(db: Db | Tx, purchaseId: number): Promise<LineItem[]> {
  const { rows } = await sql<LineItem>`
    select item.id, line.line, line.offer_id as "offerId", line.merchant_id as "merchantId", line.title, line.price_ath_hundredths as "priceAthHundredths",
           item.redeemed_at as "redeemedAt", venue.id as "redeemedVenueId", venue.name as "redeemedVenue", item.redemption_id as "redemptionId",
           item.voided_at as "voidedAt",
           (select count(*)::int from redemption_reversals where item_id = item.id) as "reversedCount"
      from purchase_items item
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      left join redemptions redemption on redemption.id = item.redemption_id
      left join venues venue on venue.id = redemption.venue_id
     where item.purchase_id = ${purchaseId}::bigint
     order by line.line, item.id`.execute(db);
  return rows;
}

/** Locks the items in id order, as the statement that redeems does. */
export async function lockItemsOfPurchase(tx: Tx, purchaseId: number): Promise<void> {
  await sql`
    select from purchase_items where purchase_id = ${purchaseId}::bigint
     order by id for no key update`.execute(tx);
}

/** Voids items, never before they were redeemed, even if the clocks of two processes differ: the table refuses that. */
export async function voidItems(tx: Tx, itemIds: readonly bigint[], at: Date): Promise<void> {
  await sql`
    update purchase_items set voided_at = greatest(${at}::timestamptz, redeemed_at)
     where id = any(${`{${itemIds.join(',')}}`}::bigint[])`.execute(tx);
}
