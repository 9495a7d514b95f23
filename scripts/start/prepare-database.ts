import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrate } from '../../apps/api/src/migrate.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { programs } from './paths.ts';
import { StartError } from './start-error.ts';

type Environment = Readonly<Record<string, string>>;

/** Brings the schema up to date, before any program that relies on it starts. */
export async function migrateDatabase(env: Environment): Promise<void> {
  const isProduction = env['NODE_ENV'] === 'production';
  await migrate(env['DATABASE_URL'] ?? '', createLog(isProduction ? 'info' : 'error'));
}

/**
 * Fills the database with the demo's data; what is there stays. `note` says which data the database already has, so that
 * a second start saves the second that this takes.
 */
export function seedDatabase(env: Environment, note: string | undefined): void {
  const version = hashSeed();
  // Also where the pictures were deleted, or kept elsewhere so far: then they are put back.
  const hasPictures = existsSync(env['MEDIA_DIR'] ?? '');
  const isKnown = note !== undefined && existsSync(note) && readFileSync(note, 'utf8') === version;
  if (isKnown && hasPictures) return;
  const { status, stderr } = spawnSync(process.execPath, [programs.seed], {
    env: { ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new StartError(`The demo data cannot be written: ${stderr.trim()}`);
  if (note !== undefined) writeFileSync(note, version);
}

function hashSeed(): string {
  const hash = createHash('sha256');
  const dir = dirname(programs.seed);
  for (const name of globSync(['*.ts', 'pictures/*.webp'], { cwd: dir }).sort()) {
    hash.update(name).update(readFileSync(join(dir, name)));
  }
  return hash.digest('hex');
}
