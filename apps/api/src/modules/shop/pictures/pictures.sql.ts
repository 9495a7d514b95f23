import { sql, type Selectable } from 'kysely';
import type { PictureFormat } from '@athos/contract/pictures';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export const selectPicture = (
  db: Db | Tx,
  pictureId: string,
): Promise<Selectable<Tables['pictures']> | undefined> =>
  db.selectFrom('pictures').selectAll().where('id', '=', pictureId).executeTakeFirst();

/** Inserts a picture. Returns whether it was new. */
export async function insertPicture(
  tx: Tx,
  picture: { id: string; width: number; height: number; formats: PictureFormat[] },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('pictures')
    .values(picture)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
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
    .where(sql<boolean>`not formats @> array[${format}::text]`)
    .execute();
}
