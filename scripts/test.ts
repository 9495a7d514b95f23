/**
 * `npm test`: the checks, then every test, browsers included. The last line counts them all; the line before it says what
 * they prove of the specification (`npm run spec` says more).
 */
import { runTool } from './check/run-tool.ts';
import { runChecks } from './check/steps.ts';
import { describeInOneLine } from './spec/describe.ts';
import { beginRun, lastRunReports, readLastRun } from './spec/last-run.ts';
import { proveSpec } from './spec/prove.ts';
import { readSpecLists } from './spec/rows.ts';
import { ALL_APPS, buildApps } from './start/build-apps.ts';
import {
  addCounts,
  describeCounts,
  noTests,
  readPlaywrightCounts,
  readVitestCounts,
  type Counts,
} from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';

async function runVitest(browserPath: string | undefined): Promise<Counts> {
  // The check ran the architecture's test.
  const leftOut = ['!architecture', ...(browserPath === undefined ? ['!browser'] : [])];
  const { isPassed } = await runTool(
    'vitest',
    [
      'run',
      ...leftOut.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${lastRunReports.vitest}`,
    ],
    { isLive: true, env: { CHROMIUM_PATH: browserPath } },
  );
  return readVitestCounts(lastRunReports.vitest, isPassed);
}

async function runPlaywright(browserPath: string | undefined): Promise<Counts> {
  if (browserPath === undefined) {
    console.log(
      'Left out: the tests in a browser, because no Chromium was found and none could be installed (set CHROMIUM_PATH).',
    );
    return noTests;
  }
  const { isPassed } = await runTool(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    {
      isLive: true,
      env: { CHROMIUM_PATH: browserPath, PLAYWRIGHT_JSON_OUTPUT_NAME: lastRunReports.playwright },
    },
  );
  return readPlaywrightCounts(lastRunReports.playwright, isPassed);
}

/** It only tells: `npm run spec` is what fails where a row is not proven. */
function printProof(): void {
  const lastRun = readLastRun();
  if (lastRun === undefined) return;
  console.log(describeInOneLine(proveSpec(readSpecLists(), lastRun.results)));
}

beginRun();
const checks = await runChecks();
// Once, before tests that run side by side would each do it.
await buildApps(ALL_APPS);
const browserPath = await findOrInstallBrowser();
const counts = addCounts([
  { ...noTests, ...checks },
  await runVitest(browserPath),
  await runPlaywright(browserPath),
]);
printProof();
console.log(describeCounts(counts));
process.exitCode = counts.failedCount === 0 ? 0 : 1;
