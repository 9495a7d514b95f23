/** The processor time and memory of other processes, from /proc. Linux only: NaN elsewhere. */
import { existsSync, readFileSync } from 'node:fs';

/** The unit of /proc on Linux, regardless of the kernel's own clock. */
const TICK_MS = 10;
/** A server whose connections do not end all the time is counted at the first attempt. */
const COUNTS_MAX = 10;

/** The sum of two adjacent fields of proc(5) `stat`, numbered from 1 as there. */
function ticksMs(pid: number, firstField: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The name, in parentheses, may contain spaces. `state`, the third field, is the first after it.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[firstField - 3]) + Number(fields[firstField - 2])) * TICK_MS;
}

/** User and system time of a process: `utime` and `stime`. */
export const processCpuMs = (pid: number): number => ticksMs(pid, 14);

/** User and system time of the ended children of a process: `cutime` and `cstime`. */
const endedChildrenCpuMs = (pid: number): number => ticksMs(pid, 16);

/** User and system time of a process and all its children, also of those that have ended. */
export function familyCpuMs(pid: number): number {
  for (let attempt = 1; attempt <= COUNTS_MAX; attempt++) {
    const endedMs = endedChildrenCpuMs(pid);
    const livingMs = [pid, ...childrenOf(pid)].reduce((sum, one) => sum + processCpuMs(one), 0);
    // Otherwise a child ended meanwhile, and was counted twice or not at all.
    if (endedChildrenCpuMs(pid) === endedMs && !Number.isNaN(livingMs)) return endedMs + livingMs;
  }
  return Number.NaN;
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** The resident set: `VmRSS`. */
export function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return Number(kb) / 1_024;
}
