/** What the console lists of redemptions. The primary key carries it: a redemption writes no index for people who look back. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

export interface RedemptionFilters {
  /** `undefined` for all. */
  readonly venueIds: readonly number[] | undefined;
  readonly customerId: bigint | undefined;
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
  /** Bounds that the times imply. */
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

/** The most rows one call reads: some 20 ms. */
const LOOKED_MAX = 20_000;

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
  select id, user_id, venue_id, created_at, answer from redemptions
   where (${firstId ?? null}::bigint is null or id >= ${firstId ?? null}::bigint)
     and (${pastId ?? null}::bigint is null or id < ${pastId ?? null}::bigint)
     and (${beforeId ?? null}::bigint is null or id < ${beforeId ?? null}::bigint)
     and ${customerId === undefined ? sql`true` : sql`id = any(array(${redemptionsOf(customerId)}))`}`;

/** What no index helps with. Attempts that redeemed nothing are kept for their replays alone. */
const isListed = ({ venueIds, from, to }: RedemptionFilters): RawBuilder<unknown> => sql`
  answer ->> 'redeemed_count' <> '0'
  and ${venueIds === undefined ? sql`true` : sql`venue_id = any(${venueIds}::integer[])`}
  and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
  and (${to ?? null}::timestamptz is null or created_at < ${to ?? null}::timestamptz)`;

const rowColumns = sql`
  found.id, found.created_at as at, venue.id as "venueId", venue.name as venue, scanner.uuid as "scannerUuid",
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

export interface RedemptionPage {
  /** Newest first, at most `limit`. */
  readonly rows: readonly RedemptionRow[];
  /** Where to go on; `undefined` at the end. */
  readonly nextBeforeId: bigint | undefined;
  /** The time of the last row looked at, if the page is short because of the bound. */
  readonly lookedUntil: Date | undefined;
}

/** The last of `LOOKED_MAX` rows; `undefined` if there are fewer. */
async function selectLastLookedAt(
  db: Db,
  filters: RedemptionFilters,
  beforeId: bigint | undefined,
): Promise<{ readonly id: bigint; readonly at: Date } | undefined> {
  const { rows } = await sql<{ id: bigint; at: Date }>`
    select id, created_at as at from (${looked(filters, beforeId)}) looked
     order by id desc limit 1 offset ${LOOKED_MAX - 1}`.execute(db);
  return rows[0];
}

/** One page, newest first. Looks at `LOOKED_MAX` rows at most, and at no more than the page needs. */
export async function readRedemptions(
  db: Db,
  filters: RedemptionFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
): Promise<RedemptionPage> {
  const { rows } = await sql<RedemptionRow>`
    with found as materialized (
      select * from (${looked(filters, beforeId)} order by id desc limit ${LOOKED_MAX}) looked
       where ${isListed(filters)} order by id desc limit ${limit + 1}
    )
    select ${rowColumns} from found ${rowTables} order by found.id desc`.execute(db);
  if (rows.length > limit) {
    return {
      rows: rows.slice(0, limit),
      nextBeforeId: rows[limit - 1]?.id,
      lookedUntil: undefined,
    };
  }
  const last = await selectLastLookedAt(db, filters, beforeId);
  return { rows, nextBeforeId: last?.id, lookedUntil: last?.at };
}

/** How many of the newest `LOOKED_MAX` rows are listed, and whether there are more rows than these. */
export async function countRedemptions(
  db: Db,
  filters: RedemptionFilters,
): Promise<{ readonly count: number; readonly isAtLeast: boolean }> {
  const { rows } = await sql<{ count: number; isAtLeast: boolean }>`
    with looked as materialized (${looked(filters, undefined)} order by id desc limit ${LOOKED_MAX})
    select count(*) filter (where ${isListed(filters)})::int as count, count(*) = ${LOOKED_MAX}::int as "isAtLeast"
      from looked`.execute(db);
  return rows[0] ?? { count: 0, isAtLeast: false };
}

/** One redemption that redeemed something. */
export async function selectRedemptionRow(db: Db, id: number): Promise<RedemptionRow | undefined> {
  const { rows } = await sql<RedemptionRow>`
    select ${rowColumns} from redemptions found ${rowTables} where found.id = ${id}::bigint`.execute(
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

/** The items of a redemption in id order, with who made them redeemable again. */
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

export const selectVenueNames = (db: Db) =>
  db.selectFrom('venues').select(['id', 'name']).orderBy('name').execute();
