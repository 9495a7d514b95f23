import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { BATCH_DOWNLOADS_MAX, type SheetForm } from '@athos/contract/console/batches';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { readSealed } from '../../../platform/files/sealed-file.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import { selectCampaign } from '../campaign-list.sql.ts';
import { lockCampaign } from '../campaigns.sql.ts';
import {
  countBatches,
  lockBatch,
  selectBatch,
  selectBatches,
  takeLink,
  updateLink,
  updateVoid,
  type BatchRow,
} from './batches.sql.ts';
import { codesAsCsv } from './code-csv.ts';
import { pageCountOf } from './code-sheet.ts';
import { makeBatchAction } from './make-batch.ts';
import { fileKeyOf, openCodes, type BatchFileDeps } from './run-batch.ts';
import { insertSheet, selectSheets, type SheetRow } from './sheets.sql.ts';

export interface BatchConsoleDeps extends ConsoleDeps, PerformDeps, BatchFileDeps {
  readonly listCursors: ListCursors;
  readonly config: ConsoleDeps['config'] & { readonly publicUrl: string };
}

const LINK_MS = 60_000;
const LINK_BYTES = 32;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

const presentBatch = (row: BatchRow, sheets: readonly SheetRow[]) => ({
  id: row.id,
  campaign_id: row.campaign_id,
  label: row.label,
  code_count: row.code_count,
  uses_per_code: row.claim_count_max,
  expires_at: row.expires_at?.toISOString() ?? null,
  state: row.state,
  codes_done: row.codes_done,
  claim_count: row.claim_count,
  created_at: row.created_at.toISOString(),
  made_at: row.made_at?.toISOString() ?? null,
  voided_at: row.voided_at?.toISOString() ?? null,
  file_expires_at: row.file_key === null ? null : (row.file_expires_at?.toISOString() ?? null),
  downloads_left: row.file_key === null ? 0 : BATCH_DOWNLOADS_MAX - row.download_count,
  sheets: sheets
    .filter((sheet) => sheet.batch_id === row.id && row.file_key !== null)
    .map((sheet) => ({
      form: sheet.form,
      state: sheet.state,
      pages_done: sheet.state === 'ready' ? sheet.page_count : sheet.pages_done,
      page_count: sheet.page_count,
    })),
});

async function readBatch(tx: Tx, id: string) {
  const row = await selectBatch(tx, id);
  if (row === undefined) throw new AppError('not_found');
  return presentBatch(row, await selectSheets(tx, [id]));
}

/** Throws `file_gone` unless the codes can still be downloaded. */
function requireFile(batch: BatchRow, now: Date): void {
  const { file_key: key, file_expires_at: expiresAt, download_count: count } = batch;
  const isThere = key !== null && expiresAt !== null && expiresAt > now;
  if (isThere && count < BATCH_DOWNLOADS_MAX) return;
  throw new AppError('file_gone', {
    detail: 'Void the batch and make another one if its codes were lost.',
  });
}

/** The file of the drawn sheet. Throws `not_found`. */
async function requireSheet(db: Db | Tx, id: string, form: SheetForm): Promise<string> {
  const sheets = await selectSheets(db, [id]);
  const sheet = sheets.find((drawn) => drawn.form === form && drawn.state === 'ready');
  if (sheet === undefined || sheet.file_name === null) throw new AppError('not_found');
  return sheet.file_name;
}

async function openSheet(deps: BatchConsoleDeps, batch: BatchRow, form: SheetForm) {
  const file = await deps.batchFiles.read(await requireSheet(deps.db, batch.id, form));
  invariant(file !== undefined, 'a sheet is there as long as its batch can be downloaded');
  return readSealed(fileKeyOf(deps, batch), file);
}

