/**
 * `npm run test:browsers`: runs the money stories in Firefox ESR and smoke stories in WebKitGTK, on the real system
 * with an empty data folder. Installs or upgrades the browsers with apt if it has the rights. A browser that cannot be
 * installed or is too old is named and fails the run. Arguments after `--` go to Playwright, such as `-g tip`. `E2E_RUNNING` is the path to
 * the `addresses.json` of a running system to use instead.
 */
import { beginRun } from './spec/runs.ts';
import { noTests } from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { installMissing, locate, otherBrowsers } from './test/other-browsers.ts';
import { finish, runPlaywright } from './test/run-tests.ts';

installMissing();
const found = otherBrowsers.map(locate);
const leftOut = found.filter(({ packages }) => packages.length > 0);
const ready = found.filter(({ packages }) => packages.length === 0);
for (const { line } of ready) console.log(line);
for (const { line } of leftOut) console.error(`Left out: ${line}`);
const words = process.argv.slice(2);
const isProjectGiven = words.some((word) => word.startsWith('--project'));
const reportFile = beginRun('test:browsers', words);
finish([
  { ...noTests, failures: leftOut.map(({ line }) => line) },
  ready.length === 0
    ? noTests
    : await runPlaywright({
        config: 'browsers/playwright.config.ts',
        projects: isProjectGiven ? [] : ready.map(({ name }) => name),
        report: reportFile('playwright'),
        words,
        env: Object.assign({}, ...ready.map(({ paths }) => paths)),
        // Staff scan in Chromium, because its camera can be fed from a video file.
        browserPath: await findOrInstallBrowser(),
      }),
]);
