import type { WithDefault } from '../../../platform/database/tables.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';

interface SavedViews {
  id: WithDefault<string>;
  staff_id: string;
  list: string;
  name: string;
  search: string;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    saved_views: SavedViews;
  }
}

export const selectViews = (db: Db, staffId: string, list: string) =>
  db
    .selectFrom('saved_views')
    .select(['id', 'name', 'search'])
    .where('staff_id', '=', staffId)
    .where('list', '=', list)
    .orderBy('name')
    .execute();

/** Replaces the view of the same name. */
export const upsertView = (tx: Tx, view: Omit<SavedViews, 'id'>) =>
  tx
    .insertInto('saved_views')
    .values(view)
    .onConflict((conflict) =>
      conflict.columns(['staff_id', 'list', 'name']).doUpdateSet({ search: view.search }),
    )
    .returning(['id', 'name', 'search'])
    .executeTakeFirstOrThrow();

export async function countViews(tx: Tx, staffId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return parseInt(count.toString(), 10);
}

/** Returns the removed view; `undefined` if the person has no such view. */
export const deleteView = (tx: Tx, staffId: string, id: string) =>
  tx
    .deleteFrom('saved_views')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .returning(['list', 'name'])
    .executeTakeFirst();
