import type { FastifyInstance } from 'fastify';
import { PICTURE_FORMATS, PICTURE_PREFIX, PICTURE_WIDTHS } from '@athos/contract/pictures';
import { AppError } from '../../../platform/errors.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';

/** The address contains the hash of the content, so the content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const PICTURE_ID = /^[0-9a-f]{64}$/;
const FILE_TYPES: ReadonlyMap<string, string> = new Map(
  PICTURE_WIDTHS.flatMap((width) =>
    PICTURE_FORMATS.map((format) => [`${width}.${format}`, `image/${format}`] as const),
  ),
);

/** Serves stored pictures publicly. Only addresses of the exact form reach the storage. */
export function registerPictureRoutes(
  app: FastifyInstance,
  { pictureStorage }: { readonly pictureStorage: PictureStorage },
): void {
  app.get<{ Params: { id: string; file: string } }>(
    `${PICTURE_PREFIX}/:id/:file`,
    { schema: { hide: true } },
    async (request, reply) => {
      const { id, file } = request.params;
      const type = FILE_TYPES.get(file);
      if (type === undefined || !PICTURE_ID.test(id)) throw new AppError('not_found');
      // Not streamed: a file has at most about 300 kB, and a storage that fails halfway causes a 503, not half a picture.
      const bytes = await pictureStorage.get(`${id}/${file}`);
      if (bytes === undefined) throw new AppError('not_found');
      return reply
        .type(type)
        .header('cache-control', FOR_EVER)
        .header('x-content-type-options', 'nosniff')
        .send(bytes);
    },
  );
}
