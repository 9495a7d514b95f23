/**
 * Applies a checked file of offers row by row. The outcome of a row is written in the row's transaction, so a run that was cut off
 * continues after the last committed row, and two workers with the same job apply no row twice.
 */
import { ERRORS } from '@athos/contract/errors';
import { mayAct } from '@athos/contract/console/permissions';
import { appendAudit } from '../../../platform/audit/audit.sql.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { StaffSessions } from '../../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockCatalogue } from '../catalogue/categories.sql.ts';
import { requireReferences, saveOffer } from '../catalogue/edit-offer.ts';
import { insertOffer } from '../catalogue/staff-offers.sql.ts';
import {
  deleteOldImports,
  selectImport,
  selectOpenRows,
  updateAdded,
  updateOutcome,
  updateState,
} from './offer-imports.sql.ts';

export interface ImportJobDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly staffSessions: Pick<StaffSessions, 'activeStaff'>;
}

/** After this many rows, the person's permission to edit is checked again. */
const ROWS_PER_LOOK = 50;
const DAY_MS = 24 * 60 * 60_000;
export const CHECK_KEPT_MS = DAY_MS;
const RUN_KEPT_MS = 30 * DAY_MS;

type Actor = Awaited<ReturnType<StaffSessions['activeStaff']>>[number];
type Row = Awaited<ReturnType<typeof selectOpenRows>>[number];

interface RowRun {
  readonly id: string;
  readonly row: Row;
  /** The person who requested the import; `undefined` if they may no longer edit. */
  readonly actor: Actor | undefined;
}

async function findActor(
  { staffSessions }: ImportJobDeps,
  staffId: string,
): Promise<Actor | undefined> {
  const person = (await staffSessions.activeStaff()).find((other) => other.staffId === staffId);
  return mayAct(person?.grants['catalogue.edit']) ? person : undefined;
}

/** Saves the offer like its form does. Returns its id and the changed fields. */
async function write(deps: ImportJobDeps, tx: Tx, { row, actor }: RowRun) {
  const { fields, offerId, version } = row;
  if (actor === undefined || fields === null) throw new AppError('permission_missing');
  // Locked before the offer, as everywhere: the category must not be archived in the meantime.
  await lockCatalogue(tx);
  if (offerId === null || version === null) {
    await requireReferences(tx, fields);
    return { offerId: await insertOffer(tx, fields), before: undefined, after: fields };
  }
  const edited = { id: offerId, version, fields, staffId: actor.staffId };
  return { offerId, ...(await saveOffer(deps, tx, edited)) };
}

/** Throws the refusal of a row that cannot be applied, which rolls back everything done for it. */
const applyRow = (deps: ImportJobDeps, run: RowRun): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    const { id, row, actor } = run;
    if (!(await updateOutcome(tx, { id, row: row.row }))) return;
    const { offerId, before, after } = await write(deps, tx, run);
    if (row.offerId === null) await updateAdded(tx, { id, row: row.row, offerId });
    await appendAudit(tx, {
      at: dateOf(deps.clock),
      staff: actor,
      requestId: `import ${id}`,
      action: row.offerId === null ? 'offer.create' : 'offer.save',
      subject: { type: 'offer', id: `${offerId}` },
      outcome: 'done',
      before,
      after: { ...after, import: id },
    });
  });

/** A refusal becomes the outcome of its row. Any other error, such as a database outage, ends the job, which is retried. */
async function tryRow(deps: ImportJobDeps, run: RowRun): Promise<void> {
  try {
    await applyRow(deps, run);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const failure = error.options.detail ?? ERRORS[error.code].title;
    await deps.db
      .transaction()
      .execute((tx) => updateOutcome(tx, { id: run.id, row: run.row.row, failure }));
  }
}

export async function runImport(deps: ImportJobDeps, id: string): Promise<void> {
  const { db, clock } = deps;
  const found = await selectImport(db, id);
  if (found === undefined || found.state === 'checked' || found.state === 'done') return;
  await updateState(db, id, { state: 'running' });
  for (;;) {
    const rows = await selectOpenRows(db, id, ROWS_PER_LOOK);
    if (rows.length === 0) break;
    const actor = await findActor(deps, found.staffId);
    for (const row of rows) await tryRow(deps, { id, row, actor });
    await notifyConsole(db, 'bulk');
  }
  await updateState(db, id, { state: 'done', finishedAt: dateOf(clock) });
}

export const pruneImports = ({ db, clock }: Pick<ImportJobDeps, 'db' | 'clock'>): Promise<void> =>
  deleteOldImports(db, {
    checked: new Date(clock.nowMs() - CHECK_KEPT_MS),
    applied: new Date(clock.nowMs() - RUN_KEPT_MS),
  });
