/** The job that writes an export, and the one that deletes it. */
import { randomUUID } from 'node:crypto';
import type { ExportListName } from '@athos/contract/console/exports';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { invariant } from '../../platform/errors.ts';
import { csvHead, csvLines } from '../../platform/files/csv.ts';
import type { PrivateFiles } from '../../platform/files/private-files.ts';
import type { Log } from '../../platform/log/log.ts';
import { selectFoundUsers } from '../identity/index.ts';
import {
  deleteOldExports,
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

/**
 * Completes the export with the file of this run, unless it has ended already: another run may have completed it, or the customer whose
 * data it contains was erased. The file gets the name of the export while the row is locked, and no other run can give it that name
 * afterwards, so size and rows that were noted are always those of the file that is handed out.
 */
async function complete(
  { db, clock, exportFiles }: ExportDeps,
  { id, fileName }: { readonly id: string; readonly fileName: string },
  counts: { readonly rowsDone: bigint; readonly byteCount: bigint },
): Promise<void> {
  const at = dateOf(clock);
  const written = { ...counts, at, expiresAt: new Date(at.getTime() + FILE_KEPT_MS) };
  await db.transaction().execute(async (tx) => {
    if (await updateReady(tx, id, written)) await exportFiles.rename(fileName, id);
  });
}

/**
 * Writes the file from the first row, also after a worker died. A failure is final: the export must be requested again. Of two runs at
 * once, as when a worker that stops gives its job back, each writes a file of its own, and the first to end completes the export.
 */
export async function runExport(deps: ExportDeps, id: string): Promise<void> {
  const { db, clock, log, exportFiles } = deps;
  const running = await updateRunning(db, id);
  if (running === undefined) return;
  const fileName = `${id}.${randomUUID()}`;
  try {
    let rowsDone = 0n;
    const byteCount = await exportFiles.write(fileName, async (write) => {
      rowsDone = await writeContent(deps, running, write);
    });
    await complete(deps, { id, fileName }, { rowsDone, byteCount: BigInt(byteCount) });
  } catch (error) {
    if (!(await updateFailed(db, id, dateOf(clock)))) return;
    log.error({ alarm: 'export_failed', exportId: id, err: error }, 'an export failed');
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
