/**
 * `npm run drill:restore`: restores the newest backup to a separate server, proves it, and prints the cost of losing all machines. `-- --to
 * 2026-11-23T02:00:00Z` restores to a time. DRILL_REPOSITORY names the backups; anchors and card provider use the worker's settings.
 * Without a repository it creates and restores a small ledger.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { anchors as anchorSettings } from '../../apps/api/src/config/anchors.ts';
import { cardProvider as cardSettings } from '../../apps/api/src/config/card-provider.ts';
import { readGiven } from '../../apps/api/src/config/topic.ts';
import { openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import { createCardProvider } from '../../apps/api/src/modules/cards/index.ts';
import { proveCopy, type Outside } from './prove.ts';
import { restoreCopy } from './restore.ts';
import { startSmallSystem } from './small-system.ts';

interface Source extends Outside {
  readonly repository: string;
  readonly database: { readonly name: string; readonly user: string };
}

/** The backups of production; `undefined` if none are configured. */
function namedSource(): Source | undefined {
  const { given, faults } = readGiven(process.env);
  const { DRILL_REPOSITORY: repository, DRILL_DATABASE: name, DRILL_USER: user } = given;
  if (repository === undefined) return undefined;
  const bucket = anchorSettings(given);
  const card = given['STRIPE_SECRET_KEY'] === undefined ? undefined : cardSettings(given);
  const all = [...faults, ...bucket.faults, ...(card?.faults ?? [])];
  if (all.length > 0) throw new Error(all.join('\n'));
  if (bucket.value === undefined)
    throw new Error('ANCHOR_S3_ENDPOINT: is missing; nothing else can prove that a copy is right');
  return {
    repository,
    database: { name: name ?? 'postgres', user: user ?? 'postgres' },
    anchors: openAnchorBucket(bucket.value),
    cardProvider: card?.value === undefined ? undefined : createCardProvider(card.value),
    isProduction: given['NODE_ENV'] === 'production',
  };
}

async function drill(source: Source, to: Date | undefined, workDir: string): Promise<boolean> {
  const copy = await restoreCopy({ ...source, to, workDir });
  try {
    const { faults, lines } = await proveCopy(copy, source);
    for (const line of lines) console.log(line);
    for (const fault of faults) console.log(`WRONG: ${fault}`);
    return faults.length === 0;
  } finally {
    await copy.remove();
  }
}

async function drillSmall(workDir: string): Promise<boolean> {
  console.log('DRILL_REPOSITORY is not set: a small ledger is made, backed up and restored.');
  const system = await startSmallSystem(workDir);
  try {
    await system.post(1_000);
    await system.backUp();
    await system.post(1_000);
    await system.anchor(2_000);
    await system.archive();
    const database = { name: 'postgres', user: 'athos' };
    return await drill({ ...system, database, isProduction: false }, undefined, workDir);
  } finally {
    await system.remove();
  }
}

const { values: flags } = parseArgs({ options: { to: { type: 'string' } } });
const to = flags.to === undefined ? undefined : new Date(flags.to);
const workDir = await mkdtemp(join(process.env['DRILL_DIR'] ?? tmpdir(), 'drill-'));
try {
  if (to !== undefined && Number.isNaN(to.getTime()))
    throw new Error('--to is a time such as 2026-11-23T02:00:00Z');
  const source = namedSource();
  const isRight = await (source === undefined ? drillSmall(workDir) : drill(source, to, workDir));
  process.exitCode = isRight ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await rm(workDir, { recursive: true, force: true });
}
