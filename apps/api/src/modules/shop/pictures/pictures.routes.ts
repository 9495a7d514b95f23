import type { FastifyInstance } from 'fastify';
import {
  PICTURE_FORMATS,
  PICTURE_PREFIX,
  PICTURE_WIDTHS,
  type PictureFormat,
} from '@athos/contract/pictures';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { callerOf, type Caller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { selectPicture } from './pictures.sql.ts';

/** The address contains the hash of the content, so the content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const PICTURE_ID = /^[0-9a-f]{64}$/;
const FORMATS_BY_FILE: ReadonlyMap<string, PictureFormat> = new Map(
  PICTURE_WIDTHS.flatMap((width) =>
    PICTURE_FORMATS.map((format) => [`${width}.${format}`, format] as const),
  ),
);

interface PictureDeps {
  readonly db: Db;
  readonly pictureStorage: PictureStorage;
}

/** Anybody may request any id, so these lookups get a small share of the database's connections. */
const LOOKS = { atOnceMax: 2, waitingMax: 200, waitMaxMs: 3_500 };
/** The maximum number of remembered files, about 2 MB: far more files than a catalogue has, and only existing files are remembered. */
const KNOWN_COUNT_MAX = 20_000;

/** Whether a picture has a format. Pictures are never deleted, so a file that was found stays known. */
function createPictureCheck(db: Db) {
  const lookGate = createGate(LOOKS);
  const known = new Set<string>();
  return async (caller: Caller, id: string, format: PictureFormat): Promise<boolean> => {
    const name = `${id}.${format}`;
    if (known.has(name)) return true;
    const picture = await lookGate(caller, () => selectPicture(db, id));
    if (picture?.formats.includes(format) !== true) return false;
    if (known.size >= KNOWN_COUNT_MAX) known.clear();
    known.add(name);
    return true;
  };
}

/**
 * Serves stored pictures publicly. Only files of pictures in the database reach the storage, which may be a bucket that charges
 * for each request.
 */
export function registerPictureRoutes(
  app: FastifyInstance,
  { db, pictureStorage }: PictureDeps,
): void {
  const isStored = createPictureCheck(db);

  app.get<{ Params: { id: string; file: string } }>(
    `${PICTURE_PREFIX}/:id/:file`,
    { schema: { hide: true } },
    async (request, reply) => {
      const { id, file } = request.params;
      const format = FORMATS_BY_FILE.get(file);
      if (format === undefined || !PICTURE_ID.test(id)) throw new AppError('not_found');
      if (!(await isStored(callerOf(request), id, format))) throw new AppError('not_found');
      // Not streamed: a file has at most about 300 kB, and a storage that fails halfway causes a 503 instead of half a picture.
      const bytes = await pictureStorage.get(`${id}/${file}`);
      if (bytes === undefined) throw new AppError('not_found');
      return reply
        .type(`image/${format}`)
        .header('cache-control', FOR_EVER)
        .header('x-content-type-options', 'nosniff')
        .send(bytes);
    },
  );
}
