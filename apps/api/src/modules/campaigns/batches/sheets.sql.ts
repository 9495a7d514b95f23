import type { Selectable } from 'kysely';
import type { SheetForm } from '@athos/contract/console/batches';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type SheetRow = Selectable<Tables['reward_sheets']>;

/** Begins a sheet, or begins a failed one again. Returns whether the worker must draw it. */
export async function insertSheet(
  tx: Tx,
  sheet: { readonly batchId: string; readonly form: SheetForm; readonly pageCount: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('reward_sheets')
    .values({ batch_id: sheet.batchId, form: sheet.form, page_count: sheet.pageCount })
    .onConflict((conflict) =>
      conflict
        .columns(['batch_id', 'form'])
        .doUpdateSet({ state: 'waiting', pages_done: 0 })
        .where('reward_sheets.state', '=', 'failed'),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function selectSheets(
  db: Db | Tx,
  batchIds: readonly string[],
): Promise<readonly SheetRow[]> {
  if (batchIds.length === 0) return [];
  return db
    .selectFrom('reward_sheets')
    .selectAll()
    .where('batch_id', 'in', batchIds)
    .orderBy('form')
    .execute();
}

const sheetOf = (
  db: Db,
  { batchId, form }: { readonly batchId: string; readonly form: SheetForm },
) => db.updateTable('reward_sheets').where('batch_id', '=', batchId).where('form', '=', form);

interface SheetKey {
  readonly batchId: string;
  readonly form: SheetForm;
}

/** Marks the sheet as being drawn, again if the worker died. */
export async function updateDrawing(db: Db, key: SheetKey): Promise<boolean> {
  const { numUpdatedRows } = await sheetOf(db, key)
    .set({ state: 'making', pages_done: 0 })
    .where('state', 'in', ['waiting', 'making'])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function updatePagesDone(db: Db, key: SheetKey, pagesDone: number): Promise<void> {
  await sheetOf(db, key).set({ pages_done: pagesDone }).execute();
}

export async function updateDrawn(db: Db, key: SheetKey, fileName: string): Promise<void> {
  await sheetOf(db, key).set({ state: 'ready', file_name: fileName }).execute();
}

export async function updateNotDrawn(db: Db, key: SheetKey): Promise<void> {
  await sheetOf(db, key).set({ state: 'failed' }).execute();
}

/** Deletes the sheets of batches whose key was deleted, since nobody can read them. */
export async function deleteEndedSheets(db: Db): Promise<void> {
  await db
    .deleteFrom('reward_sheets')
    .where('batch_id', 'in', (query) =>
      query.selectFrom('reward_batches').select('id').where('file_key', 'is', null),
    )
    .execute();
}
