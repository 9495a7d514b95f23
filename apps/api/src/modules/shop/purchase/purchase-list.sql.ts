/** The console's list of purchases. It uses only the primary key and the index by buyer, so that purchases need no further index. */
import { sql, type CompiledQuery } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface PurchaseFilters {
  readonly id?: bigint | undefined;
  readonly userId?: bigint | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** Bounds of the ids that follow from the times. */
  readonly firstId?: bigint | undefined;
  readonly pastId?: bigint | undefined;
}

const purchaseList = (db: Db | Tx, filters: PurchaseFilters) => {
  const { id, userId, from, to, firstId, pastId } = filters;
  let list = db.selectFrom('purchases as purchase');
  if (id !== undefined) list = list.where('purchase.id', '=', id);
  if (userId !== undefined) list = list.where('purchase.user_id', '=', userId);
  if (firstId !== undefined) list = list.where('purchase.id', '>=', firstId);
  if (pastId !== undefined) list = list.where('purchase.id', '<', pastId);
  if (from !== undefined) list = list.where('purchase.created_at', '>=', from);
  if (to !== undefined) list = list.where('purchase.created_at', '<', to);
  return list;
};

export const countPurchases = (db: Db | Tx, filters: PurchaseFilters): Promise<ListCount> =>
  countRows(db, purchaseList(db, filters));

interface ItemCounts {
  readonly open: number;
  readonly redeemed: number;
  readonly refunded: number;
}

const itemCounts = sql<ItemCounts>`(
  select json_build_object(
    'open', count(*) filter (where redeemed_at is null and voided_at is null),
    'redeemed', count(*) filter (where redeemed_at is not null and voided_at is null),
    'refunded', count(voided_at))
  from purchase_items where purchase_id = purchase.id)`;

const lineTitles = sql<string[]>`(
  select array_agg(title order by line) from purchase_lines where purchase_id = purchase.id)`;

/** The customer's uuid, as a subquery: with a join, PostgreSQL would sort all purchases instead of reading them in key order. */
const buyerUuid = sql<string>`(select uuid from users where users.id = purchase.user_id)`;

/** Newest first. */
const purchaseRows = (db: Db, filters: PurchaseFilters) =>
  purchaseList(db, filters)
    .select([
      'purchase.id',
      'purchase.created_at as purchasedAt',
      'purchase.total_ath_hundredths as totalAthHundredths',
      buyerUuid.as('uuid'),
      itemCounts.as('counts'),
      lineTitles.as('titles'),
    ])
    .orderBy('purchase.id', 'desc');

/** The statement that reads all matching purchases. */
export const compilePurchases = (db: Db, filters: PurchaseFilters): CompiledQuery<PurchaseRow> =>
  purchaseRows(db, filters).compile();

/** Returns one row more than `limit` if there is a next page. */
export const selectPurchases = (
  db: Db,
  filters: PurchaseFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
) =>
  purchaseRows(db, filters)
    .$if(beforeId !== undefined, (query) => query.where('purchase.id', '<', beforeId ?? 0n))
    .limit(limit + 1)
    .execute();

export type PurchaseRow = Awaited<ReturnType<typeof selectPurchases>>[number];

const REFUNDS_SHOWN = 100;

/** Refunds of a purchase that were made or requested, newest first. */
export const selectRefunds = (
  db: Db,
  { userId, purchaseId }: { readonly userId: bigint; readonly purchaseId: number },
) =>
  db
    .selectFrom('approvals as act')
    .innerJoin('staff as person', 'person.id', 'act.requested_by')
    .select([
      'act.id',
      'act.action',
      'act.state',
      'act.amount_units as amountUnits',
      'act.requested_at as at',
      'act.reason',
      'person.id as staffId',
      'person.name',
    ])
    .where('act.customer_id', '=', userId)
    .where('act.subject_type', '=', 'purchase')
    .where('act.subject_id', '=', purchaseId.toString())
    .orderBy('act.requested_at', 'desc')
    .limit(REFUNDS_SHOWN)
    .execute();

export interface OpenLine {
  readonly purchaseId: bigint;
  readonly purchasedAt: Date;
  readonly line: number;
  readonly title: string;
  readonly priceAthHundredths: number;
  /** Items that are neither redeemed nor refunded. */
  readonly openCount: number;
}

/** More lines than anybody refunds one after the other. */
const OPEN_LINES_MAX = 200;

/** Lines of a user's purchases since `since` that have refundable items, newest first. */
export async function selectOpenLines(db: Db, userId: bigint, since: Date): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select purchase.id as "purchaseId", purchase.created_at as "purchasedAt", line.line, line.title,
           line.price_ath_hundredths as "priceAthHundredths", open.count as "openCount"
      from purchases purchase
      join purchase_lines line on line.purchase_id = purchase.id
      cross join lateral (select count(*)::int as count from purchase_items item
                           where item.purchase_id = purchase.id and item.line = line.line
                             and item.redeemed_at is null and item.voided_at is null) open
     where purchase.user_id = ${userId} and purchase.created_at >= ${since} and open.count > 0
     order by purchase.id desc, line.line
     limit ${OPEN_LINES_MAX}`.execute(db);
  return rows;
}
