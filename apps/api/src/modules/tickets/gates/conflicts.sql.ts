/** Statements on conflicts: items that were handed out although they had been redeemed or refunded. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import { openHolder } from '../scans.sql.ts';

export interface NewConflict {
  readonly itemId: number;
  /** For a refunded item, the redemption of this entry. */
  readonly firstRedemptionId: bigint;
  /** The time at which the item was redeemed or refunded. */
  readonly firstAt: Date;
  readonly logId: string;
  readonly entryHash: Buffer;
  readonly at: Date;
  readonly venueId: number;
  readonly staffUserId: bigint;
  readonly holderUserId: bigint;
  readonly valueAthHundredths: number;
}

export async function insertConflicts(
  tx: Tx,
  conflicts: readonly NewConflict[],
  madeAt: Date,
): Promise<void> {
  if (conflicts.length === 0) return;
  await tx
    .insertInto('redemption_conflicts')
    .values(
      conflicts.map((conflict) => ({
        item_id: BigInt(conflict.itemId),
        first_redemption_id: conflict.firstRedemptionId,
        first_at: conflict.firstAt,
        log_id: conflict.logId,
        entry_hash: conflict.entryHash,
        at: conflict.at,
        venue_id: conflict.venueId,
        staff_user_id: conflict.staffUserId,
        holder_user_id: sql<bigint | null>`${openHolder(conflict.holderUserId)}`,
        value_ath_hundredths: conflict.valueAthHundredths,
        made_at: madeAt,
      })),
    )
    .execute();
}

/** The number of a device's redemptions that conflicted between two times. The items of one code count once. */
export async function countConflictsOfDevice(
  db: Db | Tx,
  deviceId: string,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct conflict.entry_hash)::int as count
      from offline_logs log join redemption_conflicts conflict on conflict.log_id = log.id
     where log.device_id = ${deviceId}::uuid
       and conflict.made_at > ${since}::timestamptz and conflict.made_at <= ${until}::timestamptz`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The number of devices at which a holder's codes have conflicted since a time. */
export async function countDevicesOfConflicts(
  db: Db,
  holderId: bigint,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct log.device_id)::int as count
      from redemption_conflicts conflict join offline_logs log on log.id = conflict.log_id
     where conflict.holder_user_id = ${holderId}::bigint and conflict.made_at > ${since}::timestamptz`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Erases the holder from the conflicts. The losses themselves stay. */
export async function eraseConflicts(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('redemption_conflicts')
    .set({ holder_user_id: null })
    .where('holder_user_id', '=', userId)
    .execute();
}

export const deleteOldConflicts = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'redemption_conflicts', sql`made_at <= ${before}`);
