/** Statements on the offers of carts and tips. They take at most as many ids as a cart has lines. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

const idArray = (ids: readonly (number | bigint)[]): string => `{${ids.join(',')}}`;

const offersWithPictures = (tx: Tx, offerIds: readonly number[]) =>
  tx
    .selectFrom('offers')
    .leftJoin('pictures', 'pictures.id', 'offers.picture_id')
    .leftJoin('tiers', 'tiers.id', 'offers.tier_id_min')
    .select([
      'offers.id',
      'offers.title',
      'offers.note',
      'offers.img',
      'offers.kind',
      'offers.price_ath_hundredths',
      'offers.active',
      'offers.stock_left',
      'offers.sale_starts_at',
      'offers.sale_ends_at',
      'offers.user_count_max',
      'offers.beneficiary_user_id',
      'offers.picture_id',
      'pictures.width as picture_width',
      'pictures.height as picture_height',
      'pictures.formats as picture_formats',
      'tiers.title as tier_title_min',
      'tiers.amount_micro_ath as tier_amount_min_micro_ath',
    ])
    .where(sql<boolean>`offers.id = any(${idArray(offerIds)}::int[])`);

export type OfferRow = Awaited<
  ReturnType<ReturnType<typeof offersWithPictures>['execute']>
>[number];

/** Takes no locks, since many users buy a popular offer at the same time. Unknown ids are omitted. */
export const selectOffers = (tx: Tx, offerIds: readonly number[]): Promise<OfferRow[]> =>
  offersWithPictures(tx, offerIds).execute();

/** Locks in the order of the ids, so that two carts with the same offers cannot deadlock. */
export async function lockOffers(tx: Tx, offerIds: readonly number[]): Promise<void> {
  await sql`
    select from offers where id = any(${idArray(offerIds)}::int[])
     order by id for no key update`.execute(tx);
}

/** The caller must have locked the offers. A stock below 0 violates a constraint of the table. */
export async function updateStock(tx: Tx, taken: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update offers set stock_left = offers.stock_left - taken.item_count
      from unnest(${idArray([...taken.keys()])}::int[], ${idArray([...taken.values()])}::int[])
           taken (offer_id, item_count)
     where offers.id = taken.offer_id`.execute(tx);
}
