/**
 * Proves the drill on pgBackRest: a small ledger is archived and backed up as on a database node, and `drill:restore` is run on the
 * backup. Then one of its two buckets is away for a while. `npm run test:drill` starts this program as root, in a file system with pgBackRest
 * and PostgreSQL 18.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@athos/postgres/free-port';
import { startS3Server } from '../../apps/api/test/s3-server.ts';
import { anchorHead, openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import type { BucketServer } from './bucket-server.ts';
import { startSmallSystem } from './small-system.ts';
import { keepByStanza, STANZA } from './stanza-keeper.ts';

const TRANSFERS = 500;
/** An anchor counts if it is at least a second older than the last commit. */
const ANCHOR_AGE_MS = 2_000;

const LOOK_EVERY_MS = 50;
/** archive_timeout closes a segment every 30 s, and the RPO is 60 s. */
const ARCHIVED_WITHIN_MS = 30_000;

/** The names of a bucket's objects that match, without their folders. */
const namesIn = ({ objects }: BucketServer, pattern: RegExp): string[] =>
  [...objects.keys()].flatMap((key) => pattern.exec(key)?.[1] ?? []).toSorted();
const segmentsIn = (bucket: BucketServer): string[] =>
  namesIn(bucket, /^athos\/archive\/.*\/([0-9A-F]{24}-[0-9a-f]{40}\.zst)$/);
const backupsIn = (bucket: BucketServer): string[] =>
  namesIn(bucket, /^athos\/backup\/athos\/([^/]+)\/backup\.manifest$/);

/** Waits until a segment is in the bucket, which says more than PostgreSQL's own view: it counts a segment once both have it. */
async function untilArchived(bucket: BucketServer, segment: string): Promise<void> {
  const deadlineMs = performance.now() + ARCHIVED_WITHIN_MS;
  while (!segmentsIn(bucket).some((name) => name.startsWith(segment))) {
    assert(performance.now() < deadlineMs, `${segment} came too late to the healthy bucket`);
    await pause(LOOK_EVERY_MS);
  }
}

/** While the second bucket is away, the first one gets WAL and its backup, and the unit fails. Afterwards both are whole. */
async function proveOneAway(): Promise<void> {
  const [there, away] = keeper.buckets;
  const url = system.databaseUrl;
  const before = { segments: segmentsIn(away), backups: backupsIn(away) };
  await away.setReachable(false);
  await system.post(TRANSFERS);
  await untilArchived(there, await system.closeSegment());
  assert.notEqual(await keeper.runBackupUnit(url, 'diff'), 0);
  assert.equal(backupsIn(there).length, before.backups.length + 1);
  assert.deepEqual(
    { segments: segmentsIn(away), backups: backupsIn(away) },
    before,
    'nothing came to the bucket that was away',
  );
  await away.setReachable(true);
  await system.post(TRANSFERS);
  await system.archive();
  assert.equal(await keeper.runBackupUnit(url, 'diff'), 0);
  assert.equal(backupsIn(away).length, before.backups.length + 1);
  assert.deepEqual(segmentsIn(away), segmentsIn(there));
  for (const repository of [1, 2] as const) assert.equal(await keeper.verify(repository), '');
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

  console.log('one bucket away:');
  await proveOneAway();

  console.log('wrong passphrases:');
  const locked = await runDrill({
    ...settings,
    PGBACKREST_REPO1_CIPHER_PASS: 'wrong',
    PGBACKREST_REPO2_CIPHER_PASS: 'wrong',
  });
  assert.equal(locked.status, 2);

  console.log('damaged backups:');
  for (const { objects } of keeper.buckets) {
    const bundles = [...objects.keys()].filter((key) => key.endsWith('F/bundle/1'));
    assert.equal(bundles.length, 1);
    for (const key of bundles) objects.set(key, Buffer.alloc(1_000));
  }
  const damaged = await runDrill(settings);
  assert.equal(damaged.status, 2);
  assert.equal(readFileSync(metricsFile, 'utf8'), metrics);
} finally {
  await system.remove();
  await bucket.close();
  for (const one of keeper.buckets) await one.close();
}
