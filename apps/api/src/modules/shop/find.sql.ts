/** What staff look for in the shop. */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

export const selectPurchaseOwner = (db: Db, purchaseId: bigint) =>
  db
    .selectFrom('purchases')
    .select(['user_id as userId', 'created_at as createdAt'])
    .where('id', '=', purchaseId)
    .executeTakeFirst();

/** Offers with this text in their title. A catalogue has thousands of them at most, so no index is needed. */
export const selectOffersByTitle = (db: Db, text: string, limit: number) =>
  db
    .selectFrom('offers')
    .select(['id', 'title'])
    .where(sql<boolean>`position(lower(${text}) in lower(title)) > 0`)
    .orderBy('title')
    .limit(limit)
    .execute();
