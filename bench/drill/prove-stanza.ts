/**
 * Proves the drill on pgBackRest: a small ledger is archived and backed up as on a database node, and `drill:restore` is run on the
 * backup. Its repositories are folders instead of buckets. `npm run test:drill` starts this program as root, in a file system with
 * pgBackRest and PostgreSQL 18.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { locateCluster } from '@athos/postgres/cluster';
import { findFreePort } from '@athos/postgres/free-port';
import { startS3Server } from '../../apps/api/test/s3-server.ts';
import { anchorHead, openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import { startSmallSystem, type Keeper } from './small-system.ts';
import { BIN_DIR, ownVariables, stanzaSource } from './stanza-source.ts';

const STANZA = 'athos';
const CONFIGURATION = join(import.meta.dirname, '../../deploy/database/pgbackrest.conf');
const REPOSITORIES = '/var/lib/pgbackrest';
const TRANSFERS = 500;
/** An anchor counts if it is at least a second older than the last commit. */
const ANCHOR_AGE_MS = 2_000;

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

const passphrases = { PGBACKREST_REPO1_CIPHER_PASS: 'one', PGBACKREST_REPO2_CIPHER_PASS: 'two' };

/** The configuration of a node, with folders in place of the buckets. */
function writeConfiguration(dir: string, clusterDir: string): string {
  const file = join(dir, 'pgbackrest.conf');
  const words = readFileSync(CONFIGURATION, 'utf8')
    .replaceAll(/^repo\d-s3-.*\n/gm, '')
    .replaceAll(/^(repo\d-type = )s3$/gm, '$1posix')
    .replaceAll(/^repo(\d)-path = .*$/gm, `repo$1-path = ${REPOSITORIES}/$1`)
    .replace(/^pg1-path = .*$/m, `pg1-path = ${clusterDir}`);
  writeFileSync(file, words);
  return file;
}

async function keepByStanza(dir: string, port: number, dataDir: string): Promise<Keeper> {
  const { clusterDir, account } = locateCluster(dataDir);
  Object.assign(process.env, passphrases, {
    PGBACKREST_CONFIG: writeConfiguration(dir, clusterDir),
  });
  const pgbackrest = (args: readonly string[], password: string): void => {
    execFileSync('pgbackrest', [`--stanza=${STANZA}`, ...args], {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PGPASSWORD: password },
    });
  };
  return {
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
        archive_command: `pgbackrest --stanza=${STANZA} archive-push %p`,
        unix_socket_directories: '/tmp',
      },
    },
    backUp(url) {
      const { username, password } = new URL(url);
      const place = [`--pg1-user=${username}`, `--pg1-port=${port}`, '--pg1-socket-path=/tmp'];
      pgbackrest([...place, 'stanza-create'], password);
      appendFileSync(join(clusterDir, 'postgresql.conf'), OF_A_NODE);
      for (const repository of [1, 2]) {
        pgbackrest([...place, `--repo=${repository}`, '--type=full', 'backup'], password);
      }
      return Promise.resolve();
    },
  };
}

async function runDrill(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  process.stdout.write(output + complaints);
  return { status, output: output + complaints };
}

const dir = mkdtempSync(join(tmpdir(), 'drill-'));
const metricsFile = join(dir, 'drill.prom');
const bucket = await startS3Server();
const anchors = {
  endpoint: bucket.endpoint,
  bucket: 'anchors',
  region: 'eu-north-1',
  accessKeyId: 'key-id',
  secretAccessKey: 'secret',
};
const settings = {
  DRILL_STANZA: STANZA,
  DRILL_USER: 'athos',
  DRILL_METRICS_FILE: metricsFile,
  ANCHOR_S3_ENDPOINT: anchors.endpoint,
  ANCHOR_S3_BUCKET: anchors.bucket,
  ANCHOR_S3_REGION: anchors.region,
  ANCHOR_S3_ACCESS_KEY_ID: anchors.accessKeyId,
  ANCHOR_S3_SECRET_ACCESS_KEY: anchors.secretAccessKey,
};

const port = await findFreePort();
const keeper = await keepByStanza(dir, port, join(dir, 'source'));
const system = await startSmallSystem(dir, () => keeper);
try {
  await system.post(TRANSFERS);
  await system.backUp();
  await system.post(TRANSFERS);
  const outside = openAnchorBucket(anchors);
  await anchorHead(system.db, {
    ...outside,
    put: (anchor) =>
      outside.put({
        ...anchor,
        at: new Date(Date.parse(anchor.at) - ANCHOR_AGE_MS).toISOString(),
      }),
  });
  const middle = await system.now();
  await system.post(TRANSFERS);
  await system.archive();

  const whole = await runDrill(settings);
  assert.equal(whole.status, 0);
  assert.match(whole.output, new RegExp(`^${3 * TRANSFERS} transfers, head `, 'm'));
  const metrics = readFileSync(metricsFile, 'utf8');
  assert.match(metrics, /^athos_restore_drill_success_timestamp_seconds \d{10}$/m);

  console.log('a time in between:');
  const past = await runDrill(settings, ['--to', middle.toISOString()]);
  assert.equal(past.status, 0);
  assert.match(past.output, new RegExp(`^${2 * TRANSFERS} transfers, head `, 'm'));
  assert.equal(readFileSync(metricsFile, 'utf8'), metrics);

  console.log('wrong passphrases:');
  const locked = await runDrill({
    ...settings,
    PGBACKREST_REPO1_CIPHER_PASS: 'wrong',
    PGBACKREST_REPO2_CIPHER_PASS: 'wrong',
  });
  assert.equal(locked.status, 2);

  console.log('damaged backups:');
  const bundles = globSync(`${REPOSITORIES}/*/backup/${STANZA}/*F/bundle/1`);
  assert.equal(bundles.length, 2);
  for (const bundle of bundles) truncateSync(bundle, 1_000);
  const damaged = await runDrill(settings);
  assert.equal(damaged.status, 2);
  assert.equal(readFileSync(metricsFile, 'utf8'), metrics);
} finally {
  await system.remove();
  await bucket.close();
}
