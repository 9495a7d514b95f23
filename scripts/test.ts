/**
 * `npm test`: runs all tests but the slow ones, and the main job in a browser. `npm run test:system` runs the rest, and `npm run check`
 * what needs no run of the code.
 */
import { beginRun } from './spec/runs.ts';
import { BROWSER_APPS, buildApps } from './start/build-apps.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { finish, runPlaywright, runVitest } from './test/run-tests.ts';

const reportFile = beginRun('test');
// Build once here; otherwise tests running in parallel would each build the apps.
await buildApps(BROWSER_APPS);
const browserPath = await findOrInstallBrowser();
finish([
  await runVitest({
    projects: ['!browser', '!compat', '!system'],
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
