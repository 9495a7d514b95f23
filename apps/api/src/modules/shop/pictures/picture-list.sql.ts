/** Pictures as staff see them. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { PictureRow } from './pictures.sql.ts';

export interface ListedPicture extends PictureRow {
  readonly use_count: number;
  readonly position: string;
}

export interface PictureFilters {
  readonly use: 'used' | 'unused' | undefined;
  readonly text: string | undefined;
}

/** A catalogue has a few thousand offers, so no index is needed to find those that use a picture. */
const useCount = sql<number>`(
  (select count(*) from offers where offers.picture_id = pictures.id) +
  (select count(*) from categories where categories.picture_id = pictures.id) +
  (select count(*) from offer_drafts where fields ->> 'picture_id' = pictures.id))::int`;

export const pictureList = (db: Db, { use, text }: PictureFilters) =>
  db
    .selectFrom('pictures')
    .where(sql<boolean>`formats <> '{}'`)
    .$if(use !== undefined, (query) =>
      query.where(
        sql<boolean>`${sql.lit(use === 'used')} = (
          id in (select picture_id from offers where picture_id is not null) or
          id in (select picture_id from categories where picture_id is not null) or
          id in (select fields ->> 'picture_id' from offer_drafts where fields ->> 'picture_id' is not null))`,
      ),
    )
    .$if(text !== undefined, (query) =>
      query.where(sql<boolean>`position(lower(${text}) in lower(alternative_text)) > 0`),
    );

export const selectPictures = (
  db: Db,
  filters: PictureFilters,
  { limit, after }: { limit: number; after: readonly string[] | undefined },
): Promise<ListedPicture[]> =>
  pictureList(db, filters)
    .selectAll('pictures')
    .select([useCount.as('use_count'), sql<string>`uploaded_at::text`.as('position')])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(uploaded_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::text)`,
      ),
    )
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export interface PictureUse {
  readonly type: 'offer' | 'category';
  readonly id: number;
  readonly title: string;
}

/** Categories first, then offers, each in the order of their ids. */
export async function selectUses(
  db: Db | Tx,
  pictureId: string,
  limit: number,
): Promise<PictureUse[]> {
  const { rows } = await sql<PictureUse>`
    select 'category' as type, id, title from categories where picture_id = ${pictureId}
    union all
    select 'offer', id, title from offers
     where picture_id = ${pictureId} or exists (
       select from offer_drafts where offer_id = offers.id and fields ->> 'picture_id' = ${pictureId})
    order by type, id limit ${limit}`.execute(db);
  return rows;
}

export async function countUses(db: Db | Tx, pictureId: string): Promise<number> {
  const { use_count: count } = await db
    .selectFrom('pictures')
    .select(useCount.as('use_count'))
    .where('id', '=', pictureId)
    .executeTakeFirstOrThrow();
  return count;
}
