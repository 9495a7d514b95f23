/**
 * `npm test`: runs the checks, all tests but the slow ones, and the main job in a browser. `npm run
 * test:system` runs the rest.
 */
import { runChecks } from './check/steps.ts';
import { beginRun } from './spec/runs.ts';
import { BROWSER_APPS, buildApps } from './start/build-apps.ts';
import { noTests } from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { finish, runPlaywright, runVitest } from './test/run-tests.ts';

const reportFile = beginRun('test');
const checks = await runChecks(reportFile('architecture'));
// Build once here; otherwise tests running in parallel would each build the apps.
await buildApps(BROWSER_APPS);
const browserPath = await findOrInstallBrowser();
finish([
  { ...noTests, ...checks },
  await runVitest({
    // The checks have already run the architecture test.
    projects: ['!architecture', '!browser', '!compat', '!system'],
    report: reportFile('vitest'),
    browserPath,
  }),
  await runPlaywright({
    config: 'playwright.config.ts',
    projects: ['main'],
    report: reportFile('playwright'),
    browserPath,
  }),
]);
