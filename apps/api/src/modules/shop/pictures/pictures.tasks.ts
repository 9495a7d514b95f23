import { z } from 'zod';
import type { Db } from '../../../platform/database/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TasksByLane } from '../../../platform/jobs/lanes.ts';
import { invariant } from '../../../platform/errors.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { encodePicture } from './picture-codec.ts';
import { selectPicture, updateFormats } from './pictures.sql.ts';
import { removeUnnamedPictures } from './remove-pictures.ts';
import { originalFile, pictureFile } from './store-picture.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly pictureStorage: PictureStorage;
}

const picturePayload = z.object({ pictureId: z.string() });

/** AVIF takes a hundred times as long to encode as WebP, so a job does it; the catalogue lists the format once all widths exist. */
async function makeAvif({ db, pictureStorage }: TaskDeps, pictureId: string): Promise<void> {
  const picture = await selectPicture(db, pictureId);
  if (picture === undefined || picture.formats.includes('avif')) return;
  const original = await pictureStorage.get(originalFile(pictureId));
  invariant(original !== undefined, 'a picture with a row has its files');
  for (const [width, bytes] of await encodePicture(original, 'avif')) {
    await pictureStorage.put(pictureFile(pictureId, width, 'avif'), bytes);
  }
  await updateFormats(db, pictureId, 'avif');
}

export const createPictureTasks = (deps: TaskDeps): TasksByLane => ({
  upkeep: {
    catalog_make_avif: async (payload) => makeAvif(deps, picturePayload.parse(payload).pictureId),
    catalog_remove_pictures: () => removeUnnamedPictures(deps),
  },
});

export const pictureCrontab = `
43 * * * * catalog_remove_pictures ?jobKey=catalog_remove_pictures&queue=pictures&max=3
`;
