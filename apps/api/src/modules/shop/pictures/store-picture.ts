/**
 * Stores pictures for the catalogue. The id is the hash of the uploaded bytes, so the same picture is stored once. The row is
 * written after the files, so that every file that the catalogue names exists.
 */
import { createHash } from 'node:crypto';
import { PICTURE_WIDTHS, type PictureFormat } from '@athos/contract/pictures';
import type { Db } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { encodePicture, measurePicture, type PictureSize } from './picture-codec.ts';
import { insertPicture, selectPicture } from './pictures.sql.ts';

interface PictureDeps {
  readonly db: Db;
  readonly pictureStorage: PictureStorage;
}

interface MadePicture extends PictureSize {
  /** As uploaded. */
  readonly original: Buffer;
  /** WebP by width. */
  readonly files: ReadonlyMap<number, Buffer>;
}

/** One picture is decoded at a time, since each takes up to 200 MB. */
const encodeGate = createGate({ atOnceMax: 1, waitingMax: 8, waitMaxMs: 4_000 });

/** The name of a file. Every picture has one for each width and format; a narrower picture is not enlarged. */
export const pictureFile = (pictureId: string, width: number, format: PictureFormat): string =>
  `${pictureId}/${width}.${format}`;

/** The name of the uploaded file. Every format is encoded from it, never from another format. */
export const originalFile = (pictureId: string): string => `${pictureId}/original`;

export const pictureIdOf = (original: Buffer): string =>
  createHash('sha256').update(original).digest('hex');

/** Checks every file, since the storage may have been emptied or replaced. */
async function missingFiles(
  { pictureStorage }: PictureDeps,
  { original, files }: MadePicture,
): Promise<[name: string, bytes: Buffer][]> {
  const pictureId = pictureIdOf(original);
  const all: [string, Buffer][] = [
    [originalFile(pictureId), original],
    ...[...files].map(([width, bytes]): [string, Buffer] => [
      pictureFile(pictureId, width, 'webp'),
      bytes,
    ]),
  ];
  const isThere = await Promise.all(all.map(([name]) => pictureStorage.has(name)));
  return all.filter((_, index) => isThere[index] !== true);
}

/**
 * Stores a picture with its finished WebP files and enqueues the job that makes its AVIF files, to run at `othersFrom`
 * (default: now). Returns the picture's id. Throws `try_again` if the storage does not respond.
 */
export async function keepPicture(
  deps: PictureDeps,
  made: MadePicture,
  othersFrom?: Date,
): Promise<string> {
  const { width, height, original, files } = made;
  invariant(
    PICTURE_WIDTHS.every((each) => files.has(each)),
    'a picture has a file for each width',
  );
  const pictureId = pictureIdOf(original);
  await Promise.all(
    (await missingFiles(deps, made)).map(([name, bytes]) => deps.pictureStorage.put(name, bytes)),
  );
  if ((await selectPicture(deps.db, pictureId)) !== undefined) return pictureId;
  await deps.db.transaction().execute(async (tx) => {
    const isNew = await insertPicture(tx, { id: pictureId, width, height, formats: ['webp'] });
    if (!isNew) return;
    await enqueueJob(
      tx,
      'catalog_make_avif',
      { pictureId },
      { queue: 'pictures', ...(othersFrom === undefined ? {} : { runAt: othersFrom }) },
    );
  });
  return pictureId;
}

/**
 * Stores an uploaded picture and returns its id. Throws `invalid_request` if it is not a picture or too large, `overloaded` if
 * too many uploads are waiting, `try_again` if the storage does not respond.
 */
export async function storePicture(deps: PictureDeps, bytes: Buffer): Promise<string> {
  const size = await measurePicture(bytes);
  const known = await selectPicture(deps.db, pictureIdOf(bytes));
  if (known !== undefined && (await deps.pictureStorage.has(originalFile(known.id)))) {
    return known.id;
  }
  const files = await encodeGate(['operator'], () => encodePicture(bytes, 'webp'));
  return keepPicture(deps, { ...size, original: bytes, files });
}
