/**
 * `npm run test:system`: runs the tests that start and kill programs, the long ones, those of single parts in a browser, every story except
 * the main job, axe on the first state of each screen, the story that begins with an empty database, and the one in which the server
 * stops. It repeats nothing of `npm test`: run both.
 */
import { availableParallelism } from 'node:os';
import { beginRun } from './spec/runs.ts';
import { BROWSER_APPS, buildApps } from './start/build-apps.ts';
import { findOrInstallBrowser } from './test/find-browser.ts';
import { finish, runPlaywright, runVitest } from './test/run-tests.ts';

const reportFile = beginRun('test:system');
await buildApps(BROWSER_APPS);
const browserPath = await findOrInstallBrowser();
finish([
  await runVitest({
    projects: ['system'],
    report: reportFile('vitest'),
    // Each test runs several processes besides its own.
    workersMax: availableParallelism(),
  }),
  await runVitest({
    projects: ['database', 'programs', 'units'],
    isLong: true,
    report: reportFile('long'),
  }),
  // Not beside the others, because some of its tests assert how soon a part is ready.
  ...(browserPath === undefined
    ? []
    : [await runVitest({ projects: ['browser'], report: reportFile('browser'), browserPath })]),
  await runPlaywright({
    config: 'playwright.config.ts',
    projects: ['stories', 'alone', 'axe'],
    report: reportFile('playwright'),
    browserPath,
  }),
  await runPlaywright({
    config: 'rehearsal/playwright.config.ts',
    projects: ['rehearsal'],
    report: reportFile('rehearsal'),
    browserPath,
  }),
  await runPlaywright({
    config: 'outage/playwright.config.ts',
    projects: ['outage'],
    report: reportFile('outage'),
    browserPath,
  }),
]);
