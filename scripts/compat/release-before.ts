/** The release that this version replaces, and the schema on which both run while processes are replaced. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import { readCounts, type Counts } from '../test/counts.ts';

/** Used as the previous release until a tag names one. Migrations added since then must not break this commit. */
const BEFORE_THE_FIRST_RELEASE = '58af56afc211137e7718a8a4b52930e3a5989ba9';
const MIGRATIONS = 'apps/api/migrations';
const API = 'apps/api/src';

/** The newest release tag before this commit. */
export function findReleaseBefore(): string {
  const { status, stdout } = git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  return status === 0 ? stdout.trim() : BEFORE_THE_FIRST_RELEASE;
}

/** Whether this clone has the commit; a shallow one does not. */
export const isPresent = (commit: string): boolean =>
  git('cat-file', '-e', `${commit}^{commit}`).status === 0;

/** Our contract steps that the previous release does not have: they wait until each of its processes has been replaced. */
export function contractStepsSince(commit: string): readonly string[] {
  const { stdout } = git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`);
  return newContractSteps(readdirSync(join(root, MIGRATIONS)), stdout.split('\n'));
}

export function newContractSteps(
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const known = new Set(theirs.map((path) => path.replace(/.*\//, '')));
  return ours.filter((file) => file.endsWith('.contract.sql') && !known.has(file));
}

/** The folder into which a commit is checked out. */
const treeOf = (commit: string, dir: string): string => join(dir, commit.replaceAll('/', '-'));

/**
 * Runs the HTTP tests of a commit in its own folder, on our schema without the contract steps `left`. The roles have the rights that the
 * commit grants.
 */
export function runHttpTests(commit: string, left: readonly string[], dir: string): Counts {
  const tree = treeOf(commit, dir);
  mkdirSync(tree);
  const archive = `${tree}.tar`;
  must(git('archive', '--output', archive, commit).status, 'git archive');
  must(spawnSync('tar', ['-xf', archive, '-C', tree]).status, 'tar');
  const migrations = join(tree, MIGRATIONS);
  rmSync(migrations, { recursive: true });
  copyMigrations(migrations, left);
  buildIndexesInTransactions(migrations);
  const words = ['--project=database', ...httpTestsOf(tree)];
  return runVitest(words, { tree, report: `${tree}.json` });
}

/** The tests of all modules, and the others that call the API as a client does. */
function httpTestsOf(tree: string): string[] {
  const isHttpTest = (file: string): boolean =>
    file.startsWith('modules/') ||
    readFileSync(join(tree, API, file), 'utf8').includes('createTestApp');
  return readdirSync(join(tree, API), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && isHttpTest(file))
    .map((file) => `${API}/${file}`);
}

/**
 * Runs the tests with both releases on one database, which has our schema without the contract steps `left`. The previous release was
 * checked out and installed by its HTTP tests.
 */
export function runSideBySide(before: string, left: readonly string[], dir: string): Counts {
  const migrations = join(dir, 'migrations');
  copyMigrations(migrations, left);
  const programs = join(treeOf(before, dir), 'apps/api/src/programs');
  const env = { COMPAT_PROGRAMS: programs, COMPAT_MIGRATIONS: migrations };
  return runVitest(['--project=compat'], { tree: root, report: join(dir, 'both.json'), env });
}

function copyMigrations(to: string, left: readonly string[]): void {
  cpSync(join(root, MIGRATIONS), to, { recursive: true });
  for (const file of left) rmSync(join(to, file));
}

/**
 * The tests of a release apply our files with its own program, which may apply each as one transaction. The schema is the same, however
 * its indexes were built.
 */
function buildIndexesInTransactions(migrations: string): void {
  for (const name of readdirSync(migrations)) {
    const file = join(migrations, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/\bindex\s+concurrently\b/gi, 'index'));
  }
}

interface VitestRun {
  readonly tree: string;
  readonly report: string;
  readonly env?: Readonly<Record<string, string>>;
}

function runVitest(words: readonly string[], { tree, report, env = {} }: VitestRun): Counts {
  const { status } = spawnSync(
    process.execPath,
    [
      'scripts/bootstrap.mjs',
      'npx',
      'vitest',
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    { cwd: tree, stdio: 'inherit', env: { ...process.env, ...env } },
  );
  return readCounts(report, status === 0);
}

const git = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });

function must(status: number | null, what: string): void {
  if (status !== 0) throw new Error(`${what} ended with ${status}`);
}
