/** Removes uploads that were never used: a day after the upload, or at once if staff removed them. */
import { PICTURE_FORMATS, PICTURE_WIDTHS } from '@athos/contract/pictures';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { deleteUnnamed, selectUnnamed } from './pictures.sql.ts';
import { originalFile, pictureFile } from './store-picture.ts';

interface RemoveDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly pictureStorage: PictureStorage;
}

const KEPT_MS = 24 * 60 * 60_000;
/** Removing this many takes some 10 s with a slow bucket. The next run continues. */
const REMOVED_PER_RUN_MAX = 100;

const filesOf = (pictureId: string): string[] => [
  originalFile(pictureId),
  ...PICTURE_WIDTHS.flatMap((width) =>
    PICTURE_FORMATS.map((format) => pictureFile(pictureId, width, format)),
  ),
];

/**
 * Keeps the row locked until its files are deleted. An upload of the same picture waits for the lock and writes its files
 * afterwards. Runs in the queue of the jobs that write files.
 */
export async function removeUnnamedPictures({ db, clock, pictureStorage }: RemoveDeps) {
  const before = new Date(clock.nowMs() - KEPT_MS);
  for (const pictureId of await selectUnnamed(db, before, REMOVED_PER_RUN_MAX)) {
    await db.transaction().execute(async (tx) => {
      if (!(await deleteUnnamed(tx, pictureId, before))) return;
      await Promise.all(filesOf(pictureId).map((name) => pictureStorage.remove(name)));
    });
  }
}
