/**
 * Verifies the ledger in a job: every night from the newest checkpoint, and every Sunday and on request from the first row. Of each kind
 * one runs at a time, and the nights do not wait for a walk from the first row, which may take days.
 */
import { randomFillSync } from 'node:crypto';
import type { VerificationState } from '@athos/contract/console/ledger';
import { uuidv7 } from '@athos/domain/uuid';
import {
  deleteCheckpoints,
  insertCheckpoint,
  verifyLedger,
  type CheckpointKeys,
  type LedgerReport,
} from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/log/log.ts';
import {
  deleteVerifications,
  endAbandoned,
  insertVerification,
  updateFinished,
  updateProgress,
  updateStarted,
  type VerificationRow,
} from './verification.sql.ts';

export interface VerificationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: { readonly databaseUrl: string };
  readonly keys: CheckpointKeys;
}

/** The point from which a verification reads: the newest checkpoint or the first row. */
type Beginning = 'checkpoint' | 'start';

/** Errors while reading are the verification's result, so only a run whose worker died is repeated. */
const ATTEMPT_COUNT_MAX = 5;

/** Enqueues a verification, or finds the one of its kind that is waiting or running. Returns its id. */
export async function requestVerification(
  { clock }: Pick<VerificationDeps, 'clock'>,
  tx: Tx,
  { staffId, from }: { readonly staffId: string | null; readonly from: Beginning },
): Promise<string> {
  const at = dateOf(clock);
  const newId = uuidv7(at.getTime(), (bytes) => randomFillSync(bytes));
  const { id, isNew } = await insertVerification(tx, {
    id: newId,
    at,
    staffId,
    isWhole: from === 'start',
  });
  if (isNew) {
    await enqueueJob(
      tx,
      'bookkeeping_verify',
      { id, from },
      { attemptCountMax: ATTEMPT_COUNT_MAX },
    );
  }
  return id;
}

function stateOf({
  started_at,
  finished_at,
  has_failed,
  fault_row,
}: VerificationRow): VerificationState {
  if (finished_at === null) return started_at === null ? 'waiting' : 'running';
  if (has_failed) return 'failed';
  return fault_row === null ? 'right' : 'wrong';
}

const countNumber = (count: bigint): number => parseInt(count.toString(), 10);

export const presentVerification = (row: VerificationRow) => ({
  id: row.id,
  state: stateOf(row),
  is_whole: row.is_whole,
  requested_at: row.requested_at.toISOString(),
  requested_by: row.requester_name,
  finished_at: row.finished_at?.toISOString() ?? null,
  transfers_done: countNumber(row.row_count),
  transfers_total: countNumber(row.rows_total),
  account_count: row.account_count === null ? null : countNumber(row.account_count),
  head: row.head,
  fault: row.fault_row === null ? null : { row: row.fault_row, reason: row.fault_reason ?? '' },
});

/** Often enough for a progress bar, and rare compared with the reads. */
const PROGRESS_EVERY_MS = 1_000;

/** Runs a verification, and makes checkpoints of the verified states. Raises an alarm if the ledger is wrong or cannot be read. */
export async function runVerification(
  deps: VerificationDeps,
  id: string,
  from: Beginning,
): Promise<void> {
  const { db, clock, log, config, keys } = deps;
  if (!(await updateStarted(db, id, dateOf(clock)))) return;
  let toldAtMs = 0;
  let report: LedgerReport;
  try {
    report = await verifyLedger({
      databaseUrl: config.databaseUrl,
      keys: from === 'checkpoint' ? keys : undefined,
      async onProgress(progress) {
        if (clock.nowMs() - toldAtMs < PROGRESS_EVERY_MS) return;
        toldAtMs = clock.nowMs();
        await updateProgress(db, id, progress);
      },
    });
  } catch (error) {
    log.error({ alarm: 'ledger_unverified', err: error }, 'the ledger could not be verified');
    await updateFinished(db, id, { finished_at: dateOf(clock), has_failed: true });
    return;
  }
  const { fault, accountCount, rowCount, head, stands } = report;
  for (const stand of stands) await insertCheckpoint(db, keys, { ...stand, madeAt: dateOf(clock) });
  if (fault !== undefined) {
    log.error(
      { alarm: 'ledger_wrong', row: fault.row, reason: fault.reason },
      'the ledger is wrong',
    );
  }
  await updateProgress(db, id, { rowCount, rowsTotal: rowCount });
  await updateFinished(db, id, {
    finished_at: dateOf(clock),
    // One that took so long that it counted as abandoned has an end after all.
    has_failed: false,
    account_count: accountCount,
    head,
    fault_row: fault?.row ?? null,
    fault_reason: fault?.reason ?? null,
  });
}

const DAY_MS = 24 * 60 * 60_000;
/** As long as the state of the ledger may be needed as evidence in a dispute. */
const KEPT_MS = 500 * DAY_MS;
/** When a verification counts as abandoned. From a checkpoint, it reads what a day or two have posted. */
const ABANDONED_AFTER_MS = { checkpoint: DAY_MS / 2, start: 3 * DAY_MS } as const;

/** The last checkpoint of each piece of the journal is kept longer. */
const CHECKPOINTS_KEPT_MS = 90 * DAY_MS;
const SUNDAY = 0;

/** Ends a verification whose job was lost, because it would otherwise block all later ones of its kind. */
async function endLost({ db, clock, log }: VerificationDeps, from: Beginning): Promise<void> {
  const isEnded = await endAbandoned(db, {
    isWhole: from === 'start',
    requestedBefore: new Date(clock.nowMs() - ABANDONED_AFTER_MS[from]),
    now: dateOf(clock),
  });
  if (isEnded) {
    log.error({ alarm: 'ledger_unverified' }, 'a verification of the ledger did not end');
  }
}

/** Requests the nightly verification, on Sundays also the walk from the first row, and deletes old ones. */
export async function verifyNightly(deps: VerificationDeps): Promise<void> {
  const { db, clock } = deps;
  await deleteVerifications(db, new Date(clock.nowMs() - KEPT_MS));
  await deleteCheckpoints(db, new Date(clock.nowMs() - CHECKPOINTS_KEPT_MS));
  const isSunday = dateOf(clock).getUTCDay() === SUNDAY;
  for (const from of ['checkpoint', 'start'] as const) {
    await endLost(deps, from);
    if (from === 'start' && !isSunday) continue;
    await db.transaction().execute((tx) => requestVerification(deps, tx, { staffId: null, from }));
  }
}
