/** The job that draws a batch as sheets, from its sealed file into another one with the same key. */
import { randomUUID } from 'node:crypto';
import { SHEET_FORMS } from '@athos/contract/console/batches';
import { z } from 'zod';
import { writeSealed } from '../../../platform/files/sealed-file.ts';
import { selectBatch } from './batches.sql.ts';
import { writeSheet } from './code-sheet.ts';
import { fileKeyOf, openCodes, type RunBatchDeps } from './run-batch.ts';
import { updateDrawing, updateDrawn, updateNotDrawn, updatePagesDone } from './sheets.sql.ts';

export interface RunSheetDeps extends RunBatchDeps {
  readonly sheetFont: string;
  readonly config: RunBatchDeps['config'] & { readonly publicUrl: string };
}

export const sheetJob = z.object({ batchId: z.string(), form: z.enum(SHEET_FORMS) });

/** A page takes some milliseconds, and nobody can read progress that fast. */
const PAGES_BETWEEN_UPDATES = 20;

export async function runSheet(
  deps: RunSheetDeps,
  sheet: z.output<typeof sheetJob>,
): Promise<void> {
  const { db, log, batchFiles, sheetFont, config } = deps;
  if (!(await updateDrawing(db, sheet))) return;
  const batch = await selectBatch(db, sheet.batchId);
  if (batch === undefined || batch.file_key === null) return;
  const name = `${batch.id}.${sheet.form}.${randomUUID()}`;
  const { form } = sheet;
  const of = { form, label: batch.label, publicUrl: config.publicUrl, fontFile: sheetFont };
  try {
    const codes = await openCodes(deps, batch);
    await batchFiles.write(name, (write) =>
      writeSealed(fileKeyOf(deps, batch), write, (sealed) =>
        writeSheet(codes, of, sealed, async (pageCount) => {
          if (pageCount % PAGES_BETWEEN_UPDATES === 0) await updatePagesDone(db, sheet, pageCount);
        }),
      ),
    );
    await updateDrawn(db, sheet, name);
  } catch (error) {
    await batchFiles.remove(name);
    log.error({ alarm: 'batch_failed', batchId: batch.id, form, err: error }, 'a sheet failed');
    await updateNotDrawn(db, sheet);
  }
}
