/**
 * Verifies the ledger in a job: every night from the newest checkpoint, and every week and on request from the first row. Of each kind
 * one runs at a time, and the nights do not wait for a walk from the first row, which may take days.
 */
import { randomFillSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { VerificationState } from '@athos/contract/console/ledger';
import { uuidv7 } from '@athos/domain/uuid';
import {
  deleteCheckpoints,
  insertCheckpoint,
  selectCheckpointPlaces,
  verifyLedger,
  type CheckpointKeys,
  type LedgerReport,
} from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { isRetryableDatabaseError, type Db, type Tx } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/log/log.ts';
import {
  deleteVerifications,
  endAbandoned,
  insertVerification,
  isUnfinished,
  selectLastWholeAt,
  updateFailed,
  updateFinished,
  updateProgress,
  updateStarted,
  type Attempt,
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

/**
 * A run is repeated if its connection was lost or its worker ended. With the growing pauses of graphile-worker, the attempts of a night take
 * half an hour of outage. A walk from the first row meets more deploys and failovers.
 */
const ATTEMPT_COUNT_MAX = { checkpoint: 8, start: 25 } as const;

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
      { attemptCountMax: ATTEMPT_COUNT_MAX[from] },
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

/** Thrown to stop a run that nobody waits for: its row is finished, or another worker has begun it anew. */
class NotOursError extends Error {
  override readonly name = 'NotOursError';
}

/** Tells how far a run is. That it cannot tell for a while, as during a failover, does not end the run. */
function createTeller({ db, clock, log }: VerificationDeps, attempt: Attempt) {
  let toldAtMs = 0;
  let isSilent = false;
  return async (progress: { readonly rowCount: bigint; readonly rowsTotal: bigint }) => {
    if (clock.nowMs() - toldAtMs < PROGRESS_EVERY_MS) return;
    const now = dateOf(clock);
    const isOurs = await updateProgress(db, attempt, { ...progress, now }).catch(
      (error: unknown) => {
        if (!isSilent) log.warn({ err: error }, 'the progress of a verification is not written');
        isSilent = true;
        return true;
      },
    );
    if (!isOurs) throw new NotOursError('the verification was ended or begun again');
    // After the write, so that a slow one takes a part of the time and not all of it.
    toldAtMs = clock.nowMs();
  };
}

interface Run {
  readonly id: string;
  readonly from: Beginning;
  /** Whether the job is not repeated if it throws. */
  readonly isLastAttempt: boolean;
}

/**
 * Runs a verification, and makes checkpoints of the verified states. Raises an alarm if the ledger is wrong or cannot be read. Throws if
 * the job must stay in the queue: for another attempt, or because another worker has begun it again. When a run returns, graphile-worker
 * deletes its job, even if that worker is still running it.
 */
export async function runVerification(
  deps: VerificationDeps,
  { id, from, isLastAttempt }: Run,
): Promise<void> {
  const { db, clock, log, config, keys } = deps;
  const attempt: Attempt = { id, startedAt: dateOf(clock) };
  if (!(await updateStarted(db, attempt))) return;
  let report: LedgerReport;
  try {
    report = await verifyLedger({
      databaseUrl: config.databaseUrl,
      keys: from === 'checkpoint' ? keys : undefined,
      places: await selectCheckpointPlaces(db),
      onProgress: createTeller(deps, attempt),
    });
  } catch (error) {
    if (error instanceof NotOursError && !(await isUnfinished(db, id))) return;
    if (error instanceof NotOursError) throw error;
    if (isRetryableDatabaseError(error) && !isLastAttempt) throw error;
    if (!(await updateFailed(db, attempt, dateOf(clock)))) throw error;
    log.error({ alarm: 'ledger_unverified', err: error }, 'the ledger could not be verified');
    return;
  }
  await keepResult(deps, id, report);
}

async function keepResult(
  { db, clock, log, keys }: VerificationDeps,
  id: string,
  { fault, accountCount, rowCount, head, stands }: LedgerReport,
): Promise<void> {
  if (fault !== undefined) {
    log.error(
      { alarm: 'ledger_wrong', row: fault.row, reason: fault.reason },
      'the ledger is wrong',
    );
  }
  const madeAt = dateOf(clock);
  for (const stand of stands) {
    await patiently(() => insertCheckpoint(db, keys, { ...stand, madeAt }));
  }
  const result = {
    finished_at: dateOf(clock),
    row_count: rowCount,
    rows_total: rowCount,
    account_count: accountCount,
    head,
    fault_row: fault?.row ?? null,
    fault_reason: fault?.reason ?? null,
  };
  await patiently(() => updateFinished(db, id, result));
}

/** A failover takes less. What a run of days found is worth a wait of five minutes. */
const WRITE_COUNT_MAX = 30;
const WRITE_AGAIN_AFTER_MS = 10_000;

/** Does a write that may be done twice, again while the database is away. */
async function patiently(write: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      return await write();
    } catch (error) {
      if (count === WRITE_COUNT_MAX || !isRetryableDatabaseError(error)) throw error;
      await pause(WRITE_AGAIN_AFTER_MS);
    }
  }
}

const DAY_MS = 24 * 60 * 60_000;
/** As long as the state of the ledger may be needed as evidence in a dispute. */
const KEPT_MS = 500 * DAY_MS;
/** A run tells each second that it lives, except while the database is away or counts all accounts. */
const QUIET_MS = 60 * 60_000;
/** Less than a day, so that a worker that hangs costs one night. */
const STUCK_MS = DAY_MS / 2;
/** Half a day less than a week, so that the walk stays at the same night of the week. */
const WHOLE_EVERY_MS = 6.5 * DAY_MS;

/** The last checkpoint of each piece of the journal is kept longer. */
const CHECKPOINTS_KEPT_MS = 90 * DAY_MS;

/** Ends a verification whose job was lost, because it would otherwise block all later ones of its kind. */
async function endLost({ db, clock, log }: VerificationDeps, from: Beginning): Promise<void> {
  const isEnded = await endAbandoned(db, {
    isWhole: from === 'start',
    quietSince: new Date(clock.nowMs() - QUIET_MS),
    stuckSince: new Date(clock.nowMs() - STUCK_MS),
    now: dateOf(clock),
  });
  if (isEnded) {
    log.error({ alarm: 'ledger_unverified' }, 'a verification of the ledger did not end');
  }
}

/** Whether the last walk from the first row is a week old. A night without a worker delays the walk by a night, and not by a week. */
async function isWholeDue({ db, clock }: VerificationDeps): Promise<boolean> {
  const lastAt = await selectLastWholeAt(db);
  return lastAt !== undefined && lastAt.getTime() <= clock.nowMs() - WHOLE_EVERY_MS;
}

/** Requests the nightly verification and, if it is due, the walk from the first row, and deletes old ones. */
export async function verifyNightly(deps: VerificationDeps): Promise<void> {
  const { db, clock } = deps;
  await deleteVerifications(db, new Date(clock.nowMs() - KEPT_MS));
  await deleteCheckpoints(db, new Date(clock.nowMs() - CHECKPOINTS_KEPT_MS));
  const isDue = await isWholeDue(deps);
  for (const from of ['checkpoint', 'start'] as const) {
    await endLost(deps, from);
    if (from === 'start' && !isDue) continue;
    await db.transaction().execute((tx) => requestVerification(deps, tx, { staffId: null, from }));
  }
}
