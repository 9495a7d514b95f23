/** The console's list of redemptions. It uses the primary key: redemptions have no index only for looking back. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { LIST_COUNT_MAX, type ListCount } from '@athos/contract/console/lists';
import { countLooked, type LookedList } from '../../platform/console/looked-list.sql.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

export interface RedemptionFilters {
  /** `undefined` for all venues. */
  readonly venueIds: readonly number[] | undefined;
  readonly customerId: bigint | undefined;
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
  /** Bounds of the ids that follow from the times. */
  readonly firstId: bigint | undefined;
  readonly pastId: bigint | undefined;
}

export interface RedemptionRow {
  readonly id: bigint;
  readonly at: Date;
  readonly venueId: number;
  readonly venue: string;
  readonly scannerUuid: string;
  readonly customerUuid: string;
  readonly itemCount: number;
  readonly reversedCount: number;
  readonly titles: string[];
}

/** The ids of the items that a redemption redeemed, reversed or not. */
const itemsOf = (redemptionId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id from purchase_items where redemption_id = ${redemptionId}
  union all
  select item_id from redemption_reversals where redemption_id = ${redemptionId}`;

/** The redemptions of a customer's items. */
const redemptionsOf = (customerId: bigint): RawBuilder<unknown> => sql`
  select unnest(array[item.redemption_id, reversal.redemption_id])
    from purchases purchase
    join purchase_items item on item.purchase_id = purchase.id
    left join redemption_reversals reversal on reversal.item_id = item.id
   where purchase.user_id = ${customerId}::bigint`;

const looked = (
  { customerId, firstId, pastId }: RedemptionFilters,
  beforeId: bigint | undefined,
): RawBuilder<unknown> => sql`
  select id, user_id, venue_id, created_at as at, answer from redemptions
   where (${firstId ?? null}::bigint is null or id >= ${firstId ?? null}::bigint)
     and (${pastId ?? null}::bigint is null or id < ${pastId ?? null}::bigint)
     and (${beforeId ?? null}::bigint is null or id < ${beforeId ?? null}::bigint)
     and ${customerId === undefined ? sql`true` : sql`id = any(array(${redemptionsOf(customerId)}))`}`;

const isWithin = ({ from, to }: RedemptionFilters): RawBuilder<unknown> => sql`
  (${from ?? null}::timestamptz is null or at >= ${from ?? null}::timestamptz)
  and (${to ?? null}::timestamptz is null or at < ${to ?? null}::timestamptz)`;

/** The conditions that no index supports. Attempts that redeemed nothing are stored only for their replays. */
const isListed = (filters: RedemptionFilters): RawBuilder<unknown> => sql`
  answer ->> 'redeemed_count' <> '0'
  and ${filters.venueIds === undefined ? sql`true` : sql`venue_id = any(${filters.venueIds}::integer[])`}
  and ${isWithin(filters)}`;

const rowColumns = sql`
  found.id, found.at, venue.id as "venueId", venue.name as venue, scanner.uuid as "scannerUuid",
  buyer.uuid as "customerUuid", items.count as "itemCount", items.titles,
  (select count(*)::int from redemption_reversals where redemption_id = found.id) as "reversedCount"`;

const rowTables = sql`
  join venues venue on venue.id = found.venue_id
  join users scanner on scanner.id = found.user_id
  cross join lateral (
    select count(*)::int as count, array_agg(distinct line.title) as titles, min(purchase.user_id) as user_id
      from (${itemsOf(sql`found.id`)}) own
      join purchase_items item on item.id = own.id
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      join purchases purchase on purchase.id = item.purchase_id
  ) items
  join users buyer on buyer.id = items.user_id`;

/** The redemptions that redeemed something, for `readLooked`. */
export const redemptionList = (filters: RedemptionFilters): LookedList => ({
  looked: (beforeId) => looked(filters, beforeId),
  order: 'id desc',
  isListed: isListed(filters),
  columns: rowColumns,
  tables: rowTables,
});

/** The statement that reads all matching redemptions, newest first: in the order of the key, so that no sort is needed. */
export const compileRedemptions = (
  db: Db,
  filters: RedemptionFilters,
): CompiledQuery<RedemptionRow> =>
  sql<RedemptionRow>`
    select ${rowColumns} from (select * from (${looked(filters, undefined)}) looked where ${isListed(filters)}) found
    ${rowTables} order by found.id desc`.compile(db);

/** Counts the rows of `redemptionList`. */
export const countRedemptions = (db: Db | Tx, filters: RedemptionFilters): Promise<ListCount> =>
  filters.venueIds === undefined && filters.customerId === undefined
    ? countByTime(db, filters)
    : countLooked(db, redemptionList(filters));

/** Counts with two indexes: all rows, less the few that redeemed nothing. Reading each answer takes five times as long. */
async function countByTime(db: Db | Tx, filters: RedemptionFilters): Promise<ListCount> {
  const { rows } = await sql<{ looked: number; idle: number }>`
    with seen as (
      select count(*)::int as count, min(id) as lowest_id
        from (select id from (${looked(filters, undefined)}) row where ${isWithin(filters)}
               order by id desc limit ${LIST_COUNT_MAX + 1}) newest
    )
    select count as looked, (
      select count(*)::int from (select id, created_at as at from redemptions where answer ->> 'redeemed_count' = '0') idle
       where id >= lowest_id and ${isWithin(filters)}
    ) as idle from seen`.execute(db);
  const { looked: lookedCount, idle } = rows[0] ?? { looked: 0, idle: 0 };
  return {
    value: Math.min(lookedCount - idle, LIST_COUNT_MAX),
    is_at_least: lookedCount > LIST_COUNT_MAX,
  };
}

/** One redemption that redeemed something. */
export async function selectRedemptionRow(db: Db, id: number): Promise<RedemptionRow | undefined> {
  const { rows } = await sql<RedemptionRow>`
    select ${rowColumns} from (select id, user_id, venue_id, created_at as at from redemptions) found ${rowTables} where found.id = ${id}::bigint`.execute(
    db,
  );
  return rows[0];
}

interface ItemOfRedemption {
  readonly id: bigint;
  readonly purchaseId: bigint;
  readonly title: string;
  readonly priceAthHundredths: number;
  readonly voidedAt: Date | null;
  readonly approvalId: string | null;
  readonly reversedAt: Date;
  readonly reason: string;
  readonly staffId: string;
  readonly staffName: string;
}

/** The items of a redemption in id order, with the people who made them redeemable again. */
export async function selectItemsOfRedemption(
  db: Db,
  id: number,
): Promise<readonly ItemOfRedemption[]> {
  const { rows } = await sql<ItemOfRedemption>`
    select item.id, item.purchase_id as "purchaseId", line.title, line.price_ath_hundredths as "priceAthHundredths",
           item.voided_at as "voidedAt", reversal.approval_id as "approvalId", reversal.reversed_at as "reversedAt",
           act.reason, person.id as "staffId", person.name as "staffName"
      from (${itemsOf(sql`${id}::bigint`)}) own
      join purchase_items item on item.id = own.id
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      left join redemption_reversals reversal on reversal.redemption_id = ${id}::bigint and reversal.item_id = item.id
      left join approvals act on act.id = reversal.approval_id
      left join staff person on person.id = act.requested_by
     order by item.id`.execute(db);
  return rows;
}
