/** The release that this version replaces, and the schema on which both serve while processes are replaced. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import { readVitestCounts, type Counts } from '../test/counts.ts';

/** Stands for the release before until a tag names one. Migrations added since must take nothing from this commit. */
const BEFORE_THE_FIRST_RELEASE = '58af56afc211137e7718a8a4b52930e3a5989ba9';
const MIGRATIONS = 'apps/api/migrations';

/** The newest tag of a release before this commit. */
export function findReleaseBefore(): string {
  const { status, stdout } = git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  return status === 0 ? stdout.trim() : BEFORE_THE_FIRST_RELEASE;
}

/** Whether this clone has the commit; a shallow one does not. */
export const isPresent = (commit: string): boolean =>
  git('cat-file', '-e', `${commit}^{commit}`).status === 0;

/** Our contract steps that the release before does not have: they wait until each of its processes has been replaced. */
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

/**
 * Runs the HTTP tests of a commit in a folder of its own, on our schema without the contract steps `left` out. Rights of roles are
 * those that the commit grants.
 */
export function runHttpTests(commit: string, left: readonly string[], dir: string): Counts {
  const tree = join(dir, commit.replaceAll('/', '-'));
  mkdirSync(tree);
  const archive = `${tree}.tar`;
  must(git('archive', '--output', archive, commit).status, 'git archive');
  must(spawnSync('tar', ['-xf', archive, '-C', tree]).status, 'tar');
  const migrations = join(tree, MIGRATIONS);
  rmSync(migrations, { recursive: true });
  cpSync(join(root, MIGRATIONS), migrations, { recursive: true });
  for (const file of left) rmSync(join(migrations, file));
  const report = `${tree}.json`;
  const words = [
    'scripts/bootstrap.mjs',
    'npx',
    'vitest',
    'run',
    '--project=database',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    'apps/api/src/modules',
  ];
  const { status } = spawnSync(process.execPath, words, { cwd: tree, stdio: 'inherit' });
  return readVitestCounts(report, status === 0);
}

const git = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });

function must(status: number | null, what: string): void {
  if (status !== 0) throw new Error(`${what} ended with ${status}`);
}
