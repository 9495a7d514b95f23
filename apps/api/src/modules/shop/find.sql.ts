/** Searches in the shop by staff. */
import { sql } from 'kysely';
import type { WaitingSource } from '../../capability.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

export const selectPurchaseOwner = (db: Db, purchaseId: bigint) =>
  db
    .selectFrom('purchases')
    .select(['user_id as userId', 'created_at as createdAt'])
    .where('id', '=', purchaseId)
    .executeTakeFirst();

/** Items of a customer that could still be redeemed. */
export async function countUnredeemedItems(db: Db | Tx, userId: bigint): Promise<number> {
  const { count } = await db
    .selectFrom('purchases')
    .innerJoin('purchase_items as item', 'item.purchase_id', 'purchases.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('purchases.user_id', '=', userId)
    .where('item.redeemed_at', 'is', null)
    .where('item.voided_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * The offer with this id, then those with this text in their title. A catalogue has thousands of them at most, so no index is
 * needed.
 */
export const selectFoundOffers = (db: Db, text: string, limit: number) =>
  db
    .selectFrom('offers')
    .select(['id', 'title'])
    .where(sql<boolean>`(id::text = ${text} or position(lower(${text}) in lower(title)) > 0)`)
    .orderBy(sql`id::text = ${text}`, 'desc')
    .orderBy('title')
    .orderBy('id')
    .limit(limit)
    .execute();

interface OfferName {
  readonly id: number;
  readonly title: string;
  readonly categoryId: number;
  readonly category: string;
}

/** Sorted by id; unknown ids are omitted. */
export async function selectOfferNames(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OfferName>> {
  const rows = await db
    .selectFrom('offers')
    .innerJoin('categories as category', 'category.id', 'offers.category_id')
    .select([
      'offers.id',
      'offers.title',
      'category.id as categoryId',
      'category.title as category',
    ])
    .where(sql<boolean>`offers.id = any(${ids}::integer[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Offers on sale whose stock is at or below the level at which staff want to be alerted. */
export const lowStock: WaitingSource<{ readonly db: Db }> = {
  kind: 'low_stock',
  permission: 'catalogue.stock',
  async count({ db }) {
    const { count } = await db
      .selectFrom('offers')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('active', '=', true)
      .whereRef('stock_left', '<=', 'stock_alert_max')
      .executeTakeFirstOrThrow();
    return { count, isAtLeast: false };
  },
};
