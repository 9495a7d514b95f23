/** The programs of Debian that judge and build what is deployed: in a file system of their own, which is changed into. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureRootFileSystem, type DebianSystem } from '../../bench/cluster/root-file-system.ts';

const SYSTEM: DebianSystem = {
  name: 'athos-deploy',
  // The only release that has all of the programs.
  suite: 'testing',
  packages: ['docker-compose', 'haproxy', 'kustomize', 'systemd'],
};
const PROGRAMS = ['mmdebstrap', 'chroot'];
const PROGRAM_LIMIT_MS = 60_000;

/** One line that says why the tools cannot run here; `undefined` if they can. */
export function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'its tools run in a file system of Debian, which needs root';
  const missing = PROGRAMS.filter((name) => spawnSync(name, ['--version']).status !== 0);
  return missing.length === 0 ? undefined : `missing: ${missing.join(', ')} (Debian: apt install)`;
}

export interface Answer {
  readonly isDone: boolean;
  readonly output: string;
  /** What it said beside its output. */
  readonly complaints: string;
}

export interface Tools {
  /** The folder of the copies as this process sees it. */
  readonly folder: string;
  /** Runs a program in the copies' folder, which is the working directory. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Answer;
  remove(): void;
}

/** Copies the files to where the tools see them, so that they can be broken. */
export function openTools(files: string): Tools {
  const root = ensureRootFileSystem(SYSTEM);
  const folder = mkdtempSync(join(root, 'tmp/athos-'));
  cpSync(files, folder, { recursive: true });
  const inside = folder.slice(root.length);
  return {
    folder,
    run(command, env = {}) {
      const words = [root, 'sh', '-c', 'cd "$0" && exec "$@"', inside, ...command];
      const { status, stdout, stderr } = spawnSync('chroot', words, {
        encoding: 'utf8',
        timeout: PROGRAM_LIMIT_MS,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: inside, ...env },
      });
      return { isDone: status === 0, output: stdout, complaints: stderr };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
