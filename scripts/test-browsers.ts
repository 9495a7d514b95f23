/**
 * `npm run test:browsers`: the money stories in Firefox ESR and smoke stories in WebKitGTK, on the real system with an empty
 * data folder. Installs the browsers by apt where it may; one that cannot be had is named, and fails the run. Words after `--`
 * go to Playwright, such as `-g tip`. `E2E_RUNNING` names the `addresses.json` of a system that runs already.
 */
import { join } from 'node:path';
import { runTool } from './check/run-tool.ts';
import { root } from './start/paths.ts';
import { describeCounts, readPlaywrightCounts } from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { installMissing, locate, otherBrowsers } from './test/other-browsers.ts';

const report = join(root, 'test-results/browsers.json');

installMissing();
const found = otherBrowsers.map((browser) => ({ ...browser, ...locate(browser) }));
const leftOut = found.filter(({ missing }) => missing.length > 0);
const ready = found.filter(({ missing }) => missing.length === 0);
for (const { name, missing } of leftOut) {
  console.error(
    `Left out: ${name}, for want of ${missing.join(' and ')} (names of Debian's packages).`,
  );
}
if (ready.length > 0) {
  const words = process.argv.slice(2);
  const isProjectGiven = words.some((word) => word.startsWith('--project'));
  const projects = isProjectGiven ? [] : ready.map(({ name }) => `--project=${name}`);
  const { isPassed } = await runTool(
    'playwright',
    [
      'test',
      '--config=e2e/browsers/playwright.config.ts',
      '--reporter=list,json',
      ...projects,
      ...words,
    ],
    {
      isLive: true,
      env: {
        ...Object.assign({}, ...ready.map(({ paths }) => paths)),
        // Staff scans with it: its camera can be given a film.
        CHROMIUM_PATH: await findOrInstallBrowser(),
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      },
    },
  );
  const counts = readPlaywrightCounts(report, isPassed);
  console.log(describeCounts(counts));
  process.exitCode = counts.failedCount === 0 && leftOut.length === 0 ? 0 : 1;
} else {
  process.exitCode = 1;
}
