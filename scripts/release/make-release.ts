import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { ALL_APPS, buildApps } from '../start/build-apps.ts';
import { apps, root } from '../start/paths.ts';
import { makeBill } from './bill.ts';

/** An error whose message is for the person who makes the release. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/**
 * @returns the folder of the release
 * @throws ReleaseError if the checkout differs from the commit, since the programs would be built from other sources
 */
export async function makeRelease(): Promise<string> {
  if (git('status', '--porcelain') !== '') {
    throw new ReleaseError(
      'There are changes that are not committed: a release is made of a commit.',
    );
  }
  const bill = makeBill();
  const { version } = bill.metadata.component;
  const commit = git('rev-parse', 'HEAD');
  await buildApps(ALL_APPS);
  const folder = join(root, 'release', `athos-wallet-${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sources = `${folder}.sources.tar`;
  git('archive', '--output', sources, commit);
  execFileSync('tar', ['-xf', sources, '-C', folder]);
  rmSync(sources);
  for (const name of ALL_APPS) {
    const { distDir } = apps[name];
    cpSync(distDir, join(folder, relative(root, distDir)), { recursive: true });
  }
  const facts = { version, commit, committedAt: git('show', '-s', '--format=%cI', commit) };
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(facts, undefined, 2)}\n`);
  writeFileSync(join(folder, 'bom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
  execFileSync('tar', ['-czf', `${folder}.tar.gz`, '-C', dirname(folder), basename(folder)]);
  return folder;
}
