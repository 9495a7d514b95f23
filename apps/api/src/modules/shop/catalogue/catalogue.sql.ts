import { sql, type Selectable } from 'kysely';
import type { Db, Tables } from '../../../platform/database/database.ts';
import { priceInForce } from './price-in-force.sql.ts';
import { PICTURE_COLUMNS } from '../pictures/pictures.sql.ts';

/** The columns of a row's stored picture. */
type PictureColumns = {
  readonly [
    K in 'width' | 'height' | 'formats' | 'alternative_text' | 'crop_x' | 'crop_y' as `picture_${K}`
  ]: Selectable<Tables['pictures']>[K] | null;
};
export type CategoryRow = Omit<Selectable<Tables['categories']>, 'version' | 'archived_at'> &
  PictureColumns;
export type OfferRow = Omit<
  Selectable<Tables['offers']>,
  'beneficiary_user_id' | 'version' | 'is_draft' | 'stock_alert_max' | 'merchant_id'
> &
  PictureColumns;

const OFFER_COLUMNS = [
  'offers.id',
  'offers.category_id',
  'offers.title',
  'offers.note',
  'offers.img',
  'offers.kind',
  'offers.display_type',
  'offers.position',
  'offers.active',
  'offers.picture_id',
  'offers.stock_left',
  'offers.sale_starts_at',
  'offers.sale_ends_at',
  'offers.user_count_max',
  'offers.tier_id_min',
] as const;

const anyOf = (ids: readonly number[]) => sql<number>`any(${ids}::integer[])`;

const categoriesWithPictures = (db: Db) =>
  db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.picture_id')
    .selectAll('categories')
    .select(PICTURE_COLUMNS)
    .where('categories.archived_at', 'is', null)
    .orderBy('categories.position')
    .orderBy('categories.id');

/** Offers that were ever published, with their prices at the time `at`. */
const offersWithPictures = (db: Db, at: Date) =>
  db
    .selectFrom('offers')
    .leftJoin('pictures', 'pictures.id', 'offers.picture_id')
    .select([...OFFER_COLUMNS, ...PICTURE_COLUMNS])
    .select(priceInForce(at).as('price_ath_hundredths'))
    .where('offers.is_draft', '=', false);

/** The top-level categories and their children, in display order. */
export const selectTopCategories = (db: Db): Promise<CategoryRow[]> =>
  categoriesWithPictures(db)
    .where((where) =>
      where.or([
        where('categories.parent_id', 'is', null),
        where(
          'categories.parent_id',
          'in',
          where.selectFrom('categories as top').select('top.id').where('top.parent_id', 'is', null),
        ),
      ]),
    )
    .execute();

export async function selectCategoryIds(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('categories')
    .select('id')
    .where('archived_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** A category and its children, in display order; empty if there is no such category. */
export const selectCategory = (db: Db, categoryId: number): Promise<CategoryRow[]> =>
  categoriesWithPictures(db)
    .where((where) =>
      where.or([
        where('categories.id', '=', categoryId),
        where('categories.parent_id', '=', categoryId),
      ]),
    )
    .execute();

/** The offers of several categories, in display order. */
export const selectOffersOf = (
  db: Db,
  categoryIds: readonly number[],
  at: Date,
): Promise<OfferRow[]> =>
  offersWithPictures(db, at)
    .where('offers.category_id', '=', anyOf(categoryIds))
    .orderBy('offers.position')
    .orderBy('offers.id')
    .execute();

/** Sorted by id. Unknown ids are omitted. */
export const selectOffers = (db: Db, offerIds: readonly number[], at: Date): Promise<OfferRow[]> =>
  offersWithPictures(db, at)
    .where('offers.id', '=', anyOf(offerIds))
    .orderBy('offers.id')
    .execute();
