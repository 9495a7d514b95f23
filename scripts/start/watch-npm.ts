import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readCommandLine } from '@athos/postgres/processes';

const ANCESTORS_MAX = 4;
const POLL_MS = 1_000;

/**
 * Calls back when the `npm start` that started this process is gone. After a kill -9 of npm nothing would forward
 * Ctrl-C, and the next start would find its ports taken.
 */
export function watchNpm(onGone: () => void): void {
  const npmPid = process.env['npm_lifecycle_event'] === undefined ? undefined : findNpm();
  if (npmPid === undefined) return;
  const timer = setInterval(() => {
    if (isAlive(npmPid)) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}

function findNpm(): number | undefined {
  let pid = process.ppid;
  for (let count = 0; count < ANCESTORS_MAX && pid > 1; count++) {
    if (/(^|[\s/])npm(-cli\.c?js)?(\s|$)/.test(readCommandLine(pid))) return pid;
    pid = readParent(pid);
  }
  return undefined;
}

function readParent(pid: number): number {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
