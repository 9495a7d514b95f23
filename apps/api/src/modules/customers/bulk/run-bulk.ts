/**
 * Runs a bulk act row by row. The outcome of a row is written in the transaction of its act, so a run that was cut off continues after
 * the last committed row, and two workers with the same job process no row twice.
 */
import { ERRORS } from '@athos/contract/errors';
import { mayAct } from '@athos/contract/console/permissions';
import { appendAudit } from '../../../platform/audit/audit.sql.ts';
import type { ActFacts } from '../../../platform/console/act.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { StaffSessions } from '../../../platform/console/signed-in-staff.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { actOn, auditOf, permissionOf, type BulkDeps } from './bulk-acts.ts';
import {
  advanceRun,
  deleteOldRuns,
  endRun,
  holdRunning,
  selectOpenRows,
  selectRun,
  updateOutcome,
  type BulkRun,
} from './bulk.sql.ts';

export type BulkJobDeps = BulkDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly staffSessions: Pick<StaffSessions, 'activeStaff'>;
};

/**
 * The number of rows read at once. The person's permission is checked before each row, so that a suspension takes effect from the next
 * row on.
 */
const ROWS_PER_READ = 50;
/** The interval at which open screens are told about the progress. */
const PROGRESS_EVERY_MS = 1_000;
const HOUR_MS = 60 * 60_000;
export const PREVIEW_KEPT_MS = HOUR_MS;
const RUN_KEPT_MS = 90 * 24 * HOUR_MS;

type Actor = Awaited<ReturnType<StaffSessions['activeStaff']>>[number];
type Row = Awaited<ReturnType<typeof selectOpenRows>>[number];

interface RowRun {
  readonly run: BulkRun;
  readonly row: Row;
  /** The person who requested it; `undefined` if they may no longer do it. */
  readonly actor: Actor | undefined;
}

async function findActor(
  { staffSessions }: BulkJobDeps,
  { staffId, act }: BulkRun,
): Promise<Actor | undefined> {
  const people = await staffSessions.activeStaff();
  const person = people.find((other) => other.staffId === staffId);
  return person !== undefined && mayAct(person.grants[permissionOf(act.name)]) ? person : undefined;
}

const writeEntry = (
  { clock }: BulkJobDeps,
  tx: Tx,
  { run, actor }: RowRun,
  { subjectId, after, outcome = 'done', ...facts }: ActFacts,
) => {
  const { action, subject } = auditOf(run.act.name);
  return appendAudit(tx, {
    at: dateOf(clock),
    staff: actor,
    requestId: `bulk ${run.id}`,
    action,
    subject: { type: subject, id: subjectId },
    outcome,
    ...facts,
    after: { ...(after as object), bulk: run.id },
  });
};

/** Returns `false` if the run was stopped. Throws the refusal of a row that cannot be done, which rolls back everything done for it. */
const doRow = (deps: BulkJobDeps, rowRun: RowRun): Promise<boolean> =>
  deps.db.transaction().execute(async (tx) => {
    const { run, row, actor } = rowRun;
    if (!(await holdRunning(tx, run.id))) return false;
    if (!(await updateOutcome(tx, { id: run.id, line: row.line }))) return true;
    if (actor === undefined) throw new AppError('permission_missing');
    const record = async (facts: ActFacts): Promise<void> => {
      await writeEntry(deps, tx, rowRun, facts);
    };
    const act = { tx, staff: actor, key: run.id, record };
    await actOn(deps, act, { uuid: row.customerUuid, what: run.act, reason: run.reason });
    return true;
  });

const noteFailure = (deps: BulkJobDeps, rowRun: RowRun, error: AppError): Promise<boolean> =>
  deps.db.transaction().execute(async (tx) => {
    const { run, row } = rowRun;
    if (!(await holdRunning(tx, run.id))) return false;
    const reason = error.options.detail ?? ERRORS[error.code].title;
    const failure = { code: error.code, reason };
    if (!(await updateOutcome(tx, { id: run.id, line: row.line, failure }))) return true;
    await writeEntry(deps, tx, rowRun, {
      subjectId: row.customerUuid,
      outcome: 'failed',
      after: { code: error.code },
    });
    return true;
  });

/**
 * A refusal becomes the outcome of its row. Any other error, such as a database outage, ends the job, which is retried. Returns `false`
 * if the run was stopped.
 */
async function tryRow(deps: BulkJobDeps, rowRun: RowRun): Promise<boolean> {
  try {
    return await doRow(deps, rowRun);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return noteFailure(deps, rowRun, error);
  }
}

export async function runBulk(deps: BulkJobDeps, id: string): Promise<void> {
  const { db, clock } = deps;
  const run = await selectRun(db, id);
  if (run === undefined) return;
  if (!(await advanceRun(db, id, { from: ['waiting', 'running'], to: 'running' }))) return;
  let toldMs = clock.nowMs();
  for (;;) {
    const rows = await selectOpenRows(db, id, ROWS_PER_READ);
    if (rows.length === 0) break;
    for (const row of rows) {
      if (!(await tryRow(deps, { run, row, actor: await findActor(deps, run) }))) return;
    }
    if (clock.nowMs() - toldMs < PROGRESS_EVERY_MS) continue;
    toldMs = clock.nowMs();
    await notifyConsole(db, 'bulk');
  }
  await db.transaction().execute((tx) => endRun(tx, id, { state: 'done', at: dateOf(clock) }));
}

export const pruneBulk = ({ db, clock }: Pick<BulkJobDeps, 'db' | 'clock'>): Promise<void> =>
  deleteOldRuns(db, {
    preview: new Date(clock.nowMs() - PREVIEW_KEPT_MS),
    run: new Date(clock.nowMs() - RUN_KEPT_MS),
  });
