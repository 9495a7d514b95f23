import { defineConfig } from '@playwright/test';
import { browserOptions } from '../system/browser.ts';

/** The story that begins with an empty database, on a production start of its own (decision 0038). */
export default defineConfig({
  globalSetup: './global-setup.ts',
  outputDir: '../../test-results/rehearsal',
  projects: [{ name: 'rehearsal', testMatch: '*.e2e.ts' }],
  reporter: 'list',
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  use: {
    launchOptions: browserOptions(),
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 15_000,
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
});
