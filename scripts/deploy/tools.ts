/** Debian's programs that check and build the deployment, run in their own file system by chroot. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureRootFileSystem, type DebianSystem } from '../../bench/cluster/root-file-system.ts';

const SYSTEM: DebianSystem = {
  name: 'athos-deploy',
  // The only release with all of these programs.
  suite: 'testing',
  packages: ['docker-compose', 'haproxy', 'kustomize', 'openssl', 'systemd'],
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
  /** The program's standard error. */
  readonly complaints: string;
}

export interface Tools {
  /** The folder of the copies, as a path of this process. */
  readonly folder: string;
  /** Runs a program with the copies' folder as its working directory. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Answer;
  remove(): void;
}

/** Copies the files into the tools' file system, where they can be modified. */
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
