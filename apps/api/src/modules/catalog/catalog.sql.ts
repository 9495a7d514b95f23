import type { Selectable } from 'kysely';
import type { Db, Tables } from '../../platform/database.ts';

export type CategoryRow = Selectable<Tables['categories']>;
export type OfferRow = Selectable<Tables['offers']>;

/** Categories of one parent, in their order; `null` for the top level. */
export const selectCategoriesOf = (db: Db, parentId: number | null): Promise<CategoryRow[]> =>
  db
    .selectFrom('categories')
    .selectAll()
    .where('parent_id', 'is not distinct from', parentId)
    .orderBy('position')
    .orderBy('id')
    .execute();

export const selectCategory = (db: Db, categoryId: number): Promise<CategoryRow | undefined> =>
  db.selectFrom('categories').selectAll().where('id', '=', categoryId).executeTakeFirst();

/** Children of several categories at once, in their order. */
export const selectChildren = (db: Db, parentIds: readonly number[]): Promise<CategoryRow[]> =>
  db
    .selectFrom('categories')
    .selectAll()
    .where('parent_id', 'in', parentIds)
    .orderBy('position')
    .orderBy('id')
    .execute();

export const selectOffersOf = (db: Db, categoryIds: readonly number[]): Promise<OfferRow[]> =>
  db
    .selectFrom('offers')
    .selectAll()
    .where('category_id', 'in', categoryIds)
    .orderBy('position')
    .orderBy('id')
    .execute();
