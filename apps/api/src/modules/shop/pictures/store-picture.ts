/**
 * Stores pictures for the catalogue. The id is the hash of the uploaded bytes, so the same picture is stored once. A row without
 * formats is committed before the files are written, so that the files of an upload that was cut off can be found and removed; it
 * gets its formats once the files exist, and is invisible until then.
 */
import { createHash } from 'node:crypto';
import { PICTURE_WIDTHS, type PictureFormat } from '@athos/contract/pictures';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { encodePicture, measurePicture, type PictureSize } from './picture-codec.ts';
import { reservePicture, selectPicture, updateStored } from './pictures.sql.ts';

interface PictureDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly pictureStorage: PictureStorage;
}

interface MadePicture extends PictureSize {
  /** The uploaded bytes. */
  readonly original: Buffer;
  /** WebP files by width. */
  readonly files: ReadonlyMap<number, Buffer>;
}

/** A picture whose files are stored. `showPicture` makes it visible. */
export interface ReceivedPicture {
  readonly id: string;
}

/** One picture is decoded at a time, since each takes up to 200 MB. */
const encodeGate = createGate({ atOnceMax: 1, waitingMax: 8, waitMaxMs: 4_000 });

/** The name of a file. Every picture has a file for each width and format; a narrower picture is not enlarged. */
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

async function storeFiles(deps: PictureDeps, made: MadePicture): Promise<ReceivedPicture> {
  const { width, height, original, files } = made;
  invariant(
    PICTURE_WIDTHS.every((each) => files.has(each)),
    'a picture has a file for each width',
  );
  const id = pictureIdOf(original);
  await reservePicture(deps.db, { id, width, height }, dateOf(deps.clock));
  await Promise.all(
    (await missingFiles(deps, made)).map(([name, bytes]) => deps.pictureStorage.put(name, bytes)),
  );
  return { id };
}

/** Makes a received picture visible, and enqueues the job that makes its AVIF files, to run at `othersFrom` (default: now). */
export async function showPicture(
  tx: Tx,
  { id }: ReceivedPicture,
  othersFrom?: Date,
): Promise<void> {
  if (!(await updateStored(tx, id))) return;
  await enqueueJob(
    tx,
    'catalog_make_avif',
    { pictureId: id },
    { queue: 'pictures', ...(othersFrom === undefined ? {} : { runAt: othersFrom }) },
  );
}

/** Stores a picture with its finished WebP files, and returns its id. Throws `try_again` if the storage does not respond. */
export async function keepPicture(
  deps: PictureDeps,
  made: MadePicture,
  othersFrom?: Date,
): Promise<string> {
  const received = await storeFiles(deps, made);
  await deps.db.transaction().execute((tx) => showPicture(tx, received, othersFrom));
  return received.id;
}

/**
 * Stores the files of an uploaded picture. Throws `invalid_request` if it is not a picture or too large, `overloaded` if too many
 * uploads are waiting, `try_again` if the storage does not respond.
 */
export async function receivePicture(deps: PictureDeps, bytes: Buffer): Promise<ReceivedPicture> {
  const size = await measurePicture(bytes);
  const id = pictureIdOf(bytes);
  const known = await selectPicture(deps.db, id);
  if (known !== undefined && (await deps.pictureStorage.has(originalFile(id)))) {
    await reservePicture(deps.db, known, dateOf(deps.clock));
    return { id };
  }
  const files = await encodeGate(['operator'], () => encodePicture(bytes, 'webp'));
  return storeFiles(deps, { ...size, original: bytes, files });
}
