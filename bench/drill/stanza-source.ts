/** The backups of pgBackRest. Its own configuration names repositories and cipher, and its keys are in the environment. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseAccount } from '@athos/postgres/account';
import { quoted } from '@athos/postgres/backup';
import { locateCluster } from '@athos/postgres/cluster';
import type { BackupSource } from './backup-source.ts';

/** Where patroni.yml has PostgreSQL's programs. */
export const BIN_DIR = '/usr/lib/postgresql/18/bin';

const MS_PER_SECOND = 1_000;
const DAY_MS = 24 * 60 * 60 * MS_PER_SECOND;
const INFO_LIMIT_MS = 5 * 60_000;
/** The goal for a restore is 15 minutes and size ÷ 200 MB/s. The drill measures a slower one instead of ending it. */
const RESTORE_LIMIT_MS = 4 * 60 * 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const CONTROL_CHARACTERS = /\p{Cc}/gu;
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

interface Status {
  readonly code: number;
  readonly message: string;
}

/** A part of `pgbackrest info --output=json`. Times are in seconds. */
interface StanzaInfo {
  readonly status: Status;
  readonly repo: readonly { readonly key: number; readonly status: Status }[];
  readonly backup: readonly {
    readonly label: string;
    readonly database: { readonly 'repo-key': number };
    /** Whether pages with a wrong checksum were found. */
    readonly error?: boolean;
    readonly info: { readonly size: number };
    readonly timestamp: { readonly start: number; readonly stop: number };
  }[];
}

interface Stanza {
  readonly name: string;
  /** The folder with PostgreSQL's programs, of the version that was backed up. */
  readonly binDir: string;
}

/** The variables with keys and passphrase: pgBackRest runs again for each segment that the server replays. */
export const ownVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('PGBACKREST_') && value !== undefined ? [[name, value]] : [],
    ),
  );

/** @throws Error with the program's first error */
function pgbackrest(dataDir: string, args: readonly string[], limitMs: number): string {
  const { status, stdout, stderr, error } = spawnSync('pgbackrest', args, {
    ...chooseAccount(dataDir),
    cwd: '/',
    encoding: 'utf8',
    timeout: limitMs,
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...ownVariables() },
  });
  if (status === 0) return stdout;
  const fault = /^.*ERROR: (.*)$/m.exec(`${stdout}\n${stderr}`)?.[1];
  const reason = error?.message ?? fault ?? `it ended with ${status}`;
  throw new Error(`pgBackRest could not ${args.at(-1)}: ${reason}`);
}

/** PostgreSQL's and pgBackRest's form of a time. */
const timeOf = (to: Date): string => to.toISOString().replace('T', ' ').replace('Z', '+00');

/** @throws Error if any repository cannot be read */
function readStanza(name: string): StanzaInfo {
  const words = [`--stanza=${name}`, '--log-level-console=off', '--log-level-stderr=error'];
  const output = pgbackrest('', [...words, '--output=json', 'info'], INFO_LIMIT_MS);
  // It does not escape the bytes of a file that it cannot read.
  const [info] = JSON.parse(output.replaceAll(CONTROL_CHARACTERS, ' ')) as StanzaInfo[];
  const faults = [info, ...(info?.repo ?? [])].flatMap((part) =>
    part === undefined || part.status.code === 0 ? [] : [firstLine(part.status.message)],
  );
  if (info !== undefined && faults.length === 0) return info;
  throw new Error(`pgBackRest's stanza ${name} is not in order: ${faults.join('; ')}`);
}

/** Each repository has to be able to restore, whichever has the newest backup, so another one is used each day. */
function repositoryOfToday({ repo }: StanzaInfo): number {
  const today = Math.floor(Date.now() / DAY_MS);
  return repo[today % repo.length]?.key ?? 1;
}

export const stanzaSource = ({ name, binDir }: Stanza): BackupSource => ({
  name: `stanza ${name}`,
  find(to) {
    const info = readStanza(name);
    const repository = repositoryOfToday(info);
    return info.backup
      .filter(
        ({ error, database, timestamp }) =>
          database['repo-key'] === repository &&
          error !== true &&
          timestamp.stop <= to.getTime() / MS_PER_SECOND,
      )
      .map(({ label, info: { size }, timestamp }) => ({
        name: label,
        repository,
        startedAt: new Date(timestamp.start * MS_PER_SECOND),
        endedAt: new Date(timestamp.stop * MS_PER_SECOND),
        bytes: size,
      }))
      .toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime())[0];
  },
  restore({ name: label, repository = 1 }, { dataDir, to }) {
    const { clusterDir, account } = locateCluster(dataDir);
    const folders = ['lock', 'spool'].map((part) => join(clusterDir, '..', part));
    for (const folder of [clusterDir, ...folders]) {
      mkdirSync(folder, { mode: 0o700 });
      if (account !== undefined) chownSync(folder, account.uid, account.gid);
    }
    const [lock = '', spool = ''] = folders;
    const place = [
      `--stanza=${name}`,
      `--repo=${repository}`,
      `--pg1-path=${clusterDir}`,
      // With folders of its own, it does not meet the pgBackRest that archives on a database node.
      `--lock-path=${lock}`,
    ];
    const target = to === undefined ? [] : ['--type=time', `--target=${timeOf(to)}`];
    const words = [...place, `--set=${label}`, ...target, '--archive-mode=off', 'restore'];
    pgbackrest(clusterDir, words, RESTORE_LIMIT_MS);
    const getWords = [...place, `--spool-path=${spool}`, 'archive-get', '%f', '%p'];
    const get = ['pgbackrest', ...getWords.map((word) => (word === '%p' ? '"%p"' : quoted(word)))];
    return Promise.resolve({
      binDir,
      env: { ...ownVariables(), PATH: process.env['PATH'] ?? '' },
      settings: {
        restore_command: get.join(' '),
        recovery_target_action: 'promote',
        ...OF_ITS_OWN,
      },
    });
  },
});

/** Settings of a database node that a copy on another machine cannot have. */
const OF_ITS_OWN: Readonly<Record<string, string>> = {
  // It accepts connections only once it has replayed everything.
  hot_standby: 'off',
  archive_mode: 'off',
  // It has no standby that could confirm a commit, and must not follow the original.
  synchronous_standby_names: '',
  primary_conninfo: '',
  primary_slot_name: '',
  shared_preload_libraries: '',
  ssl: 'off',
  logging_collector: 'off',
  // A spare machine may have less memory.
  shared_buffers: '512MB',
  max_connections: '100',
};
