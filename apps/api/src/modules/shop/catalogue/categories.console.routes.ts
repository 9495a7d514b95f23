import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { CATEGORY_COUNT_MAX } from '@athos/contract/console/categories';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import { requirePicture } from './references.ts';
import {
  insertCategory,
  isCategoryShown,
  lockCatalogue,
  selectStaffCategories,
  selectStaffCategory,
  selectTree,
  updateCategory,
  updatePlaces,
  type StaffCategoryRow,
} from './categories.sql.ts';
import { placeFault, reordered } from './category-tree.ts';

const presentCategory = (row: StaffCategoryRow) => ({
  id: row.id,
  parent_id: row.parent_id,
  position: row.position,
  title: row.title,
  description: row.description,
  banner_url: row.banner_url,
  picture_id: row.picture_id,
  picture: presentPictureOf(row),
  display_type: row.display_type,
  archived_at: row.archived_at?.toISOString() ?? null,
  version: row.version,
  offer_count: row.offer_count,
});

async function readCategory(db: Db | Tx, id: number): Promise<StaffCategoryRow> {
  const row = await selectStaffCategory(db, id);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

async function requirePlace(
  tx: Tx,
  place: { readonly id: number | undefined; readonly parentId: number | null },
): Promise<void> {
  const fault = placeFault(await selectTree(tx), place);
  if (fault !== undefined) throw new AppError('category_place', { detail: fault });
}

/** The fields for the audit: those that the category shows. */
const factsOf = ({
  title,
  description,
  banner_url,
  picture_id,
  display_type,
}: StaffCategoryRow) => ({
  title,
  description,
  banner_url,
  picture_id,
  display_type,
});

/** Registers the calls that add and change categories. */
function registerEdits(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.createCategory, async ({ tx, body, record }) => {
    await lockCatalogue(tx);
    await requirePlace(tx, { id: undefined, parentId: body.parent_id });
    await requirePicture(tx, body.picture_id);
    if ((await selectTree(tx)).length >= CATEGORY_COUNT_MAX) throw new AppError('catalogue_full');
    const id = await insertCategory(tx, body);
    await record({ subjectId: `${id}`, after: body });
    return presentCategory(await readCategory(tx, id));
  });

  consoleEndpoint(app, deps, consoleApi.changeCategory, async (act) => {
    const { tx, params, body, version, record } = act;
    await lockCatalogue(tx);
    const before = await readCategory(tx, params.id);
    requireVersion(version, presentCategory(before));
    await requirePicture(tx, body.picture_id);
    await updateCategory(tx, params.id, body);
    await record({ subjectId: `${params.id}`, before: factsOf(before), after: body });
    return presentCategory(await readCategory(tx, params.id));
  });
}

/** Registers the calls that move categories, and that show or hide them. */
function registerPlaces(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.moveCategory, async ({ tx, params, body, record }) => {
    const { id } = params;
    const { parent_id: parentId, before_id: beforeId } = body;
    await lockCatalogue(tx);
    const before = await readCategory(tx, id);
    await requirePlace(tx, { id, parentId });
    const ids = reordered(await selectTree(tx), { id, parentId, beforeId });
    await updatePlaces(tx, parentId, ids);
    await record({
      subjectId: `${id}`,
      before: { parent_id: before.parent_id, position: before.position },
      after: { parent_id: parentId, position: ids.indexOf(id) + 1 },
    });
    return presentCategory(await readCategory(tx, id));
  });

  consoleEndpoint(app, deps, consoleApi.archiveCategory, async ({ tx, params, record }) => {
    await lockCatalogue(tx);
    await readCategory(tx, params.id);
    if (await isCategoryShown(tx, params.id)) {
      throw new AppError('category_in_use', {
        detail: 'Withdraw or move its offers, and archive the categories below it first.',
      });
    }
    await updateCategory(tx, params.id, { archived_at: dateOf(deps.clock) });
    await record({ subjectId: `${params.id}`, after: { is_archived: true } });
    return presentCategory(await readCategory(tx, params.id));
  });

  consoleEndpoint(app, deps, consoleApi.restoreCategory, async ({ tx, params, record }) => {
    await lockCatalogue(tx);
    const { parent_id: parentId } = await readCategory(tx, params.id);
    const parent = parentId === null ? undefined : await readCategory(tx, parentId);
    if (parent !== undefined && parent.archived_at !== null) {
      throw new AppError('category_place', { detail: 'Restore the category above it first.' });
    }
    await updateCategory(tx, params.id, { archived_at: null });
    await record({ subjectId: `${params.id}`, after: { is_archived: false } });
    return presentCategory(await readCategory(tx, params.id));
  });
}

export function registerCategoryConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.consoleCategories, async () => ({
    items: (await selectStaffCategories(deps.db)).map(presentCategory),
  }));

  consoleEndpoint(app, deps, consoleApi.consoleCategory, async ({ params }) =>
    presentCategory(await readCategory(deps.db, params.id)),
  );

  registerEdits(app, deps);
  registerPlaces(app, deps);
}
