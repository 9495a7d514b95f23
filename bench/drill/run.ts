/**
 * `npm run drill:restore`: restores the newest backup to a separate server, proves it, and prints the cost of losing all machines. `-- --to
 * 2026-11-23T02:00:00Z` restores to a time. DRILL_STANZA names the backups of pgBackRest, or DRILL_REPOSITORY a folder; anchors and card
 * provider use the worker's settings. Without either it creates and restores a small ledger.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deleteCluster, locateCluster } from '@athos/postgres/cluster';
import { deletePostgres } from '@athos/postgres/launch';
import { anchors as anchorSettings } from '../../apps/api/src/config/anchors.ts';
import { cardAccess } from '../../apps/api/src/config/card-provider.ts';
import { readGiven, type Given } from '../../apps/api/src/config/topic.ts';
import { openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import { createCardProvider } from '../../apps/api/src/modules/cards/index.ts';
import { folderSource, type BackupSource } from './backup-source.ts';
import { noteSuccess } from './note-success.ts';
import { proveCopy, type Outside } from './prove.ts';
import { COPY, restoreCopy } from './restore.ts';
import { startSmallSystem } from './small-system.ts';
import { BIN_DIR, stanzaSource } from './stanza-source.ts';

interface Drill extends Outside {
  readonly source: BackupSource;
  readonly database: { readonly name: string; readonly user: string };
  /** Where a success is told to Prometheus. */
  readonly metricsFile?: string | undefined;
}

function namedSource(given: Given): BackupSource | undefined {
  const { DRILL_REPOSITORY: repository, DRILL_STANZA: stanza, DRILL_BIN_DIR: binDir } = given;
  if (stanza !== undefined) return stanzaSource({ name: stanza, binDir: binDir ?? BIN_DIR });
  return repository === undefined ? undefined : folderSource(repository);
}

/** The drill on the backups of production; `undefined` if none are configured. */
function configuredDrill(): Drill | undefined {
  const { given, faults } = readGiven(process.env);
  const source = namedSource(given);
  const { DRILL_DATABASE: name, DRILL_USER: user, DRILL_METRICS_FILE: metricsFile } = given;
  if (source === undefined) return undefined;
  const bucket = anchorSettings(given);
  const card = given['STRIPE_SECRET_KEY'] === undefined ? undefined : cardAccess(given);
  const all = [...faults, ...bucket.faults, ...(card?.faults ?? [])];
  if (all.length > 0) throw new Error(all.join('\n'));
  if (bucket.value === undefined)
    throw new Error('ANCHOR_S3_ENDPOINT: is missing; nothing else can prove that a copy is right');
  return {
    source,
    database: { name: name ?? 'postgres', user: user ?? 'postgres' },
    metricsFile,
    anchors: openAnchorBucket(bucket.value),
    cardProvider: card?.value && createCardProvider({ ...card.value, webhookSecrets: [] }),
    isProduction: given['NODE_ENV'] === 'production',
  };
}

/** An interrupted drill fails where it is, and removes its copy. PostgreSQL runs in a process group of its own, which no Ctrl-C reaches. */
function endWithSignals(workDir: string): void {
  const end = (): void => {
    const cluster = locateCluster(join(workDir, COPY));
    const pidFile = join(cluster.clusterDir, 'postmaster.pid');
    if (existsSync(pidFile)) {
      process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
      return;
    }
    // Its server has not started yet.
    deleteCluster(cluster);
    rmSync(workDir, { recursive: true, force: true });
    process.exit(2);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
}

async function run(drill: Drill, to: Date | undefined, workDir: string): Promise<boolean> {
  endWithSignals(workDir);
  const copy = await restoreCopy({ ...drill, to, workDir });
  try {
    const { faults, lines } = await proveCopy(copy, drill);
    for (const line of lines) console.log(line);
    for (const fault of faults) console.log(`WRONG: ${fault}`);
    const isProof = faults.length === 0 && copy.isWhole;
    if (isProof && drill.metricsFile !== undefined) noteSuccess(drill.metricsFile, copy);
    return faults.length === 0;
  } finally {
    await copy.remove();
  }
}

/** In `DRILL_DIR`, what a killed drill left is removed first. Throws if another drill runs there. */
async function makeWorkDir(dir: string | undefined): Promise<string> {
  if (dir === undefined) return mkdtemp(join(tmpdir(), 'drill-'));
  const workDir = join(dir, 'drill');
  await deletePostgres(join(workDir, COPY));
  await rm(workDir, { recursive: true, force: true });
  await mkdir(workDir, { mode: 0o700 });
  return workDir;
}

async function runSmall(workDir: string): Promise<boolean> {
  console.log(
    'Neither DRILL_STANZA nor DRILL_REPOSITORY is set: a small ledger is made, backed up and restored.',
  );
  const system = await startSmallSystem(workDir);
  try {
    await system.post(1_000);
    await system.backUp();
    await system.post(1_000);
    await system.anchor(2_000);
    await system.archive();
    const database = { name: 'postgres', user: 'athos' };
    return await run({ ...system, database, isProduction: false }, undefined, workDir);
  } finally {
    await system.remove();
  }
}

const { values: flags } = parseArgs({ options: { to: { type: 'string' } } });
const to = flags.to === undefined ? undefined : new Date(flags.to);
const workDir = await makeWorkDir(process.env['DRILL_DIR']);
try {
  if (to !== undefined && Number.isNaN(to.getTime()))
    throw new Error('--to is a time such as 2026-11-23T02:00:00Z');
  const drill = configuredDrill();
  // The small ledger is always right, so it must not pass for a proof of that time.
  if (to !== undefined && drill === undefined)
    throw new Error('--to needs DRILL_STANZA or DRILL_REPOSITORY');
  const isRight = await (drill === undefined ? runSmall(workDir) : run(drill, to, workDir));
  process.exitCode = isRight ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await rm(workDir, { recursive: true, force: true });
}
