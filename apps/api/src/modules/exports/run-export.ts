/** The job that writes an export, and the one that deletes it. */
import { randomUUID } from 'node:crypto';
import type { ExportListName } from '@athos/contract/console/exports';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { invariant } from '../../platform/errors.ts';
import { csvHead, csvLines } from '../../platform/files/csv.ts';
import type { PrivateFiles } from '../../platform/files/private-files.ts';
import type { Log } from '../../platform/log/log.ts';
import { withinTime } from '../../platform/within-time.ts';
import { selectFoundUsers } from '../identity/index.ts';
import {
  deleteOldExports,
  lockRunning,
  selectStates,
  updateAbandoned,
  updateExpired,
  updateFailed,
  updateProgress,
  updateReady,
  updateRunning,
} from './exports.sql.ts';
import type { ExportList, ListDeps } from './export-list.ts';
import { EXPORT_LIST } from './lists.ts';
import { writePerson, type PersonDeps } from './person.ts';

export interface ExportDeps extends PersonDeps, ListDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly exportFiles: PrivateFiles;
}

const HOUR_MS = 60 * 60_000;
const FILE_KEPT_MS = 72 * HOUR_MS;
/** Far longer than the largest file needs. */
const ABANDONED_AFTER_MS = 24 * HOUR_MS;
const ROW_KEPT_MS = 90 * 24 * HOUR_MS;

/**
 * The transaction waits for the share, and the server ends one that is idle for 5 s (platform/database/pool.ts). What is left is for the
 * statements after it.
 */
const RENAME_MAX_MS = 3_000;

type Running = NonNullable<Awaited<ReturnType<typeof updateRunning>>>;
type Write = (bytes: Buffer) => Promise<void>;

/** Returns the number of rows written. */
async function writeList(
  deps: ExportDeps,
  { id, filters }: Running,
  list: ExportList<unknown, unknown>,
  write: Write,
): Promise<bigint> {
  let rowCount = 0n;
  await write(Buffer.from(csvHead(list.columns)));
  for await (const rows of list.read(deps, filters)) {
    await write(Buffer.from(csvLines(await list.cellsOf(deps, rows, filters))));
    rowCount += BigInt(rows.length);
    await updateProgress(deps.db, id, rowCount);
  }
  return rowCount;
}

async function writeContent(deps: ExportDeps, running: Running, write: Write): Promise<bigint> {
  const { content, userId } = running;
  if (content !== 'person') {
    const list: Record<ExportListName, unknown> = EXPORT_LIST;
    return writeList(deps, running, list[content] as ExportList<unknown, unknown>, write);
  }
  const [user] = await selectFoundUsers(deps.db, userId === null ? [] : [userId]);
  invariant(user !== undefined, 'an export of a person names the person');
  return writePerson(deps, user, write);
}

interface Written {
  readonly id: string;
  readonly fileName: string;
  readonly rowsDone: bigint;
  readonly byteCount: bigint;
}

/** What became of a run that wrote its file. */
interface Completion {
  /** Why the export is failed; `undefined` if it is ready, or had ended before. */
  readonly fault?: unknown;
  /** Settles when the file has its name, or never will have. */
  readonly renamed?: Promise<unknown>;
}

/**
 * Completes the export with the file of this run, unless it has ended already: another run may have completed it, or the customer whose
 * data it contains was erased. The file gets the name of the export while the row is locked, and no other run can give it that name
 * afterwards, so size and rows that were noted are always those of the file that is handed out. A file that does not get its name in time
 * may still get it later, so the export fails before the row is free again.
 */
async function complete(
  { db, clock, exportFiles }: ExportDeps,
  { id, fileName, ...counts }: Written,
): Promise<Completion> {
  const at = dateOf(clock);
  return db.transaction().execute(async (tx): Promise<Completion> => {
    if (!(await lockRunning(tx, id))) return {};
    const renaming = exportFiles.rename(fileName, id);
    try {
      await withinTime(renaming, RENAME_MAX_MS);
    } catch (fault) {
      await updateFailed(tx, id, at);
      return { fault, renamed: renaming.catch(() => undefined) };
    }
    const expiresAt = new Date(at.getTime() + FILE_KEPT_MS);
    await updateReady(tx, id, { ...counts, at, expiresAt });
    return {};
  });
}

async function writeAndComplete(
  deps: ExportDeps,
  running: Running,
  fileName: string,
): Promise<Completion> {
  const { id } = running;
  try {
    let rowsDone = 0n;
    const byteCount = await deps.exportFiles.write(fileName, async (write) => {
      rowsDone = await writeContent(deps, running, write);
    });
    return await complete(deps, { id, fileName, rowsDone, byteCount: BigInt(byteCount) });
  } catch (fault) {
    return (await updateFailed(deps.db, id, dateOf(deps.clock))) ? { fault } : {};
  }
}

/**
 * Writes the file from the first row, also after a worker died. A failure is final: the export must be requested again. Of two runs at
 * once, as when a worker that stops gives its job back, each writes a file of its own, and the first to end completes the export.
 */
export async function runExport(deps: ExportDeps, id: string): Promise<void> {
  const { db, log, exportFiles } = deps;
  const running = await updateRunning(db, id);
  if (running === undefined) return;
  const fileName = `${id}.${randomUUID()}`;
  try {
    const { fault, renamed } = await writeAndComplete(deps, running, fileName);
    if (fault === undefined) return;
    log.error({ alarm: 'export_failed', exportId: id, err: fault }, 'an export failed');
    await renamed;
    // No run can complete an export that is failed, so this is the file of no other.
    await exportFiles.remove(id).catch(() => undefined);
  } finally {
    // Nothing is left under this name after a success. A file that stays because the share is lost is deleted by the other job.
    await exportFiles.remove(fileName).catch(() => undefined);
  }
}

/** The file of a run has another part in its name until it completes the export. */
const exportOf = (name: string): string => name.split('.')[0] ?? name;

/** Deletes files whose time is over, and files to which no row refers, such as those of a run that was cut off. */
export async function deleteEndedFiles({ db, clock, exportFiles }: ExportDeps): Promise<void> {
  const now = dateOf(clock);
  await updateAbandoned(db, { askedBefore: new Date(now.getTime() - ABANDONED_AFTER_MS), now });
  for (const id of await updateExpired(db, now)) await exportFiles.remove(id);
  const names = await exportFiles.names();
  const states = await selectStates(db, names.map(exportOf));
  for (const name of names) {
    const state = states.get(exportOf(name));
    // Of an export that is ready, another run that was cut off may have left its file.
    const isKept = state === 'running' || (state === 'ready' && name === exportOf(name));
    if (!isKept) await exportFiles.remove(name);
  }
  await deleteOldExports(db, new Date(now.getTime() - ROW_KEPT_MS));
}
