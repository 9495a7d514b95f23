import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deletePostgres } from '@athos/postgres/launch';
import { acquireProcessLock, LockedError, readLockHolder } from '@athos/postgres/process-lock';
import { waitForProcessEnd } from '@athos/postgres/processes';
import { dataPaths, type DataPaths } from './paths.ts';
import { StartError } from './start-error.ts';

// An orderly stop usually takes less.
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 100;
const TERM_LIMIT_MS = 3_000;
const KILL_LIMIT_MS = 3_000;

export interface DataDir extends DataPaths {
  release(): void;
}

/**
 * Claims the folder for this start: checks that it is writable, locks it, and ends programs left by an earlier, killed start.
 * @throws StartError with one sentence
 */
export async function openDataDir(dataDir: string): Promise<DataDir> {
  const paths = dataPaths(dataDir);
  try {
    for (const dir of [dataDir, paths.run, paths.logs]) mkdirSync(dir, { recursive: true });
    const probe = join(dataDir, `probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The folder ${dataDir} cannot be written to (${code}): choose another one with DATA_DIR.`,
    );
  }
  const lock = await waitForLock(paths.lock, dataDir);
  try {
    await stopLeftovers(paths.run);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { ...paths, release: () => lock.release() };
}

/** Removes all data of an embedded start. Other files in the folder stay. */
export async function clearData(paths: DataPaths): Promise<void> {
  await deletePostgres(paths.postgres);
  const { mailbox, sandbox, media, exports, logs, keys, addresses } = paths;
  for (const path of [mailbox, sandbox, media, exports, logs, keys, addresses]) {
    rmSync(path, { recursive: true, force: true });
  }
  mkdirSync(paths.logs);
}

async function waitForLock(file: string, dataDir: string) {
  for (const deadline = performance.now() + LOCK_WAIT_MS; ;) {
    try {
      return acquireProcessLock(file);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (performance.now() > deadline) {
        throw new StartError(
          `The system already runs on ${dataDir} (process ${error.pid}): stop it first, or choose another folder with DATA_DIR.`,
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

async function stopLeftovers(runDir: string): Promise<void> {
  for (const name of existsSync(runDir) ? readdirSync(runDir) : []) {
    const file = join(runDir, name);
    const pid = readLockHolder(file);
    if (pid !== undefined) await stopLeftover(pid);
    rmSync(file, { force: true });
  }
}

async function stopLeftover(pid: number): Promise<void> {
  const steps = [
    ['SIGTERM', TERM_LIMIT_MS],
    ['SIGKILL', KILL_LIMIT_MS],
  ] as const;
  for (const [signal, limitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (await waitForProcessEnd(pid, limitMs)) return;
  }
  throw new StartError(`Process ${pid} of an earlier start does not end: end it by hand.`);
}
