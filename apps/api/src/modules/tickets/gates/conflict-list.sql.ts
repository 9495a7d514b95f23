/** The console's queries on conflicts, and the statement that resolves one. */
import { sql } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { SeenVenues } from '../venues/seen-venues.ts';

type ConflictState = 'open' | 'written_off' | 'explained';

export interface ConflictFilters {
  readonly venueIds: SeenVenues;
  readonly state?: ConflictState | undefined;
}

export interface ConflictRow {
  readonly id: bigint;
  readonly foundAt: Date;
  readonly state: ConflictState;
  readonly priceAthHundredths: number;
  readonly words: string | null;
  readonly resolvedAt: Date | null;
  readonly resolverId: string | null;
  readonly resolverName: string | null;
  readonly itemId: bigint;
  readonly purchaseId: bigint;
  readonly title: string;
  /** Whether the item was not redeemed but refunded, at `firstAt`. */
  readonly isRefunded: boolean;
  readonly firstRedemptionId: bigint;
  readonly firstAt: Date;
  readonly firstVenueId: number;
  readonly firstVenue: string;
  readonly firstStaffUuid: string;
  readonly firstDeviceId: string | null;
  readonly firstDeviceName: string | null;
  readonly firstDeviceLabel: string | null;
  readonly at: Date;
  readonly venueId: number;
  readonly venue: string;
  readonly staffUuid: string;
  readonly deviceId: string;
  readonly deviceName: string | null;
  readonly deviceLabel: string;
  readonly holderUuid: string | null;
}

const listed = (db: Db | Tx, { venueIds, state }: ConflictFilters) => {
  const isAtVenue = sql<boolean>`(
    conflict.venue_id = any(${venueIds ?? []}::integer[]) or first.venue_id = any(${venueIds ?? []}::integer[]))`;
  return db
    .selectFrom('redemption_conflicts as conflict')
    .innerJoin('redemptions as first', 'first.id', 'conflict.first_redemption_id')
    .select('conflict.id')
    .$if(venueIds !== undefined, (rows) => rows.where(isAtVenue))
    .$if(state !== undefined, (rows) => rows.where('conflict.state', '=', state ?? 'open'));
};

/**
 * Selects the conflicts with these ids, newest first. The statement joins twelve tables, more than the query builder's types can follow.
 */
async function selectShown(db: Db | Tx, ids: readonly bigint[]): Promise<ConflictRow[]> {
  const { rows } = await sql<ConflictRow>`
    select conflict.id, conflict.made_at as "foundAt", conflict.state, conflict.value_ath_hundredths as "priceAthHundredths",
           conflict.words, conflict.resolved_at as "resolvedAt", resolver.id as "resolverId", resolver.name as "resolverName",
           item.redemption_id is null and coalesce(item.voided_at <= conflict.made_at, false) as "isRefunded",
           item.id as "itemId", item.purchase_id as "purchaseId", line.title,
           first.id as "firstRedemptionId", conflict.first_at as "firstAt", first.venue_id as "firstVenueId",
           first_venue.name as "firstVenue", first_staff.uuid as "firstStaffUuid", first_device.id as "firstDeviceId",
           first_device.name as "firstDeviceName", first_device.label as "firstDeviceLabel",
           conflict.at, conflict.venue_id as "venueId", venue.name as venue, person.uuid as "staffUuid",
           device.id as "deviceId", device.name as "deviceName", device.label as "deviceLabel", holder.uuid as "holderUuid"
      from redemption_conflicts conflict
      join purchase_items item on item.id = conflict.item_id
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      join redemptions first on first.id = conflict.first_redemption_id
      join venues first_venue on first_venue.id = first.venue_id
      join users first_staff on first_staff.id = first.user_id
      left join offline_entries first_entry on first_entry.redemption_id = first.id
      left join offline_logs first_log on first_log.id = first_entry.log_id
      left join scanner_devices first_device on first_device.id = first_log.device_id
      join venues venue on venue.id = conflict.venue_id
      join users person on person.id = conflict.staff_user_id
      join offline_logs log on log.id = conflict.log_id
      join scanner_devices device on device.id = log.device_id
      left join users holder on holder.id = conflict.holder_user_id
      left join staff resolver on resolver.id = conflict.resolved_by
     where conflict.id = any(${`{${ids.join(',')}}`}::bigint[])
     order by conflict.id desc`.execute(db);
  return rows;
}

/** Newest first. Returns one row more than `limit` if there is a next page. */
export async function selectConflicts(
  db: Db,
  filters: ConflictFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
): Promise<ConflictRow[]> {
  const rows = await listed(db, filters)
    .$if(beforeId !== undefined, (page) => page.where('conflict.id', '<', beforeId ?? 0n))
    .orderBy('conflict.id', 'desc')
    .limit(limit + 1)
    .execute();
  return selectShown(
    db,
    rows.map(({ id }) => id),
  );
}

export const countConflicts = (db: Db, filters: ConflictFilters): Promise<ListCount> =>
  countRows(db, listed(db, filters));

/** Returns `undefined` also for a conflict at other venues. */
export async function selectConflict(
  db: Db | Tx,
  filters: ConflictFilters,
  id: number,
): Promise<ConflictRow | undefined> {
  const seen = await listed(db, filters).where('conflict.id', '=', BigInt(id)).executeTakeFirst();
  if (seen === undefined) return undefined;
  const [row] = await selectShown(db, [seen.id]);
  return row;
}

/** Returns `false` if somebody else has already resolved it. */
export async function resolveConflict(
  tx: Tx,
  id: number,
  resolution: {
    readonly state: Exclude<ConflictState, 'open'>;
    readonly words: string;
    readonly staffId: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('redemption_conflicts')
    .set({
      state: resolution.state,
      words: resolution.words,
      resolved_by: resolution.staffId,
      resolved_at: resolution.at,
    })
    .where('id', '=', BigInt(id))
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
