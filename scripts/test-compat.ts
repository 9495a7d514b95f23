/**
 * `npm run test:compat`: the previous release's HTTP tests pass on the new schema, and ours on the schema before its contract steps; API
 * and worker of both run side by side on one database. In a clone too shallow to have the previous release, it says so, and passes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  contractStepsSince,
  findReleaseBefore,
  isPresent,
  runHttpTests,
  runSideBySide,
} from './compat/release-before.ts';
import { beginRun } from './spec/runs.ts';
import { addCounts, describeCounts, type Counts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';
import { writeReport } from './test/write-report.ts';

const before = findReleaseBefore();
const isSound = ({ passedCount, failures }: Counts): boolean =>
  passedCount > 0 && failures.length === 0;

function run(dir: string): void {
  const report = beginRun('test:compat')('vitest');
  const steps = contractStepsSince(before);
  const old = runHttpTests(before, steps, dir);
  const runs = [old];
  console.log(`release before, on the new schema: ${describeCounts(old)}`);
  if (steps.length === 0) {
    console.log('this version, before its contract steps: it has none, so `npm test` shows that');
  } else {
    const own = runHttpTests('HEAD', steps, dir);
    console.log(`this version, before its contract steps: ${describeCounts(own)}`);
    runs.push(own);
  }
  const both = runSideBySide(before, steps, dir);
  console.log(`both side by side on one database: ${describeCounts(both)}`);
  writeReport(report, 'scripts/test-compat.ts', [
    {
      title: '[P-057] the HTTP tests of the release before pass on the new schema',
      isPassed: runs.every(isSound),
    },
    {
      title: '[P-057] each release takes keys, jobs, tokens and codes of the other',
      isPassed: isSound(both),
    },
  ]);
  runs.push(both);
  const counts = addCounts(runs);
  const isEmpty = counts.failures.length === 0 && !runs.every(isSound);
  finish([isEmpty ? { ...counts, failures: ['a run had no tests'] } : counts]);
}

if (isPresent(before)) {
  const dir = mkdtempSync(join(tmpdir(), 'compat-'));
  try {
    run(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
} else {
  console.log(`test:compat: 0 run: missing: commit ${before} (git fetch --unshallow --tags)`);
}
