import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { consoleUpload } from '../../../platform/console/console-upload.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { PictureStorage } from '../../../platform/storage/picture-storage.ts';
import { presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import { countUses, pictureList, selectPictures, selectUses } from './picture-list.sql.ts';
import {
  hidePicture,
  joinedColumns,
  lockPicture,
  selectPicture,
  updatePicture,
  type PictureRow,
} from './pictures.sql.ts';
import { receivePicture, showPicture } from './store-picture.ts';

type PictureConsoleDeps = ConsoleDeps & {
  readonly listCursors: ListCursors;
  readonly pictureStorage: PictureStorage;
};

const USES_SHOWN_MAX = 100;

function presentRow(row: PictureRow, useCount: number) {
  const shown = presentPictureOf(joinedColumns(row));
  invariant(shown !== null, 'a stored picture can be shown');
  return {
    ...shown,
    version: row.version,
    uploaded_at: row.uploaded_at.toISOString(),
    use_count: useCount,
    is_removable: row.named_at === null && useCount === 0,
  };
}

/** Throws `not_found`. */
async function readPicture(db: Db | Tx, pictureId: string) {
  const row = await selectPicture(db, pictureId);
  if (row === undefined) throw new AppError('not_found');
  return {
    ...presentRow(row, await countUses(db, pictureId)),
    uses: await selectUses(db, pictureId, USES_SHOWN_MAX),
  };
}

const describedOf = ({ alternative_text, crop_x, crop_y }: PictureRow) => ({
  alternative_text,
  crop_x,
  crop_y,
});

export function registerPictureConsole(app: FastifyInstance, deps: PictureConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.pictures, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('pictures', query);
    const filters = { use: query.use, text: query.q };
    const [rows, total] = await Promise.all([
      selectPictures(db, filters, { limit, after }),
      count ?? countRows(db, pictureList(db, filters)),
    ]);
    return listCursors.answer('pictures', query, {
      rows,
      count: total,
      positionOf: ({ position, id }) => [position, id],
      present: (row) => presentRow(row, row.use_count),
    });
  });

  consoleEndpoint(app, deps, consoleApi.picture, ({ params }) => readPicture(db, params.id));

  consoleUpload(app, deps, consoleApi.uploadPicture, {
    receive: (bytes) => receivePicture(deps, bytes),
    async handle({ tx, record }, received) {
      await showPicture(tx, received);
      await record({ subjectId: received.id });
      return readPicture(tx, received.id);
    },
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.changePicture,
    async ({ tx, params: { id }, body, version, record }) => {
      const row = await lockPicture(tx, id);
      if (row === undefined) throw new AppError('not_found');
      requireVersion(version, await readPicture(tx, id));
      await updatePicture(tx, id, body);
      await record({ subjectId: id, before: describedOf(row), after: body });
      return readPicture(tx, id);
    },
  );

  consoleEndpoint(app, deps, consoleApi.removePicture, async ({ tx, params: { id }, record }) => {
    if ((await lockPicture(tx, id)) === undefined) throw new AppError('not_found');
    const { is_removable: isRemovable } = await readPicture(tx, id);
    if (!isRemovable) throw new AppError('picture_in_use');
    await hidePicture(tx, id);
    await enqueueJob(tx, 'catalog_remove_pictures', {}, { queue: 'pictures' });
    await record({ subjectId: id });
    return { success: true as const };
  });
}
