/** Statements on the offers of carts and tips. They take at most as many ids as a cart has lines. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';
import type { PictureColumns } from '../../../platform/storage/stored-picture.ts';
import { priceInForce } from '../catalogue/price-in-force.sql.ts';

const idArray = (ids: readonly (number | bigint)[]): string => `{${ids.join(',')}}`;

export interface OfferRow extends PictureColumns {
  readonly id: number;
  readonly title: string;
  readonly note: string;
  readonly img: string;
  readonly kind: 0 | 1 | 2 | 3;
  /** The price in force at the requested time. */
  readonly price_ath_hundredths: number;
  readonly active: boolean;
  readonly stock_left: number | null;
  readonly sale_starts_at: Date | null;
  readonly sale_ends_at: Date | null;
  readonly user_count_max: number | null;
  readonly beneficiary_user_id: bigint | null;
  readonly merchant_id: number | null;
  readonly tier_title_min: string | null;
  readonly tier_amount_min_micro_ath: bigint | null;
}

/**
 * Selects offers with their prices at the time `at`. Takes no locks, since many users buy a popular offer at the same time. Unknown ids
 * are omitted.
 */
export async function selectOffers(
  tx: Db | Tx,
  offerIds: readonly number[],
  at: Date,
): Promise<OfferRow[]> {
  const { rows } = await prepared(
    'select_offers_of_carts',
    sql<OfferRow>`
    select offers.id, offers.title, offers.note, offers.img, offers.kind, ${priceInForce(at)} as price_ath_hundredths,
           offers.active, offers.stock_left, offers.sale_starts_at, offers.sale_ends_at, offers.user_count_max,
           offers.beneficiary_user_id, offers.merchant_id, offers.picture_id, pictures.width as picture_width,
           pictures.height as picture_height, pictures.formats as picture_formats,
           pictures.alternative_text as picture_alternative_text, pictures.crop_x as picture_crop_x,
           pictures.crop_y as picture_crop_y, tiers.title as tier_title_min,
           tiers.amount_micro_ath as tier_amount_min_micro_ath
      from offers
      left join pictures on pictures.id = offers.picture_id
      left join tiers on tiers.id = offers.tier_id_min
     where offers.id = any(${idArray(offerIds)}::int[]) and not offers.is_draft`,
  ).execute(tx);
  return rows;
}

/** Locks offers in the order of their ids, so that two carts with the same offers cannot deadlock. */
export async function lockOffers(tx: Tx, offerIds: readonly number[]): Promise<void> {
  await sql`
    select from offers where id = any(${idArray(offerIds)}::int[])
     order by id for no key update`.execute(tx);
}

/** Updates the stock of offers that the caller has locked. A stock below 0 violates a constraint of the table. */
export async function updateStock(tx: Tx, taken: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update offers set stock_left = offers.stock_left - taken.item_count
      from unnest(${idArray([...taken.keys()])}::int[], ${idArray([...taken.values()])}::int[])
           taken (offer_id, item_count)
     where offers.id = taken.offer_id`.execute(tx);
}
