import { defineConfig } from '@playwright/test';
import { browserOptions } from './system/browser.ts';

/** The two halves of the main job: buying and sending value, then spending it. `npm test` runs them. */
const MAIN_STORIES = ['**/main-job.e2e.ts', '**/redemption.e2e.ts'];
const AXE = '**/axe/*.e2e.ts';
/** Stories that change the whole programme, so they run after the others. */
const ALONE = ['**/brakes.e2e.ts', '**/undo.e2e.ts'];
/** Each of these has its own system. */
const OWN_START = ['**/rehearsal/*.e2e.ts', '**/outage/*.e2e.ts'];

/**
 * Stories in a real browser on the whole system. `E2E_RUNNING` is the path to the `addresses.json` of a running
 * system to use; `E2E_TRACE=1` keeps a trace of each failed story.
 */
export default defineConfig({
  globalSetup: './global-setup.ts',
  // Playwright empties this folder, so the reports of the last runs are stored beside it.
  outputDir: '../test-results/stories',
  projects: [
    { name: 'main', testMatch: MAIN_STORIES },
    {
      name: 'stories',
      testMatch: '**/*.e2e.ts',
      testIgnore: [...MAIN_STORIES, ...ALONE, AXE, ...OWN_START],
    },
    { name: 'alone', testMatch: ALONE, dependencies: ['stories'], workers: 1 },
    { name: 'axe', testMatch: AXE },
  ],
  reporter: 'list',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    launchOptions: browserOptions(),
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 15_000,
    // `page.route` does not see what a service worker fetches.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Tracing costs as much as the stories themselves.
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
});
