/** `npm test`: the checks, then every test, browsers included. The last line counts them all. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './check/run-tool.ts';
import { runChecks } from './check/steps.ts';
import { buildApps } from './start/build-apps.ts';
import {
  addCounts,
  describeCounts,
  noTests,
  readPlaywrightCounts,
  readVitestCounts,
  type Counts,
} from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';

async function runVitest(reportDir: string, browserPath: string | undefined): Promise<Counts> {
  const report = join(reportDir, 'vitest.json');
  // The check ran the architecture's test.
  const leftOut = ['!architecture', ...(browserPath === undefined ? ['!browser'] : [])];
  const { isPassed } = await runTool(
    'vitest',
    [
      'run',
      ...leftOut.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { isLive: true, env: { CHROMIUM_PATH: browserPath } },
  );
  return readVitestCounts(report, isPassed);
}

async function runPlaywright(reportDir: string, browserPath: string | undefined): Promise<Counts> {
  if (browserPath === undefined) {
    console.log(
      'Left out: the tests in a browser, because no Chromium was found and none could be installed (set CHROMIUM_PATH).',
    );
    return noTests;
  }
  const report = join(reportDir, 'playwright.json');
  const { isPassed } = await runTool(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    {
      isLive: true,
      env: { CHROMIUM_PATH: browserPath, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    },
  );
  return readPlaywrightCounts(report, isPassed);
}

const reportDir = mkdtempSync(join(tmpdir(), 'athos-test-report-'));
try {
  const checks = await runChecks();
  // Once, before tests that run side by side would each do it.
  await buildApps();
  const browserPath = await findOrInstallBrowser();
  const counts = addCounts([
    { ...noTests, ...checks },
    await runVitest(reportDir, browserPath),
    await runPlaywright(reportDir, browserPath),
  ]);
  console.log(describeCounts(counts));
  process.exitCode = counts.failedCount === 0 ? 0 : 1;
} finally {
  rmSync(reportDir, { recursive: true, force: true });
}
