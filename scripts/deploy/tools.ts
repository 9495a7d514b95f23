/** Debian's programs that judge and try the deployment, run in their own file system by chroot. */
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ensureRootFileSystem, type DebianSystem } from '../../bench/cluster/root-file-system.ts';

/** The programs of `npm run test:deploy`. */
export const DEPLOY_SYSTEM: DebianSystem = {
  name: 'athos-deploy',
  // The only release with all of these programs.
  suite: 'testing',
  packages: ['docker-compose', 'haproxy', 'kustomize', 'openssl', 'systemd'],
};
const PROGRAMS = ['mmdebstrap', 'chroot'];
/** promtool computes for 40 s if it has a core of its own. */
const PROGRAM_LIMIT_MS = 5 * 60_000;

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
  /** Starts a server in the same way. Its standard error can be read. */
  start(command: readonly string[]): Server;
  remove(): void;
}

export type Server = ChildProcessByStdio<null, null, Readable>;

/** Copies the files into the tools' file system, where they can be modified. */
export function openTools(system: DebianSystem, files: string): Tools {
  const root = ensureRootFileSystem(system);
  const folder = mkdtempSync(join(root, 'tmp/athos-'));
  cpSync(files, folder, { recursive: true });
  const inside = folder.slice(root.length);
  const wordsOf = (command: readonly string[]): string[] => [
    root,
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    inside,
    ...command,
  ];
  const settings = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: inside };
  return {
    folder,
    run(command, env = {}) {
      const { status, stdout, stderr } = spawnSync('chroot', wordsOf(command), {
        encoding: 'utf8',
        timeout: PROGRAM_LIMIT_MS,
        env: { ...settings, ...env },
      });
      return { isDone: status === 0, output: stdout, complaints: stderr };
    },
    start: (command) =>
      spawn('chroot', wordsOf(command), { env: settings, stdio: ['ignore', 'ignore', 'pipe'] }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
