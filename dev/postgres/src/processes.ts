import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const STOP_POLL_MS = 20;

/**
 * Distinguishes processes with the same id. Ids are reused, above all in containers, where a restart assigns the same small
 * numbers again. Undefined if there is no such process or it is a zombie.
 */
export function readProcessBirth(pid: number): string | undefined {
  if (process.platform === 'linux') return readBirthFromProc(pid);
  if (process.platform === 'win32') return isSignalable(pid) ? 'alive' : undefined;
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state = 'Z', ...birth] = (stdout ?? '').trim().split(/\s+/);
  return state.startsWith('Z') || birth.length === 0 ? undefined : birth.join(' ');
}

/** The command line of a live process, to check that an id still belongs to the expected program. */
export function readCommandLine(pid: number): string {
  if (process.platform === 'linux') {
    return readProcFile(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

/** Resolves with false if the process is still alive after `timeoutMs`. */
export async function waitForProcessEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const birth = readProcessBirth(pid);
  const deadline = performance.now() + timeoutMs;
  while (birth !== undefined && readProcessBirth(pid) === birth) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
  }
  return true;
}

function readBirthFromProc(pid: number): string | undefined {
  const stat = readProcFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may contain spaces, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  return state === 'Z' || state === 'X' ? undefined : startTicks;
}

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
