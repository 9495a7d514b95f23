/**
 * Base backups of a running cluster, and clusters restored from them, for drills on machines without PostgreSQL's own tools. A repository
 * is a folder: `base/<time>` with the files of each backup, and `wal` with the segments that the server has archived since the first one.
 */
import { chownSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { locateCluster } from './cluster.ts';
import { PostgresError } from './postgres-error.ts';

/** Written last, so a backup without it is incomplete. */
const NOTE_FILE = 'backup.json';
/** These folders must exist and be empty, since PostgreSQL fills them itself (its documentation, "Making a base backup"). */
const EMPTIED = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts']);

export interface Backup {
  readonly dir: string;
  readonly startedAt: Date;
  /** The copy is consistent only from this time on, so no restore can stop earlier. */
  readonly endedAt: Date;
  readonly bytes: number;
}

interface Note {
  readonly started_at: string;
  readonly ended_at: string;
  readonly bytes: number;
}

/** A path as one word of a shell command. */
export const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** The settings of a server that archives its WAL into the repository. The folder is created and given to the server's user. */
export function archiveInto(repository: string, dataDir: string): Readonly<Record<string, string>> {
  const wal = join(repository, 'wal');
  mkdirSync(wal, { recursive: true });
  const { account } = locateCluster(dataDir);
  if (account !== undefined) chownSync(wal, account.uid, account.gid);
  const target = `${quoted(wal)}/%f`;
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    // Never overwrites, and no reader sees a partial file.
    archive_command: `test ! -f ${target} && cp %p ${target}.part && mv ${target}.part ${target}`,
    archive_timeout: '60s',
  };
}

/** Copies the files of a running cluster. Resolves when the WAL that the copy needs is archived. */
export async function takeBackup(
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
  repository: string,
): Promise<Backup> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const startedAt = await databaseTime(client);
    const dir = join(repository, 'base', startedAt.toISOString().replaceAll(':', '-'));
    await mkdir(`${dir}.part`, { recursive: true });
    await client.query(`select pg_backup_start('drill', fast => true)`);
    const bytes = await copyCluster(locateCluster(dataDir).clusterDir, `${dir}.part`);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop()',
    );
    await writeFile(join(`${dir}.part`, 'backup_label'), rows[0]?.labelfile ?? '');
    const endedAt = await databaseTime(client);
    const note: Note = {
      started_at: startedAt.toISOString(),
      ended_at: endedAt.toISOString(),
      bytes,
    };
    await writeFile(join(`${dir}.part`, NOTE_FILE), JSON.stringify(note));
    await rename(`${dir}.part`, dir);
    return { dir, startedAt, endedAt, bytes };
  } finally {
    await client.end();
  }
}

async function databaseTime(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  return rows[0]?.at ?? new Date();
}

/** The newest complete backup that ended before `to`. */
export function findBackup(repository: string, to: Date): Backup | undefined {
  const base = join(repository, 'base');
  if (!existsSync(base)) return undefined;
  return readdirSync(base)
    .filter((name) => existsSync(join(base, name, NOTE_FILE)))
    .map((name) => readBackup(join(base, name)))
    .filter(({ endedAt }) => endedAt <= to)
    .toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime())[0];
}

function readBackup(dir: string): Backup {
  const note = JSON.parse(readFileSync(join(dir, NOTE_FILE), 'utf8')) as Note;
  const [startedAt, endedAt] = [new Date(note.started_at), new Date(note.ended_at)];
  return { dir, startedAt, endedAt, bytes: note.bytes };
}

/**
 * Creates the cluster of `dataDir` from a backup, for a server that replays the repository's WAL, up to `to` or to its end. Returns the
 * settings for that server.
 * @throws PostgresError if the backup lost files
 */
export async function restoreBackup(
  backup: Backup,
  { repository, dataDir, to }: { repository: string; dataDir: string; to: Date | undefined },
): Promise<Readonly<Record<string, string>>> {
  await layOut(backup, { dataDir, signal: 'recovery.signal' });
  return {
    restore_command: `cp ${quoted(join(repository, 'wal'))}/%f %p`,
    recovery_target_action: 'promote',
    ...(to === undefined ? {} : { recovery_target_time: to.toISOString().replace('Z', '+00') }),
    // The server accepts connections only once it has replayed everything.
    hot_standby: 'off',
    // A copy must never write to the archive of its original.
    archive_mode: 'off',
  };
}

/** The settings of a server that has standbys. It keeps the WAL written between a backup and the standby's first request. */
export const WITH_STANDBYS: Readonly<Record<string, string>> = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
};

/**
 * Creates the cluster of `dataDir` from a backup, for a standby that follows the server of `primaryUrl`. Returns its settings. Its users
 * have the primary's passwords.
 * @throws PostgresError if the backup lost files
 */
export async function makeStandby(
  backup: Backup,
  { dataDir, primaryUrl }: { readonly dataDir: string; readonly primaryUrl: string },
): Promise<Readonly<Record<string, string>>> {
  await layOut(backup, { dataDir, signal: 'standby.signal' });
  const { hostname, port, username, password } = new URL(primaryUrl);
  return {
    ...WITH_STANDBYS,
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
    hot_standby: 'on',
  };
}

async function layOut(
  backup: Backup,
  { dataDir, signal }: { readonly dataDir: string; readonly signal: string },
): Promise<void> {
  const { clusterDir, account } = locateCluster(dataDir);
  const bytes = await copyCluster(backup.dir, clusterDir);
  if (bytes !== backup.bytes) {
    throw new PostgresError(
      `The backup ${backup.dir} is not whole: it has ${bytes} of ${backup.bytes} bytes.`,
    );
  }
  await rm(join(clusterDir, NOTE_FILE));
  await writeFile(join(clusterDir, signal), '');
  if (account !== undefined) giveTo(clusterDir, account);
}

function giveTo(path: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(path, uid, gid);
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, entry), uid, gid);
}

/** Returns the number of bytes, without the label and the note. Files may vanish while a server runs; its WAL makes up for them. */
async function copyCluster(from: string, to: string, path = ''): Promise<number> {
  await mkdir(to, { recursive: true });
  // PostgreSQL refuses a cluster that others may read.
  await chmod(to, 0o700);
  if (EMPTIED.has(path)) {
    if (path === 'pg_wal') await mkdir(join(to, 'archive_status'), { recursive: true });
    return 0;
  }
  let bytes = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (path === '' && LEFT_OUT.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) bytes += await copyCluster(source, target, join(path, entry.name));
    else bytes += await copyOne(source, target);
  }
  return bytes;
}

async function copyOne(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  const isOurs = target.endsWith('/backup_label') || target.endsWith(`/${NOTE_FILE}`);
  return isOurs ? 0 : (await stat(target)).size;
}