function registerFile(app: FastifyInstance, deps: BatchConsoleDeps): void {
  const { db, clock, config } = deps;

  consoleEndpoint(app, deps, consoleApi.makeSheet, async ({ tx, params: { id }, body, record }) => {
    const batch = await lockBatch(tx, id);
    if (batch === undefined) throw new AppError('not_found');
    requireFile(batch, dateOf(clock));
    const { form } = body;
    const sheet = { batchId: id, form, pageCount: pageCountOf(form, batch.code_count) };
    const isNew = await insertSheet(tx, sheet);
    if (isNew) await enqueueJob(tx, 'batch_sheet', { batchId: id, form }, { attemptCountMax: 3 });
    await record({ subjectId: id, after: { form } });
    return readBatch(tx, id);
  });

  consoleEndpoint(app, deps, consoleApi.batchLink, async ({ tx, params: { id }, body, record }) => {
    const now = dateOf(clock);
    const batch = await lockBatch(tx, id);
    if (batch === undefined) throw new AppError('not_found');
    requireFile(batch, now);
    if (body.form !== 'csv') await requireSheet(tx, id, body.form);
    const code = randomBytes(LINK_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + LINK_MS);
    await updateLink(tx, id, { hash: hashOf(code), expiresAt, form: body.form });
    await record({ subjectId: id, after: { form: body.form } });
    return {
      path: `${API_PREFIX}/admin/batches/${id}/file?code=${code}`,
      expires_at: expiresAt.toISOString(),
    };
  });

  consoleEndpoint(app, deps, consoleApi.batchFile, async ({ params: { id }, query, reply }) => {
    const now = dateOf(clock);
    const batch = await takeLink(db, { id, hash: hashOf(query.code), now });
    if (batch === undefined) throw new AppError('not_found');
    const form = batch.link_form ?? 'csv';
    // The file is opened before the job that deletes it may run.
    const content =
      form === 'csv'
        ? codesAsCsv(await openCodes(deps, batch), { batch, publicUrl: config.publicUrl })
        : await openSheet(deps, batch, form);
    const isLast = batch.download_count === BATCH_DOWNLOADS_MAX;
    if (isLast) await enqueueJob(db, 'batches_delete_ended', {});
    const name = form === 'csv' ? `codes-${id}.csv` : `codes-${id}-${form}.pdf`;
    reply
      .type(form === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf')
      .header('content-disposition', `attachment; filename="${name}"`);
    // A stream is sent unchanged, once the audit entry is written.
    return Readable.from(content) as unknown as string;
  });
}

export function registerBatchConsole(app: FastifyInstance, deps: BatchConsoleDeps): void {
  const { db, clock, listCursors } = deps;
  registerFile(app, deps);

  consoleEndpoint(app, deps, consoleApi.batches, async ({ query, params }) => {
    if ((await selectCampaign(db, params.id, dateOf(clock))) === undefined) {
      throw new AppError('not_found');
    }
    const list = `batches ${params.id}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const rows = await selectBatches(db, params.id, { limit, after });
    const sheets = await selectSheets(
      db,
      rows.map(({ id }) => id),
    );
    return listCursors.answer(list, query, {
      rows,
      count: count ?? (await countBatches(db, params.id)),
      positionOf: ({ created_at: at, id }) => [at.toISOString(), id],
      present: (row) => presentBatch(row, sheets),
    });
  });

  consoleEndpoint(app, deps, consoleApi.makeBatch, async (act) => {
    const { label, code_count: codeCount, uses_per_code: usesPerCode, reason } = act.body;
    const campaignId = act.params.id;
    const payload = { campaignId, label, codeCount, usesPerCode, expiresAt: act.body.expires_at };
    const performed = await perform(deps, act, makeBatchAction, { payload, reason });
    return performed.outcome === 'requested' ? performed : { ...performed, batch_id: act.key };
  });

  consoleEndpoint(app, deps, consoleApi.voidBatch, async ({ tx, params: { id }, body, record }) => {
    const known = await selectBatch(tx, id);
    if (known === undefined) throw new AppError('not_found');
    // Claims hold this lock while they are decided, so that none continues with data it read before.
    await lockCampaign(tx, known.campaign_id);
    const batch = await lockBatch(tx, id);
    if (batch?.state === 'void') throw new AppError('state_changed');
    await updateVoid(tx, id, dateOf(clock));
    await enqueueJob(tx, 'batches_delete_ended', {});
    await record({
      subjectId: id,
      before: { state: batch?.state },
      after: { state: 'void', campaign: known.campaign_id, reason: body.reason },
    });
    return readBatch(tx, id);
  });
}
