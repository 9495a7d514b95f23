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
 * Takes the lock `file` for this process. The lock of a dead process, even one killed by `kill -9`, is taken over; a process
 * id that has since been reused is recognised.
 * @throws LockedError while another live process holds it
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

/** Writes a lock file for another process, so that `readLockHolder` can tell later whether it is still alive. */
export function writeLockNote(file: string, pid: number): void {
  writeFileSync(file, lockText(pid), { mode: 0o600 });
}

/** The id of the live process that holds the lock, if any. */
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
