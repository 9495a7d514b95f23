/**
 * `npm run test:quick`: runs the checks, the unit tests, and those other tests that depend on files changed since
 * main. Its results do not count as proof of the specification, because any test may be left out.
 */
import { spawnSync } from 'node:child_process';
import { runChecks } from './check/steps.ts';
import { runTool } from './check/run-tool.ts';
import { root } from './start/paths.ts';

/** The commit where this branch left main, or the last commit if there is no main to compare with. */
function findBase(): string {
  for (const main of ['origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status === 0) return stdout.trim();
  }
  return 'HEAD';
}

const runVitest = (...words: string[]) =>
  runTool('vitest', ['run', '--reporter=dot', ...words], { isLive: true });

const failedCount = await runChecks();
const units = await runVitest('--project=rules', '--project=units');
const changed = await runVitest(
  '--project=database',
  '--project=replacing',
  '--project=programs',
  `--changed=${findBase()}`,
  '--passWithNoTests',
);
process.exitCode = failedCount === 0 && units.isPassed && changed.isPassed ? 0 : 1;
