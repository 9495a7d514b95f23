/** Statements that book redemptions made without a network: they use the same tables as online, for many redemptions at once. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { scanColumns, scanValues, type ScanRecord } from '../scans.sql.ts';

export interface LockedItem {
  readonly id: number;
  readonly redeemedAt: Date | null;
  readonly redemptionId: bigint | null;
  /** The time at which the item was refunded. */
  readonly voidedAt: Date | null;
  readonly title: string;
  readonly priceAthHundredths: number;
  /** The offer's current price, or the paid price if that is lower. */
  readonly leastAthHundredths: number;
  readonly holderId: bigint;
  readonly holderUuid: string;
  /** The venues where its offer is redeemed; null means everywhere. No call changes them, so they were the same at the handover. */
  readonly venueIds: readonly number[] | null;
}

/** Locks items in id order, as every redemption does, so that two of them cannot deadlock. Unknown ids are omitted. */
export async function lockItemsOfEntries(
  tx: Tx,
  itemIds: readonly number[],
): Promise<readonly LockedItem[]> {
  const { rows } = await sql<LockedItem & { id: string }>`
    select item.id::text, item.redeemed_at as "redeemedAt", item.redemption_id as "redemptionId",
           item.voided_at as "voidedAt", line.title, line.price_ath_hundredths as "priceAthHundredths",
           least(line.price_ath_hundredths, offer.price_ath_hundredths) as "leastAthHundredths",
           holder.id as "holderId", holder.uuid as "holderUuid",
           (select array_agg(venue_id) from offer_venues where offer_id = line.offer_id) as "venueIds"
      from purchase_items item
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      left join offers offer on offer.id = line.offer_id
      join purchases purchase on purchase.id = item.purchase_id
      join users holder on holder.id = purchase.user_id
     where item.id = any(${`{${itemIds.join(',')}}`}::bigint[])
     order by item.id for no key update of item`.execute(tx);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

export interface FirstRedemption {
  readonly id: bigint;
  readonly userId: bigint;
  readonly venueId: number;
  /** The hash of the code that was redeemed; null if unknown. */
  readonly codeHash: Buffer | null;
  /** The scanner; null if unknown. */
  readonly deviceId: string | null;
  readonly isOffline: boolean;
}

/** Redemptions by their ids. */
export async function selectFirstRedemptions(
  tx: Tx,
  ids: readonly bigint[],
): Promise<readonly FirstRedemption[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FirstRedemption>`
    select redemption.id, redemption.user_id as "userId", redemption.venue_id as "venueId",
           redemption.device_id as "deviceId",
           (select code_hash from scans where user_id = redemption.user_id and at = redemption.created_at and redeemed_count > 0
             order by id limit 1) as "codeHash",
           exists (select from offline_entries where redemption_id = redemption.id) as "isOffline"
      from redemptions redemption
     where redemption.id = any(${`{${ids.join(',')}}`}::bigint[])`.execute(tx);
  return rows;
}

export interface OfflineRedemption {
  readonly userId: bigint;
  readonly key: string;
  readonly requestHash: Buffer;
  readonly venueId: number;
  readonly itemCount: number;
}

/**
 * Inserts redemptions, and returns their ids by key. Their time is that of the booking, so that ids and times rise together; the items
 * have the time of the handover.
 */
export async function insertOfflineRedemptions(
  tx: Tx,
  redemptions: readonly OfflineRedemption[],
  at: Date,
): Promise<ReadonlyMap<string, bigint>> {
  if (redemptions.length === 0) return new Map();
  const rows = await tx
    .insertInto('redemptions')
    .values(
      redemptions.map(({ userId, key, requestHash, venueId, itemCount }) => ({
        user_id: userId,
        key,
        request_hash: requestHash,
        venue_id: venueId,
        // The redemption cannot be repeated online, so no results are stored for a replay.
        answer: JSON.stringify({ redeemed_count: itemCount, results: [] }),
        created_at: at,
        device_id: null,
      })),
    )
    .returning(['id', 'key'])
    .execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}

export async function insertScans(tx: Tx, scans: readonly ScanRecord[]): Promise<void> {
  if (scans.length === 0) return;
  const rows = scans.map((scan) => sql`select ${scanValues(scan)}`);
  await sql`insert into scans (${scanColumns}) ${sql.join(rows, sql` union all `)}`.execute(tx);
}
