import { defineConfig, type ReporterDescription } from '@playwright/test';
import { browserOptions } from './system/browser.ts';

const results = process.env['E2E_RESULTS'];
const reporter: ReporterDescription[] = [['list']];
if (results !== undefined) reporter.push(['json', { outputFile: results }]);

/**
 * Stories in a real browser on the whole system. `E2E_RESULTS` names a file for the results as JSON, `E2E_RUNNING` the
 * `addresses.json` of a system that runs already; `E2E_TRACE=1` keeps a trace of what fails.
 */
export default defineConfig({
  testMatch: '**/*.e2e.ts',
  globalSetup: './global-setup.ts',
  // Playwright empties it; the results of the last run lie beside it.
  outputDir: '../test-results/stories',
  reporter,
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
    // What a worker fetches is hidden from `page.route`.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // It costs as much as the stories themselves.
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
});
