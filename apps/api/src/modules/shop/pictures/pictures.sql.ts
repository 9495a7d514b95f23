import { sql, type Selectable } from 'kysely';
import type { PictureFormat } from '@athos/contract/pictures';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import type { PictureColumns } from '../../../platform/storage/stored-picture.ts';

export type PictureRow = Selectable<Tables['pictures']>;

/** The columns that a query joining `pictures` selects to show a picture. */
export const PICTURE_COLUMNS = [
  'pictures.width as picture_width',
  'pictures.height as picture_height',
  'pictures.formats as picture_formats',
  'pictures.alternative_text as picture_alternative_text',
  'pictures.crop_x as picture_crop_x',
  'pictures.crop_y as picture_crop_y',
] as const;

/** The columns of a picture, in the form of a join. */
export const joinedColumns = (row: PictureRow): PictureColumns => ({
  picture_id: row.id,
  picture_width: row.width,
  picture_height: row.height,
  picture_formats: row.formats,
  picture_alternative_text: row.alternative_text,
  picture_crop_x: row.crop_x,
  picture_crop_y: row.crop_y,
});

/** A picture whose files exist. */
export const selectPicture = (db: Db | Tx, pictureId: string): Promise<PictureRow | undefined> =>
  db
    .selectFrom('pictures')
    .selectAll()
    .where('id', '=', pictureId)
    .where(sql<boolean>`formats <> '{}'`)
    .executeTakeFirst();

/** Inserts a picture without formats, or gives an upload that is not in use another day. Waits while its row is being removed. */
export async function reservePicture(
  db: Db,
  { id, width, height }: Pick<PictureRow, 'id' | 'width' | 'height'>,
  at: Date,
): Promise<void> {
  await db
    .insertInto('pictures')
    .values({ id, width, height, formats: [], uploaded_at: at })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ uploaded_at: at }).where('pictures.named_at', 'is', null),
    )
    .execute();
}

/** Records that the first files exist. Returns whether that was new. */
export async function updateStored(tx: Tx, pictureId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pictures')
    .set({ formats: ['webp'] })
    .where('id', '=', pictureId)
    .where(sql<boolean>`formats = '{}'`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Those of the given ids that are stored pictures. */
export async function selectStoredIds(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('pictures')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where(sql<boolean>`formats <> '{}'`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Records that the files of another format exist. */
export async function updateFormats(
  db: Db,
  pictureId: string,
  format: PictureFormat,
): Promise<void> {
  await db
    .updateTable('pictures')
    .set({ formats: sql<PictureFormat[]>`array_append(formats, ${format}::text)` })
    .where('id', '=', pictureId)
    .where(sql<boolean>`formats <> '{}' and not formats @> array[${format}::text]`)
    .execute();
}

/** Locks the row. Requests that attach the picture to an offer or a category wait for this lock. */
export const lockPicture = (tx: Tx, pictureId: string): Promise<PictureRow | undefined> =>
  tx
    .selectFrom('pictures')
    .selectAll()
    .where('id', '=', pictureId)
    .where(sql<boolean>`formats <> '{}'`)
    .forUpdate()
    .executeTakeFirst();

export async function updatePicture(
  tx: Tx,
  pictureId: string,
  described: Pick<PictureRow, 'alternative_text' | 'crop_x' | 'crop_y'>,
): Promise<void> {
  await tx
    .updateTable('pictures')
    .set((row) => ({ ...described, version: row('version', '+', 1) }))
    .where('id', '=', pictureId)
    .execute();
}

/** Hides the picture, so that the job removes it whatever its age. */
export async function hidePicture(tx: Tx, pictureId: string): Promise<void> {
  await tx
    .updateTable('pictures')
    .set({ formats: [], uploaded_at: sql`'-infinity'` })
    .where('id', '=', pictureId)
    .execute();
}

/** Whether no draft uses the picture: a draft of a published offer refers to its picture only in its fields. */
const isInNoDraft = sql<boolean>`not exists (
  select from offer_drafts where offer_drafts.fields ->> 'picture_id' = pictures.id)`;

export async function selectUnnamed(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('id')
    .where('named_at', 'is', null)
    .where(isInNoDraft)
    .where('uploaded_at', '<=', before)
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a picture that is still not in use and was not uploaded again. Returns whether it was deleted. */
export async function deleteUnnamed(tx: Tx, pictureId: string, before: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('pictures')
    .where('id', '=', pictureId)
    .where('named_at', 'is', null)
    .where(isInNoDraft)
    .where('uploaded_at', '<=', before)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
