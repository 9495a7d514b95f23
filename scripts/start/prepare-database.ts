import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressAs, ensureRoles } from '../../apps/api/src/roles.ts';
import { apiProgram, devPrograms, root } from './paths.ts';
import { StartError } from './start-error.ts';

const SEED_FILES = ['apps/api/src/seed/**/*.ts', 'dev/demo/pictures/*.webp'];

type Environment = Readonly<Record<string, string>>;

const PROGRAM_ROLES = ['athos_migrate', 'athos_api', 'athos_worker'] as const;
export type ProgramRole = (typeof PROGRAM_ROLES)[number];

/**
 * Creates the roles of the embedded database, and changes the owner of data that an earlier version created with a single role
 * (decision 0048). Each start generates new passwords, so none is stored in a file.
 */
export async function prepareRoles(adminUrl: string): Promise<(role: ProgramRole) => string> {
  const passwords = Object.fromEntries(
    PROGRAM_ROLES.map((role) => [role, randomBytes(24).toString('base64url')]),
  ) as Record<ProgramRole, string>;
  await ensureRoles(adminUrl, passwords);
  return (role) => addressAs(adminUrl, role, passwords[role]);
}

/**
 * Brings the schema up to date, before any program that relies on it starts. Contract steps run too, except in production, where another
 * machine may still run the version before.
 */
export async function migrateDatabase(env: Environment): Promise<void> {
  const isProduction = env['NODE_ENV'] === 'production';
  const words = apiProgram('migrate', { isProduction });
  const flags = isProduction ? [] : ['--contract'];
  const failure = await runToEnd([...words, ...flags], { env, isLogShown: isProduction });
  if (failure !== undefined) throw new StartError(`The database cannot be migrated: ${failure}`);
}

/**
 * Fills a new database with the demo's data and history. `notes.underWay` is a file that remains if this is interrupted: nobody has used
 * the data by then, so the next start begins again.
 */
export async function seedNewDatabase(
  env: Environment,
  notes: { readonly done: string; readonly underWay: string },
): Promise<void> {
  writeFileSync(notes.underWay, '');
  await seedDatabase(env, notes.done);
  rmSync(notes.underWay);
}

/**
 * Seeds the database with the demo's data and keeps existing rows. `note` is a file that records which version of the
 * data the database already has, which saves a later start the second that seeding takes.
 */
export async function seedDatabase(env: Environment, note: string | undefined): Promise<void> {
  const version = hashSeed();
  // Seed again if pictures were deleted or are in another storage.
  const hasPictures = existsSync(env['MEDIA_DIR'] ?? '');
  const isKnown = note !== undefined && existsSync(note) && readFileSync(note, 'utf8') === version;
  if (isKnown && hasPictures) return;
  const failure = await runToEnd([devPrograms.seed], { env, isLogShown: false });
  if (failure !== undefined) throw new StartError(`The demo data cannot be written: ${failure}`);
  if (note !== undefined) writeFileSync(note, version);
}

/** Runs Node. If it fails, resolves with its stderr. */
async function runToEnd(
  words: readonly string[],
  { env, isLogShown }: { env: Environment; isLogShown: boolean },
): Promise<string | undefined> {
  const child = spawn(process.execPath, [...words], {
    env: { ...env },
    stdio: ['ignore', isLogShown ? 'inherit' : 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? undefined : errors.trim();
}

function hashSeed(): string {
  const hash = createHash('sha256');
  for (const name of globSync(SEED_FILES, { cwd: root }).sort()) {
    hash.update(name).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}
