import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { chooseAccount, isTraversable, runsAsRoot, type SystemAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError } from './postgres-error.ts';

const ROOT_CLUSTERS_DIR = '/var/lib/athos';
const NOTE_FILE = 'cluster-is-at.txt';
const PASSWORD_FILE = 'password';

export const DATABASE_USER = 'athos';

/** The environment of the server's programs: a fixed PATH, untranslated messages, UTC, and nothing from this process. */
export const SERVER_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface Cluster {
  /** The configured folder: password, log, lock and, usually, the cluster. */
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly account: SystemAccount | undefined;
}

/**
 * Decides where the cluster of `dataDir` is stored and which user runs it, and creates the folder. For root, below a folder that
 * other users cannot traverse, the cluster is in /var/lib/athos, and a note in `dataDir` says where.
 */
export function locateCluster(dataDir: string): Cluster {
  makeDir(dataDir);
  const real = realpathSync(dataDir);
  const clusterDir = findClusterDir(real);
  return { dataDir: real, clusterDir, account: chooseAccount(clusterDir) };
}

/** Creates the cluster if it is missing. An incomplete one, left by an interrupted start, is created again. */
export function ensureCluster(cluster: Cluster, binaries: Binaries, durable: boolean): void {
  const { clusterDir, account } = cluster;
  if (existsSync(clusterDir)) return;
  const draft = `${clusterDir}.new`;
  const passwordCopy = `${clusterDir}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordCopy, `${ensurePassword(cluster)}\n`, { mode: 0o600 });
  for (const path of account ? [draft, passwordCopy] : []) {
    chownSync(path, account?.uid ?? 0, account?.gid ?? 0);
  }
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['-U', DATABASE_USER, '--auth=scram-sha-256', `--pwfile=${passwordCopy}`];
  const speed = durable ? [] : ['--no-sync'];
  const result = spawnSync(
    binaries.initdb,
    ['-D', draft, '-E', 'UTF8', '--no-instructions', ...locale, ...access, ...speed],
    { ...account, cwd: '/', encoding: 'utf8', env: SERVER_ENV },
  );
  rmSync(passwordCopy, { force: true });
  if (result.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    const reason = (result.error?.message ?? result.stderr).trim();
    throw new PostgresError(`PostgreSQL could not create its data in ${clusterDir}: ${reason}`);
  }
  renameSync(draft, clusterDir);
}

/** The database's password, generated once and readable only by the current user. */
export function ensurePassword({ dataDir }: Cluster): string {
  const file = join(dataDir, PASSWORD_FILE);
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

/** Removes the cluster, wherever it is stored, and everything else in its folder. */
export function deleteCluster({ dataDir, clusterDir }: Cluster): void {
  const isElsewhere = dirname(clusterDir) !== dataDir;
  rmSync(isElsewhere ? dirname(clusterDir) : clusterDir, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

function findClusterDir(dataDir: string): string {
  const note = join(dataDir, NOTE_FILE);
  if (existsSync(note)) return readFileSync(note, 'utf8').trim();
  const inPlace = join(dataDir, 'cluster');
  if (!runsAsRoot() || isTraversable(dataDir)) return inPlace;
  if (existsSync(inPlace)) {
    throw new PostgresError(
      `PostgreSQL's user can no longer reach ${inPlace}: let other users pass through the folders above it (chmod o+x).`,
    );
  }
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const elsewhere = join(ROOT_CLUSTERS_DIR, hash, 'cluster');
  for (const dir of [ROOT_CLUSTERS_DIR, dirname(elsewhere)]) {
    makeDir(dir);
    chmodSync(dir, 0o755);
  }
  writeFileSync(note, `${elsewhere}\n`);
  return elsewhere;
}

function makeDir(dir: string): void {
  try {
    // Without a mode, which a recursive mkdir would apply to the parents too.
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PostgresError(`The folder ${resolve(dir)} cannot be made or written to (${code}).`, {
      cause: error,
    });
  }
}
