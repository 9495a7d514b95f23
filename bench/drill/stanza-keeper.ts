/**
 * Archives and backs up a small ledger as a database node does: with deploy/database/pgbackrest.conf, word for word, and the command of
 * deploy/systemd/athos-backup@.service. Only the network differs: behind the endpoints of the two buckets are servers of this machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { locateCluster } from '@athos/postgres/cluster';
import { startBucket, type BucketServer } from './bucket-server.ts';
import type { Keeper } from './small-system.ts';
import { BIN_DIR, ownVariables, stanzaSource } from './stanza-source.ts';

export const STANZA = 'athos';
const DEPLOY = join(import.meta.dirname, '../../deploy');
const CONFIGURATION = join(DEPLOY, 'database/pgbackrest.conf');
const BACKUP_UNIT = join(DEPLOY, 'systemd/athos-backup@.service');

/** Settings of a node of the cluster that a copy must not take over. They are in the backup, but the small ledger runs without them. */
const OF_A_NODE = `
synchronous_standby_names = 'ANY 1 (absent)'
primary_conninfo = 'host=absent'
shared_preload_libraries = 'absent'
ssl = on
ssl_cert_file = '/etc/patroni/node.pem'
shared_buffers = '64GB'
archive_command = 'false'
`;

/** A backup into a bucket that is away fails after two minutes, for which this test does not wait. */
const IMPATIENT = { PGBACKREST_IO_TIMEOUT: '5' };

export interface StanzaKeeper extends Keeper {
  /** The buckets of repositories 1 and 2. */
  readonly buckets: readonly [BucketServer, BucketServer];
  /** Runs what `athos-backup@<type>.service` starts. Returns its exit status. */
  runBackupUnit(url: string, type: 'full' | 'diff'): Promise<number | null>;
  /** Recomputes the checksums of everything in a repository. Returns what pgBackRest finds wrong. */
  verify(repository: 1 | 2): Promise<string>;
}

/** The command of the unit, as systemd gives it to the shell. */
function backupCommand(type: string): string {
  const command = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(readFileSync(BACKUP_UNIT, 'utf8'))?.[1];
  if (command === undefined) throw new Error(`${BACKUP_UNIT} has no command`);
  return command.replaceAll('$$', '$').replaceAll('%i', type);
}

/** A certificate for both servers, which is its own authority. PostgreSQL's package brings openssl. */
function makeCertificate(dir: string): { file: string; key: Buffer; cert: Buffer } {
  const [file, keyFile] = [join(dir, 'bucket.pem'), join(dir, 'bucket.key')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { file, key: readFileSync(keyFile), cert: readFileSync(file) };
}

/** What the file `pgbackrest.env` has, and where the bucket is in this machine's network. */
const variablesOf = (repository: 1 | 2, port: number, authority: string) =>
  Object.fromEntries(
    Object.entries({
      S3_KEY: `key-${repository}`,
      S3_KEY_SECRET: 'secret',
      CIPHER_PASS: `passphrase-${repository}`,
      STORAGE_HOST: 'localhost',
      STORAGE_PORT: String(port),
      STORAGE_CA_FILE: authority,
    }).map(([name, value]) => [`PGBACKREST_REPO${repository}_${name}`, value]),
  );

/** Starts both buckets and names them to every pgBackRest that this process starts. */
async function startBuckets(dir: string): Promise<[BucketServer, BucketServer]> {
  const configuration = readFileSync(CONFIGURATION, 'utf8');
  const { file, ...certificate } = makeCertificate(dir);
  const start = async (repository: 1 | 2): Promise<BucketServer> => {
    const setting = (name: string): string =>
      new RegExp(`^repo${repository}-s3-${name} = (.*)$`, 'm').exec(configuration)?.[1] ?? '';
    const bucket = await startBucket({
      host: `${setting('bucket')}.${setting('endpoint')}`,
      region: setting('region'),
      accessKeyId: `key-${repository}`,
      certificate,
    });
    Object.assign(process.env, variablesOf(repository, bucket.port, file));
    return bucket;
  };
  return [await start(1), await start(2)];
}

/** The keeper of a small ledger whose server will listen on this port. */
export async function keepByStanza(
  dir: string,
  port: number,
  dataDir: string,
): Promise<StanzaKeeper> {
  const { clusterDir, account } = locateCluster(dataDir);
  // The user that runs PostgreSQL may not be allowed to read the checkout.
  const configuration = join(dir, 'pgbackrest.conf');
  copyFileSync(CONFIGURATION, configuration);
  const buckets = await startBuckets(dir);
  Object.assign(process.env, {
    PGBACKREST_CONFIG: configuration,
    PGBACKREST_PG1_PATH: clusterDir,
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: '/tmp',
  });
  // Without blocking, since the buckets are in this process.
  const run = async (command: readonly string[], url?: string) => {
    const { username = '', password = '' } = url === undefined ? {} : new URL(url);
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...IMPATIENT, PGBACKREST_PG1_USER: username, PGPASSWORD: password },
    });
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const [output, [status]] = await Promise.all([text(child.stdout), exited]);
    return { status, output };
  };
  const stanza = `--stanza=${STANZA}`;
  const runBackupUnit: StanzaKeeper['runBackupUnit'] = async (url, type) =>
    (await run(['/bin/sh', '-c', backupCommand(type)], url)).status;
  return {
    buckets,
    source: stanzaSource({ name: STANZA, binDir: BIN_DIR }),
    server: {
      binDir: BIN_DIR,
      port,
      env: ownVariables(),
      settings: {
        wal_level: 'replica',
        max_wal_senders: '2',
        wal_compression: 'lz4',
        archive_mode: 'on',
        archive_command: `pgbackrest ${stanza} archive-push %p`,
        unix_socket_directories: '/tmp',
      },
    },
    async backUp(url) {
      const { status } = await run(['pgbackrest', stanza, 'stanza-create'], url);
      if (status !== 0) throw new Error('pgBackRest could not create the stanza');
      appendFileSync(join(clusterDir, 'postgresql.conf'), OF_A_NODE);
      if ((await runBackupUnit(url, 'full')) !== 0)
        throw new Error('the first backups were not made');
    },
    runBackupUnit,
    async verify(repository) {
      const words = ['pgbackrest', stanza, `--repo=${repository}`, 'verify'];
      const { status, output } = await run(words);
      return status === 0 ? '' : output;
    },
  };
}
