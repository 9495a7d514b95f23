/**
 * `npm test`: the checks, every test that boots no whole system, and the main job in a browser. It proves every row of the
 * specification; `npm run test:system` runs the rest.
 */
import { runChecks } from './check/steps.ts';
import { beginRun } from './spec/runs.ts';
import { BROWSER_APPS, buildApps } from './start/build-apps.ts';
import { noTests } from './test/counts.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { finish, runPlaywright, runVitest } from './test/run-tests.ts';

const reportFile = beginRun('test');
const checks = await runChecks(reportFile('architecture'));
// Once, before tests that run side by side would each build them.
await buildApps(BROWSER_APPS);
const browserPath = await findOrInstallBrowser();
finish([
  { ...noTests, ...checks },
  await runVitest({
    // The checks ran the architecture test.
    projects: ['!architecture', '!system', ...(browserPath === undefined ? ['!browser'] : [])],
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
