/** Bulk acts of staff: a preview that fixes the rows, the start, and the outcomes of the rows. */
import { randomFillSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { BULK_ROWS_MAX } from '@athos/contract/console/bulk';
import { consoleApi } from '@athos/contract/console/calls';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { requirePermission } from '../../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { selectUsers } from '../../identity/index.ts';
import { permissionOf } from './bulk-acts.ts';
import {
  advanceRun,
  countFailures,
  countOutcomes,
  countOwnRuns,
  endRun,
  insertRun,
  lockOwnRun,
  selectFailures,
  selectOwnRun,
  selectOwnRuns,
  type BulkRun,
} from './bulk.sql.ts';
import { PREVIEW_KEPT_MS } from './run-bulk.ts';

interface BulkRouteDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

type Rows = z.output<(typeof consoleApi)['previewBulk']['body']>['rows'];

/** Lists each customer once. Throws if there are none, or more than one run accepts. */
async function choose(tx: Tx, rows: Rows): Promise<string[]> {
  if ('ids' in rows) return [...new Set(rows.ids)];
  const users = await selectUsers(tx, rows.filters, { sort: 'newest', limit: BULK_ROWS_MAX });
  if (users.length > BULK_ROWS_MAX) {
    throw new AppError('invalid_request', {
      detail: 'More than 10,000 customers match. Narrow the filters.',
    });
  }
  if (users.length === 0) throw new AppError('invalid_request', { detail: 'No customer matches.' });
  return users.map(({ uuid }) => uuid);
}

/** The number of its rows by outcome so far. */
function outcomesOf(db: Db | Tx, { id, state, rowsDone, rowsFailed }: BulkRun) {
  if (rowsDone !== null && rowsFailed !== null) return { done: rowsDone, failed: rowsFailed };
  return state === 'running' ? countOutcomes(db, id) : { done: 0, failed: 0 };
}

async function presentRun(db: Db | Tx, run: BulkRun) {
  const { done, failed } = await outcomesOf(db, run);
  return {
    id: run.id,
    act: run.act.name,
    reason: run.reason,
    state: run.state,
    rows_total: run.rowsTotal,
    rows_done: done,
    rows_failed: failed,
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

async function requireOwnRun(db: Db | Tx, staffId: string, id: string): Promise<BulkRun> {
  const run = await selectOwnRun(db, staffId, id);
  if (run === undefined) throw new AppError('not_found');
  return run;
}

export function registerBulkRoutes(app: FastifyInstance, deps: BulkRouteDeps): void {
  registerBulkWrites(app, deps);
  registerBulkReads(app, deps);
}

function registerBulkWrites(app: FastifyInstance, deps: BulkRouteDeps): void {
  const { clock } = deps;

  consoleEndpoint(app, deps, consoleApi.previewBulk, async ({ tx, body, staff, record }) => {
    const { act, reason } = body;
    requirePermission(permissionOf(act.name), staff);
    const customerUuids = await choose(tx, body.rows);
    const at = dateOf(clock);
    const id = uuidv7(at.getTime(), (bytes) => randomFillSync(bytes));
    await insertRun(tx, { id, staffId: staff.staffId, act, reason, at }, customerUuids);
    const filters = 'filters' in body.rows ? body.rows.filters : undefined;
    // The entry does not contain the text of a note: the audit is kept forever, and notes are erased with the person.
    await record({
      subjectId: id,
      after: { act: act.name, rows_total: customerUuids.length, filters, reason },
    });
    return presentRun(tx, await requireOwnRun(tx, staff.staffId, id));
  });

  consoleEndpoint(app, deps, consoleApi.startBulk, async ({ tx, params, body, staff, record }) => {
    const { staffId } = staff;
    const run = await lockOwnRun(tx, staffId, params.id);
    if (run === undefined) throw new AppError('not_found');
    requirePermission(permissionOf(run.act.name), staff);
    const isOver = run.createdAt.getTime() <= clock.nowMs() - PREVIEW_KEPT_MS;
    if (run.state !== 'previewed' || isOver) {
      throw new AppError('invalid_request', {
        detail: isOver ? 'The preview is over an hour old. Preview it again.' : 'It was started.',
      });
    }
    if (run.rowsTotal !== body.rows_total) {
      throw new AppError('invalid_request', { detail: `The preview has ${run.rowsTotal} rows.` });
    }
    await advanceRun(tx, run.id, { from: ['previewed'], to: 'waiting' });
    // Only one run at a time, so that a run of 10,000 rows leaves the other slot of its lane to other work.
    await enqueueJob(tx, 'bulk_run', { id: run.id }, { queue: 'bulk' });
    await record({
      subjectId: run.id,
      after: { act: run.act.name, rows_total: run.rowsTotal, reason: run.reason },
    });
    return presentRun(tx, { ...run, state: 'waiting' });
  });

  consoleEndpoint(app, deps, consoleApi.stopBulk, async ({ tx, params, staff, record }) => {
    const { staffId } = staff;
    const run = await requireOwnRun(tx, staffId, params.id);
    requirePermission(permissionOf(run.act.name), staff);
    if (!(await endRun(tx, run.id, { state: 'stopped', at: dateOf(clock) }))) {
      throw new AppError('invalid_request', { detail: 'It is not running.' });
    }
    const stopped = await presentRun(tx, await requireOwnRun(tx, staffId, run.id));
    const { act, rows_total, rows_done, rows_failed } = stopped;
    await record({ subjectId: run.id, after: { act, rows_total, rows_done, rows_failed } });
    return stopped;
  });
}

function registerBulkReads(app: FastifyInstance, deps: BulkRouteDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.bulkRuns, async ({ query, staff }) => {
    const { staffId } = staff;
    const list = `bulk runs ${staffId}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const found = await selectOwnRuns(db, staffId, { limit, beforeId: after?.[0] });
    const runs = await Promise.all(found.map((run) => presentRun(db, run)));
    return listCursors.answer(list, query, {
      rows: runs,
      count: count ?? (await countOwnRuns(db, staffId)),
      positionOf: ({ id }) => [id],
      present: (run) => run,
    });
  });

  consoleEndpoint(app, deps, consoleApi.bulkRun, async ({ params, staff }) =>
    presentRun(db, await requireOwnRun(db, staff.staffId, params.id)),
  );

  consoleEndpoint(app, deps, consoleApi.bulkFailures, async ({ params, query, staff }) => {
    const { id } = await requireOwnRun(db, staff.staffId, params.id);
    const list = `bulk failures ${id}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const afterLine = after?.[0] === undefined ? undefined : parseInt(after[0], 10);
    const [rows, total] = await Promise.all([
      selectFailures(db, id, { limit, afterLine }),
      count ?? countFailures(db, id),
    ]);
    return listCursors.answer(list, query, {
      rows,
      count: total,
      positionOf: ({ line }) => [String(line)],
      present: (row) => ({
        line: row.line,
        customer_uuid: row.customer_uuid,
        code: row.failure_code ?? '',
        reason: row.failure ?? '',
      }),
    });
  });
}
