import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

interface LineItem {
  readonly id: bigint;
  readonly line: number;
  readonly offerId: number;
  readonly title: string;
  readonly priceAthHundredths: number;
  readonly redeemedAt: Date | null;
  readonly redeemedVenue: string | null;
  readonly voidedAt: Date | null;
}

export const selectPurchase = (db: Db | Tx, purchaseId: number) =>
  db
    .selectFrom('purchases')
    .innerJoin('users', 'users.id', 'purchases.user_id')
    .select([
      'purchases.id',
      'purchases.created_at as purchasedAt',
      'users.id as userId',
      'users.uuid',
      'users.email',
      'users.closed_at as closedAt',
    ])
    .where('purchases.id', '=', BigInt(purchaseId))
    .executeTakeFirst();

export async function selectLineItems(db: Db | Tx, purchaseId: number): Promise<LineItem[]> {
  const { rows } = await sql<LineItem>`
    select item.id, line.line, line.offer_id as "offerId", line.title, line.price_ath_hundredths as "priceAthHundredths",
           item.redeemed_at as "redeemedAt", venue.name as "redeemedVenue", item.voided_at as "voidedAt"
      from purchase_items item
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      left join redemptions redemption on redemption.id = item.redemption_id
      left join venues venue on venue.id = redemption.venue_id
     where item.purchase_id = ${purchaseId}::bigint
     order by line.line, item.id`.execute(db);
  return rows;
}

/** Locks the items of a line in id order, as the statement that redeems does. */
export async function lockLineItems(tx: Tx, purchaseId: number, line: number): Promise<void> {
  await sql`
    select from purchase_items where purchase_id = ${purchaseId}::bigint and line = ${line}::smallint
     order by id for no key update`.execute(tx);
}

/** Items that were redeemed cannot be voided: the table refuses it. */
export async function voidItems(tx: Tx, itemIds: readonly bigint[], at: Date): Promise<void> {
  await sql`
    update purchase_items set voided_at = ${at}::timestamptz
     where id = any(${`{${itemIds.join(',')}}`}::bigint[])`.execute(tx);
}

/** Offers without a limit keep none. */
export async function returnStock(tx: Tx, offerId: number, itemCount: number): Promise<void> {
  await sql`
    update offers set stock_left = stock_left + ${itemCount}::integer
     where id = ${offerId}::integer and stock_left is not null`.execute(tx);
}

/** After the buyer and the items, as a purchase does. */
export async function lockOfferOfLine(tx: Tx, purchaseId: number, line: number): Promise<void> {
  await sql`
    select from offers where id = (
      select offer_id from purchase_lines where purchase_id = ${purchaseId}::bigint and line = ${line}::smallint
    ) for no key update`.execute(tx);
}
