import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PostgresError } from './postgres-error.ts';

const OTHERS_MAY_PASS = 0o001;

/** The operating system user that runs PostgreSQL; undefined for the user of this process. */
export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/**
 * PostgreSQL refuses to run as root. An existing cluster keeps its owner; a new one belongs to `postgres` or, if that user is
 * missing, to `nobody`. No users are created.
 */
export function chooseAccount(clusterDir: string): SystemAccount | undefined {
  if (!runsAsRoot()) return undefined;
  if (existsSync(clusterDir)) {
    const { uid, gid } = statSync(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(([userName]) => userName === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new PostgresError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody" to run it as.',
  );
}

/** Whether every user may traverse `path` and all folders above it. A folder that does not exist yet counts as traversable. */
export function isTraversable(path: string): boolean {
  for (let dir = resolve(path); ; dir = dirname(dir)) {
    if (existsSync(dir) && (statSync(dir).mode & OTHERS_MAY_PASS) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}
