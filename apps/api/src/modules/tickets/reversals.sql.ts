/** Statements on the reversal of redemptions. */
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';

export const selectRedemption = (tx: Tx, redemptionId: number) =>
  tx
    .selectFrom('redemptions as redemption')
    .innerJoin('venues as venue', 'venue.id', 'redemption.venue_id')
    .select(['venue.id as venueId', 'venue.name as venue', 'redemption.created_at as redeemedAt'])
    .where('redemption.id', '=', BigInt(redemptionId))
    .executeTakeFirst();

interface RedeemedItem {
  readonly id: bigint;
  readonly redemptionId: bigint | null;
  readonly voidedAt: Date | null;
  readonly title: string;
  readonly priceAthHundredths: number;
  readonly userId: bigint;
  readonly uuid: string;
  readonly email: string | null;
  readonly closedAt: Date | null;
}

const idList = (ids: readonly number[]): string => `{${ids.join(',')}}`;

/** The items with these ids and their buyer, in id order. Unknown ids are omitted. */
export async function selectItems(
  tx: Tx,
  itemIds: readonly number[],
): Promise<readonly RedeemedItem[]> {
  const { rows } = await sql<RedeemedItem>`
    select item.id, item.redemption_id as "redemptionId", item.voided_at as "voidedAt", line.title,
           line.price_ath_hundredths as "priceAthHundredths", buyer.id as "userId", buyer.uuid, buyer.email,
           buyer.closed_at as "closedAt"
      from purchase_items item
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      join purchases purchase on purchase.id = item.purchase_id
      join users buyer on buyer.id = purchase.user_id
     where item.id = any(${idList(itemIds)}::bigint[])
     order by item.id`.execute(tx);
  return rows;
}

/** Locks items in id order, as the statement that redeems does. */
export async function lockItems(tx: Tx, itemIds: readonly number[]): Promise<void> {
  await sql`
    select from purchase_items where id = any(${idList(itemIds)}::bigint[])
     order by id for no key update`.execute(tx);
}

interface NewReversal {
  readonly redemptionId: number;
  readonly itemIds: readonly number[];
  readonly approvalId: string;
  readonly holderUserId: bigint;
  readonly at: Date;
}

/** Records a reversal, and updates the holder's screens. */
export async function insertReversal(
  tx: Tx,
  { redemptionId, itemIds, approvalId, holderUserId, at }: NewReversal,
): Promise<void> {
  await sql`
    insert into redemption_reversals (redemption_id, item_id, approval_id, reversed_at)
    select ${redemptionId}::bigint, unnest(${idList(itemIds)}::bigint[]), ${approvalId}::uuid, ${at}::timestamptz`.execute(
    tx,
  );
  await notifyRedeemed(tx, holderUserId, redemptionId);
}

/** Tells the holder's screens once the transaction is committed. */
export async function notifyRedeemed(
  tx: Tx,
  holderUserId: bigint,
  redemptionId: bigint | number,
): Promise<void> {
  await sql`select pg_notify('items_redeemed', ${`${holderUserId} ${redemptionId}`})`.execute(tx);
}
