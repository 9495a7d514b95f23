import { createHash, randomFillSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { OFFER_IMPORT_ROWS_MAX } from '@athos/contract/console/offer-imports';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { consoleUpload } from '../../../platform/console/console-upload.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { CHECK_KEPT_MS } from './apply-import.ts';
import { checkRows } from './check-import.ts';
import { FIELD_COLUMNS, TOLD_COLUMNS } from './offer-columns.ts';
import {
  countImport,
  countListed,
  insertImport,
  lockOwnImport,
  selectOwnImport,
  selectRows,
  updateSkipped,
  updateState,
  type OfferImport,
} from './offer-imports.sql.ts';
import { readCsv } from './read-csv.ts';

export interface ImportConsoleDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

const EXPECTED = {
  columns: ['id', ...FIELD_COLUMNS],
  ignored: TOLD_COLUMNS,
  rowCountMax: OFFER_IMPORT_ROWS_MAX,
};

async function presentImport(db: Db | Tx, found: OfferImport) {
  const {
    skipped,
    to_apply: toApply,
    applied,
    failed,
    ...counts
  } = await countImport(db, found.id);
  return {
    id: found.id,
    state: found.state,
    created_at: found.createdAt.toISOString(),
    finished_at: found.finishedAt?.toISOString() ?? null,
    rows_total: found.rowsTotal,
    found: counts,
    skipped,
    to_apply: toApply,
    applied,
    failed,
  };
}

async function requireOwn(db: Db | Tx, staffId: string, id: string): Promise<OfferImport> {
  const found = await selectOwnImport(db, staffId, id);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

const invalid = (detail: string): AppError => new AppError('invalid_request', { detail });

/** Locks an import that has not been applied yet. */
async function lockChecked(tx: Tx, staffId: string, id: string): Promise<OfferImport> {
  const found = await lockOwnImport(tx, staffId, id);
  if (found === undefined) throw new AppError('not_found');
  if (found.state !== 'checked') throw invalid('This file was applied already.');
  return found;
}

function registerReads(app: FastifyInstance, deps: ImportConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.offerImport, async ({ params, staff }) =>
    presentImport(db, await requireOwn(db, staff.staffId, params.id)),
  );

  consoleEndpoint(app, deps, consoleApi.offerImportRows, async ({ params, query, staff }) => {
    const { id } = await requireOwn(db, staff.staffId, params.id);
    const list = `offer import ${id}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const afterRow = after?.[0] === undefined ? undefined : parseInt(after[0], 10);
    const [rows, total] = await Promise.all([
      selectRows(db, { id, show: query.show }, { limit, afterRow }),
      count ?? countListed(db, id, query.show),
    ]);
    return listCursors.answer(list, query, {
      rows,
      count: total,
      positionOf: (row) => [`${row.row_number}`],
      present: (row) => ({
        row: row.row_number,
        offer_id: row.offer_id,
        title: row.title,
        finding: row.finding,
        is_skipped: row.is_skipped,
        faults: row.faults,
        before: row.before,
        after: row.after,
        outcome: row.outcome,
        failure: row.failure,
      }),
    });
  });
}

export function registerImportConsole(app: FastifyInstance, deps: ImportConsoleDeps): void {
  const { clock } = deps;
  registerReads(app, deps);

  consoleUpload(app, deps, consoleApi.uploadOfferImport, {
    // The digest distinguishes a replay from another file.
    receive: async (bytes) => ({
      digest: createHash('sha256').update(bytes).digest('hex'),
      rows: await readCsv(bytes, EXPECTED),
    }),
    async handle({ tx, staff, record }, { digest, rows: read }) {
      const rows = await checkRows(tx, read);
      const at = dateOf(clock);
      const id = uuidv7(at.getTime(), (random) => randomFillSync(random));
      await insertImport(tx, { id, staffId: staff.staffId, at }, rows);
      const shown = await presentImport(tx, await requireOwn(tx, staff.staffId, id));
      await record({ subjectId: id, after: { digest, rows: shown.rows_total, ...shown.found } });
      return shown;
    },
  });

  consoleEndpoint(app, deps, consoleApi.skipOfferImportRows, async (act) => {
    const { tx, params, body, staff, record } = act;
    const found = await lockChecked(tx, staff.staffId, params.id);
    const isSkipped = body.is_skipped;
    const count = await updateSkipped(tx, found.id, { rows: body.rows, isSkipped });
    await record({ subjectId: found.id, after: { rows: count, is_skipped: isSkipped } });
    return presentImport(tx, found);
  });

  consoleEndpoint(app, deps, consoleApi.applyOfferImport, async (act) => {
    const { tx, params, body, staff, record } = act;
    const found = await lockChecked(tx, staff.staffId, params.id);
    if (found.createdAt.getTime() <= clock.nowMs() - CHECK_KEPT_MS) {
      throw invalid('The file was checked over a day ago. Upload it again.');
    }
    const { to_apply: toApply } = await countImport(tx, found.id);
    if (toApply !== body.to_apply) throw invalid(`There are ${toApply} rows to apply now.`);
    if (toApply === 0) throw invalid('There is nothing to apply.');
    await updateState(tx, found.id, { state: 'waiting' });
    await enqueueJob(tx, 'offer_import_run', { id: found.id }, { queue: 'offer_import' });
    await record({ subjectId: found.id, after: { rows: toApply } });
    return presentImport(tx, { ...found, state: 'waiting' });
  });
}
