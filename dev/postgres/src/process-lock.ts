import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readProcessBirth } from './processes.ts';

export interface ProcessLock {
  release(): void;
}

/** Another live process holds the lock. */
export class LockedError extends Error {
  readonly pid: number;
  constructor(pid: number, file: string) {
    super(`Process ${pid} is using ${file}`);
    this.name = 'LockedError';
    this.pid = pid;
  }
}

/**
 * Makes this process the only user of what `file` stands for. A lock whose process died, even by `kill -9`, is
 * taken over; process ids that were given to somebody else since are recognised.
 * @throws LockedError while another process lives that holds it
 */
export function acquireProcessLock(file: string): ProcessLock {
  for (;;) {
    try {
      writeFileSync(file, lockText(process.pid), { flag: 'wx', mode: 0o600 });
      return { release: () => releaseOwn(file) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holderPid = readLockHolder(file);
    if (holderPid !== undefined) throw new LockedError(holderPid, file);
    rmSync(file, { force: true });
  }
}

/** Notes another process in the lock's form, so that `readLockHolder` tells later whether it still lives. */
export function writeLockNote(file: string, pid: number): void {
  writeFileSync(file, lockText(pid), { mode: 0o600 });
}

/** Id of the live process that holds the lock, if one does. */
export function readLockHolder(file: string): number | undefined {
  const [pid, birth] = readLines(file);
  return pid !== undefined && readProcessBirth(Number(pid)) === birth ? Number(pid) : undefined;
}

function releaseOwn(file: string): void {
  if (readLockHolder(file) === process.pid) rmSync(file, { force: true });
}

function lockText(pid: number): string {
  return `${pid}\n${readProcessBirth(pid) ?? ''}\n`;
}

function readLines(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.length === 3 ? lines : [];
  } catch {
    return [];
  }
}
