/**
 * Gives each machine an equal share of the processors while they are all busy, however many processes it has. Without it, the many
 * processes of a database that has just been promoted take the time of an API process, which has its own machine in production.
 */
import { existsSync, globSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where Linux divides the processors: in control groups of version 2 or 1. `undefined` where there are none. */
const HIERARCHY = [
  { folder: '/sys/fs/cgroup', mark: 'cgroup.controllers', isUnified: true },
  { folder: '/sys/fs/cgroup/cpu', mark: 'cgroup.procs', isUnified: false },
].find(({ folder, mark }) => existsSync(join(folder, mark)));

/** Creates the group of a machine. Returns the file that processes join it by; `undefined` if the processors cannot be divided here. */
export function createGroup(run: string, machine: string): string | undefined {
  if (HIERARCHY === undefined) return undefined;
  const parent = join(HIERARCHY.folder, run);
  mkdirSync(parent, { recursive: true });
  if (HIERARCHY.isUnified) {
    for (const folder of [HIERARCHY.folder, parent]) {
      writeFileSync(join(folder, 'cgroup.subtree_control'), '+cpu');
    }
  }
  mkdirSync(join(parent, machine), { recursive: true });
  return join(parent, machine, 'cgroup.procs');
}

/** The command, run by a process that has joined the group. */
export const inGroup = (joinFile: string | undefined, command: readonly string[]): string[] =>
  joinFile === undefined
    ? [...command]
    : ['sh', '-c', 'echo 0 > "$0" && exec "$@"', joinFile, ...command];

/** Removes the groups of a run. One whose last process is still ending stays for the next run to remove. */
export function removeGroups(run: string): void {
  if (HIERARCHY === undefined) return;
  const parent = join(HIERARCHY.folder, run);
  for (const group of [...globSync(join(parent, '*/')), parent]) {
    try {
      rmdirSync(group);
    } catch (error) {
      if (!LEFT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

const LEFT = new Set(['EBUSY', 'ENOTEMPTY', 'ENOENT']);

/** The names of runs with groups, including those that were killed. */
export const runsWithGroups = (nameStart: string): string[] =>
  HIERARCHY === undefined
    ? []
    : globSync(join(HIERARCHY.folder, `${nameStart}*`)).map((folder) => basename(folder));
