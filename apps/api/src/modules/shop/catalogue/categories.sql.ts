/** Categories as staff edit them. */
import { sql, type Selectable, type Updateable } from 'kysely';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import type { TreeNode } from './category-tree.ts';
import { PICTURE_COLUMNS } from '../pictures/pictures.sql.ts';

/** Lets only one transaction at a time change the tree or assign ids of the catalogue. */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('catalogue', 0))`.execute(tx);
}

const categories = (db: Db | Tx) =>
  db
    .selectFrom('categories')
    .leftJoin('pictures', 'pictures.id', 'categories.picture_id')
    .selectAll('categories')
    .select(PICTURE_COLUMNS)
    .select(
      sql<number>`(select count(*)::int from offers where category_id = categories.id)`.as(
        'offer_count',
      ),
    );

export type StaffCategoryRow = Awaited<
  ReturnType<ReturnType<typeof categories>['execute']>
>[number];

export const selectStaffCategories = (db: Db | Tx): Promise<StaffCategoryRow[]> =>
  categories(db).orderBy('categories.position').orderBy('categories.id').execute();

export const selectStaffCategory = (
  db: Db | Tx,
  id: number,
): Promise<StaffCategoryRow | undefined> =>
  categories(db).where('categories.id', '=', id).executeTakeFirst();

export const selectTree = (db: Db | Tx): Promise<(TreeNode & { readonly title: string })[]> =>
  db
    .selectFrom('categories')
    .select(['id', 'parent_id', 'position', 'archived_at', 'title'])
    .orderBy('position')
    .orderBy('id')
    .execute();

type NewCategory = Pick<
  Selectable<Tables['categories']>,
  'parent_id' | 'title' | 'description' | 'banner_url' | 'picture_id' | 'display_type'
>;

/** Inserts the category as the last sibling and returns its id. The caller holds the lock of the catalogue. */
export async function insertCategory(tx: Tx, category: NewCategory): Promise<number> {
  const { id } = await tx
    .insertInto('categories')
    .values({
      ...category,
      id: sql<number>`(select coalesce(max(id), 0) + 1 from categories)`,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from categories
        where parent_id is not distinct from ${category.parent_id}::integer)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateCategory(
  tx: Tx,
  id: number,
  change: Updateable<Tables['categories']>,
): Promise<void> {
  await tx
    .updateTable('categories')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Makes these the children of the parent, in this order. */
export async function updatePlaces(
  tx: Tx,
  parentId: number | null,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update categories set parent_id = ${parentId}::integer, position = place.position
      from unnest(${ids}::integer[]) with ordinality place (id, position)
     where categories.id = place.id`.execute(tx);
}

/** Whether anything in the category is shown to customers: an offer that is not withdrawn, or another category. */
export async function isCategoryShown(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select exists (select from offers where category_id = ${id}::integer and active)
        or exists (select from categories where parent_id = ${id}::integer and archived_at is null)
        as shown`.execute(tx);
  return rows[0]?.shown === true;
}
