/** The console's lists of scans. Scans have no index only for looking back: the lists use the existing ones. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { LookedList } from '../../platform/console/looked-list.sql.ts';
import type { Db } from '../../platform/database/database.ts';
import type { SeenVenues } from './venues/seen-venues.ts';

export interface ScanFilters {
  readonly venueIds: SeenVenues;
  readonly scannerId: bigint | undefined;
  readonly customerId: bigint | undefined;
  readonly action: 'scan' | 'redeem' | undefined;
  /** `refused` stands for every outcome but `ok`. */
  readonly outcome: string | undefined;
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
  /** Bounds of the ids that follow from the times. */
  readonly firstId: bigint | undefined;
  readonly pastId: bigint | undefined;
}

export interface ScanListRow {
  readonly id: bigint;
  readonly at: Date;
  readonly action: 'scan' | 'redeem';
  readonly outcome: string;
  readonly venueId: number | null;
  readonly venue: string | null;
  readonly scannerUuid: string;
  readonly customerUuid: string | null;
  readonly itemCount: number;
  readonly redeemedCount: number;
  readonly titles: string[];
}

/** Rows whose ids are between the bounds, or those of one scanner, whose index is ordered by time. */
function looked(
  { scannerId, customerId, firstId, pastId }: ScanFilters,
  beforeId: bigint | undefined,
): RawBuilder<unknown> {
  const isBefore =
    beforeId === undefined
      ? sql`true`
      : scannerId === undefined
        ? sql`id < ${beforeId}::bigint`
        : sql`(at, id) < (select at, id from scans where id = ${beforeId}::bigint)`;
  return sql`
    select * from scans
     where ${isBefore}
       and (${firstId ?? null}::bigint is null or id >= ${firstId ?? null}::bigint)
       and (${pastId ?? null}::bigint is null or id < ${pastId ?? null}::bigint)
       and ${scannerId === undefined ? sql`true` : sql`user_id = ${scannerId}::bigint`}
       and ${
         customerId === undefined
           ? sql`true`
           : sql`id = any(array(select id from scans where holder_user_id = ${customerId}::bigint))`
       }`;
}

const isListed = (filters: ScanFilters): RawBuilder<unknown> => {
  const { venueIds, action, outcome, from, to } = filters;
  return sql`
    ${venueIds === undefined ? sql`true` : sql`venue_id = any(${venueIds}::integer[])`}
    and (${action ?? null}::text is null or action = ${action ?? null}::text)
    and ${
      outcome === undefined
        ? sql`true`
        : outcome === 'refused'
          ? sql`outcome <> 'ok'`
          : sql`outcome = ${outcome}::text`
    }
    and (${from ?? null}::timestamptz is null or at >= ${from ?? null}::timestamptz)
    and (${to ?? null}::timestamptz is null or at < ${to ?? null}::timestamptz)`;
};

const columns = sql`
  found.id, found.at, found.action, found.outcome, venue.id as "venueId", venue.name as venue,
  scanner.uuid as "scannerUuid", holder.uuid as "customerUuid", found.item_count as "itemCount",
  found.redeemed_count as "redeemedCount", found.titles`;

const tables = sql`
  join users scanner on scanner.id = found.user_id
  left join venues venue on venue.id = found.venue_id
  left join users holder on holder.id = found.holder_user_id`;

/** The scans that match these filters, for `readLooked`. */
export const scanList = (filters: ScanFilters): LookedList => ({
  looked: (beforeId) => looked(filters, beforeId),
  order: filters.scannerId === undefined ? 'id desc' : 'at desc, id desc',
  isListed: isListed(filters),
  columns,
  tables,
});

/** The statement that reads all matching scans. */
export const compileScans = (db: Db, filters: ScanFilters): CompiledQuery<ScanListRow> =>
  sql<ScanListRow>`
    select ${columns} from (select * from (${looked(filters, undefined)}) looked where ${isListed(filters)}) found
    ${tables} order by found.id desc`.compile(db);

export async function selectScan(db: Db, id: number): Promise<ScanListRow | undefined> {
  const { rows } = await sql<ScanListRow>`
    select ${columns} from scans found ${tables} where found.id = ${id}::bigint`.execute(db);
  return rows[0];
}
